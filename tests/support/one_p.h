/* one_p.h - for tests of who comes before whom, which holds on a single P. */
#ifndef ANT_TESTS_ONE_P_H
#define ANT_TESTS_ONE_P_H

#include "check.h"
#include "runtime/runtime.h"

/* As ant_run with one P, whatever ANTHILL says. */
static inline int run_with_procs_1(int (*fn)(void *))
{
    CHECK_INT(unsetenv("ANTHILL"), 0);
    return ant_run(fn, NULL, &(ant_config){.procs = 1});
}

/* The same, and the P is never taken from a goroutine, however long the system lets its thread wait
 * for a CPU: no two run at once. */
static inline int run_on_one_p(int (*fn)(void *))
{
    ant__slice = ANT_HOUR;
    return run_with_procs_1(fn);
}

#endif
