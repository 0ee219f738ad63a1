/* ants_nap.h - tasks that sleep and are counted, for pools of all kinds. */
#ifndef ANT_TESTS_ANTS_NAP_H
#define ANT_TESTS_ANTS_NAP_H

#include <stdatomic.h>

#include <anthill.h>

static atomic_int ran;

static void nap(int ms)
{
    ant_sleep(ms * ANT_MILLISECOND);
    atomic_fetch_add(&ran, 1);
}

static void nap_ten(void *arg)
{
    nap(10);
}

static void nap_by_copy(void *arg)
{
    nap(*(int *)arg);
}

ANT_FUNC_POOL_DEFINE(nap_pool, int);

static int invoke_copy(const nap_pool *pool, int ms)
{
    return ant_func_pool_invoke(nap_pool_any(pool), &ms);
}

#endif
