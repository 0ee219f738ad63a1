/* pool_limits - how many may wait: any number, so many as max_blocking says, or none, if the
 * pool is nonblocking or by the try_ forms. Who is turned away is told ANT_EOVERLOAD at once,
 * and when there is room again it is taken. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_pool *pool;
static atomic_bool gate;
static atomic_int ran, returned, refused;

static void wait_at_gate(void *arg)
{
    while (!atomic_load(&gate))
        ant_sleep(ANT_MICROSECOND);
    atomic_fetch_add(&ran, 1);
}

static void submit_one(void *arg)
{
    int err = ant_pool_submit(pool, wait_at_gate, NULL);

    if (err)
        CHECK_INT(err, ANT_EOVERLOAD);
    atomic_fetch_add(err ? &refused : &returned, 1);
}

static void *submit_in_thread(void *arg)
{
    submit_one(NULL);
    return NULL;
}

static void begin(const ant_pool_options *options)
{
    atomic_store(&gate, false);
    atomic_store(&ran, 0);
    atomic_store(&returned, 0);
    atomic_store(&refused, 0);
    CHECK_INT(ant_pool_new(&pool, 2, options), 0);
    for (int i = 0; i < 2; i++)
        CHECK_INT(ant_pool_submit(pool, wait_at_gate, NULL), 0);
}

static void end(int waited)
{
    atomic_store(&gate, true);
    while (atomic_load(&returned) < waited)
        ant_yield();
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK_INT(atomic_load(&ran), 2 + waited);
    CHECK_INT(ant_pool_submit(pool, wait_at_gate, NULL), 0);
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK_INT(ant_pool_try_submit(pool, wait_at_gate, NULL), 0);
    CHECK_INT(ant_pool_destroy(pool), 0);
    CHECK_INT(atomic_load(&ran), 4 + waited);
}

static void max_blocking(int most, bool prealloc)
{
    pthread_t thread;

    begin(&(ant_pool_options){.max_blocking = most, .prealloc = prealloc});
    CHECK_INT(pthread_create(&thread, NULL, submit_in_thread, NULL), 0);
    for (int i = 1; i < most + 5; i++)
        CHECK_INT(ant_go(submit_one, NULL), 0);
    while (ant_pool_waiting(pool) < most || atomic_load(&refused) < 5)
        ant_yield();
    CHECK_INT(ant_pool_waiting(pool), most);
    CHECK_INT(atomic_load(&returned), 0);
    end(most);
    CHECK_INT(atomic_load(&refused), 5);
    CHECK_INT(pthread_join(thread, NULL), 0);
}

static void nonblocking(bool prealloc)
{
    begin(&(ant_pool_options){.nonblocking = true, .prealloc = prealloc});
    for (int i = 0; i < 3; i++)
        submit_one(NULL);
    CHECK_INT(atomic_load(&refused), 3);
    CHECK_INT(ant_pool_submit_ctx(pool, wait_at_gate, NULL, NULL), ANT_EOVERLOAD);
    end(0);
}

static void tries(bool prealloc)
{
    begin(&(ant_pool_options){.prealloc = prealloc});
    CHECK_INT(ant_pool_try_submit(pool, wait_at_gate, NULL), ANT_EOVERLOAD);
    CHECK_INT(ant_pool_try_submit_copy(pool, wait_at_gate, "", 1), ANT_EOVERLOAD);
    end(0);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(50); i++) {
        max_blocking(1, i % 2);
        max_blocking(7, i % 2);
        nonblocking(i % 2);
        tries(i % 2);
    }
    return 0;
}

TEST(pool_limits)
{
    return ant_run(run, NULL, NULL);
}
