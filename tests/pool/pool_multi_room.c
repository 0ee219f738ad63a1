/* pool_multi_room - a submit to several pools does not wait, nor fail, while any of them has room,
 * whichever the strategy chose; and who waits takes the first worker that becomes free, of any
 * pool. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { POOLS = 4, EACH = 3, ALL = POOLS * EACH };

static ant_multi_pool *pool;
static atomic_bool gate[ALL + 1];
static atomic_int active, returned;

static void wait_at_gate(void *arg)
{
    atomic_fetch_add(&active, 1);
    while (!atomic_load((atomic_bool *)arg))
        ant_sleep(ANT_MICROSECOND);
    atomic_fetch_sub(&active, 1);
}

static void submit_one_more(void *arg)
{
    CHECK_INT(ant_multi_pool_submit(pool, wait_at_gate, &gate[ALL]), 0);
    atomic_fetch_add(&returned, 1);
}

static int figure(int (*get)(const ant_multi_pool *, int, int *), int index)
{
    int n;

    CHECK_INT(get(pool, index, &n), 0);
    return n;
}

/* Pool by pool as full as it can be; not one submit may fail before. */
static void fill(bool waits)
{
    for (int i = 0; i < ALL; i++) {
        CHECK_INT(waits ? ant_multi_pool_submit(pool, wait_at_gate, &gate[i])
                        : ant_multi_pool_try_submit(pool, wait_at_gate, &gate[i]),
                  0);
    }
    for (int i = 0; i < POOLS; i++) {
        CHECK_INT(figure(ant_multi_pool_running_by_index, i), EACH);
        CHECK_INT(figure(ant_multi_pool_free_by_index, i), 0);
    }
    CHECK_INT(ant_multi_pool_try_submit(pool, wait_at_gate, &gate[0]), ANT_EOVERLOAD);
}

/* It is counted where the strategy had sent it, once. */
static void await_waiting(int n)
{
    int sum;

    do {
        ant_yield();
        sum = 0;
        for (int i = 0; i < POOLS; i++)
            sum += figure(ant_multi_pool_waiting_by_index, i);
    } while (sum != n || ant_multi_pool_waiting(pool) != n);
}

/* One task ends, whichever: the one that waits must get its worker. */
static void play(enum ant_strategy strategy, const ant_pool_options *options, int which)
{
    for (int i = 0; i <= ALL; i++)
        atomic_store(&gate[i], false);
    atomic_store(&returned, 0);
    CHECK_INT(ant_multi_pool_new(&pool, POOLS, EACH, strategy, options), 0);
    fill(which % 2);
    CHECK_INT(ant_go(submit_one_more, NULL), 0);
    await_waiting(1);
    atomic_store(&gate[which], true);
    while (atomic_load(&returned) == 0)
        ant_yield();
    await_waiting(0);
    CHECK_INT(ant_multi_pool_running(pool), ALL);
    for (int i = 0; i <= ALL; i++)
        atomic_store(&gate[i], true);
    CHECK_INT(ant_multi_pool_destroy(pool), 0);
    CHECK_INT(atomic_load(&active), 0);
}

static int run(void *arg)
{
    for (int round = 0; round < test_scale(20); round++) {
        for (int i = 0; i < ALL; i++) {
            play(ANT_ROUND_ROBIN, NULL, i);
            play(ANT_LEAST_TASKS, &(ant_pool_options){.prealloc = true}, i);
        }
    }
    return 0;
}

TEST(pool_multi_room)
{
    return ant_run(run, NULL, NULL);
}
