/* run_both.h - for tests whose calls may come from goroutines and from plain threads: they are run
 * twice, by a goroutine, and by the thread of main. */
#ifndef ANT_TESTS_RUN_BOTH_H
#define ANT_TESTS_RUN_BOTH_H

#include <anthill.h>

#include "check.h"

static inline int run_both(int (*run)(void *))
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    CHECK_INT(ant_start(NULL), 0);
    CHECK_INT(run(NULL), 0);
    CHECK_INT(ant_stop(), 0);
    return 0;
}

#endif
