/* ants_sum.h - a thousand tasks that add up their numbers. */
#ifndef ANT_TESTS_ANTS_SUM_H
#define ANT_TESTS_ANTS_SUM_H

#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { TASKS = 1000, SUM = 499500 };

static ant_waitgroup left;
static atomic_int sum;

static void add(int32_t i)
{
    atomic_fetch_add(&sum, i);
    ant_waitgroup_done(&left);
}

static void add_by_copy(void *arg)
{
    add(*(int32_t *)arg);
}

static void check_sum(void)
{
    ant_waitgroup_wait(&left);
    CHECK_INT(atomic_exchange(&sum, 0), SUM);
}

#endif
