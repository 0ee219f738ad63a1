/* pool_release_no_hang - of a pool with one worker, which is busy and stays so, and no purging, all
 * submitters that wait come back with ANT_ECLOSED when it is released: one, or many, goroutines and
 * threads. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { MOST = 20 };

static ant_pool *pool;
static atomic_bool gate;
static atomic_int returned, ran;

static void wait_at_gate(void *arg)
{
    while (!atomic_load(&gate))
        ant_sleep(ANT_MICROSECOND);
}

static void count(void *arg)
{
    atomic_fetch_add(&ran, 1);
}

static void submit_in_vain(void *arg)
{
    CHECK_INT(ant_pool_submit(pool, count, NULL), ANT_ECLOSED);
    atomic_fetch_add(&returned, 1);
}

static void *thread_main(void *arg)
{
    submit_in_vain(NULL);
    return NULL;
}

static void play(int goroutines, int threads, const ant_pool_options *options)
{
    pthread_t thread[MOST];

    atomic_store(&gate, false);
    atomic_store(&returned, 0);
    CHECK_INT(ant_pool_new(&pool, 1, options), 0);
    CHECK_INT(ant_pool_submit(pool, wait_at_gate, NULL), 0);
    for (int i = 0; i < goroutines; i++)
        CHECK_INT(ant_go(submit_in_vain, NULL), 0);
    for (int i = 0; i < threads; i++)
        CHECK_INT(pthread_create(&thread[i], NULL, thread_main, NULL), 0);
    while (ant_pool_waiting(pool) < goroutines + threads)
        ant_yield();
    CHECK_INT(ant_pool_release(pool), 0);
    while (atomic_load(&returned) < goroutines + threads)
        ant_yield();
    CHECK_INT(ant_pool_waiting(pool), 0);
    for (int i = 0; i < threads; i++)
        CHECK_INT(pthread_join(thread[i], NULL), 0);
    submit_in_vain(NULL);
    atomic_store(&gate, true);
    CHECK_INT(ant_pool_destroy(pool), 0);
    CHECK_INT(atomic_load(&ran), 0);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(40); i++) {
        play(1 + i % MOST, 0, &(ant_pool_options){.disable_purge = true});
        play(0, 1 + i % 4, &(ant_pool_options){.disable_purge = true, .prealloc = true});
        play(1 + i % MOST, 2, &(ant_pool_options){.disable_purge = true});
    }
    return 0;
}

TEST(pool_release_no_hang)
{
    return ant_run(run, NULL, NULL);
}
