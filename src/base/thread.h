/* thread.h - what a thread of this process is doing, as the system has it. */
#ifndef ANT_BASE_THREAD_H
#define ANT_BASE_THREAD_H

#include <sys/types.h>

#include <anthill/time.h>

#include "base/compiler.h"

ant_duration ant__thread_cpu(pid_t tid); /* the CPU time that it has used; 0 if it is gone */

/* Whether it runs or could run, and so does not sleep in a call. Costs some microseconds. True also if
 * that cannot be told, as where there is no /proc. */
bool ant__thread_is_runnable(pid_t tid);

#endif
