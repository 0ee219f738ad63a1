/* one_p.h - for tests of who comes before whom, which holds on a single P. */
#ifndef ANT_TESTS_ONE_P_H
#define ANT_TESTS_ONE_P_H

#include "runtime/runtime.h"

/* As ant_run with one P, which is never taken from a goroutine, however long the system lets its
 * thread wait for a CPU: no two run at once. */
static inline int run_on_one_p(int (*fn)(void *))
{
    ant__slice = ANT_HOUR;
    return ant_run(fn, NULL, &(ant_config){.procs = 1});
}

#endif
