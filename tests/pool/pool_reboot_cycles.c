/* pool_reboot_cycles - thousands of times released and opened again, with submits under way from
 * goroutines and threads all the time. What was accepted runs once; once release_timeout has
 * returned 0 no task starts until the pool is opened again. Now and then it is opened while tasks
 * of its last life still run. Stack and ring, a pool and a multi pool. Nothing is left behind: no
 * goroutine, thread, mapping or memory. */
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>

#include "pool_kinds.h"

enum { GOROUTINES = 3 };

static const struct pool_kind *kind;
static void *pool;
static atomic_bool quiet, stop;
static atomic_int producers;
static atomic_long accepted, ran;

static void task(int i)
{
    if (atomic_load(&quiet))
        FAIL("a task starts in a pool that was released");
    if (atomic_fetch_add(&ran, 1) % 2)
        ant_yield();
}

static void produce(void *arg)
{
    for (int i = 0; !atomic_load(&stop); i = !i) {
        int err = kind->submit(pool, i, PLAIN, NULL);

        if (!err)
            atomic_fetch_add(&accepted, 1);
        else
            CHECK_INT(err, ANT_ECLOSED);
        if (err)
            ant_yield();
    }
    atomic_fetch_sub(&producers, 1);
}

static void *produce_in_thread(void *arg)
{
    produce(NULL);
    return NULL;
}

static void cycle(int i)
{
    long before = atomic_load(&ran);

    while (i % 4 && atomic_load(&ran) < before + 2)
        ant_yield();
    if (i % 3 == 0) {
        CHECK_INT(kind->release(pool), 0);
    } else {
        CHECK_INT(kind->release_timeout(pool, ANT_HOUR), 0);
        atomic_store(&quiet, true);
        ant_yield();
        CHECK_INT(kind->running(pool), 0);
        atomic_store(&quiet, false);
    }
    CHECK(kind->is_closed(pool));
    CHECK_INT(kind->reboot(pool), 0);
    CHECK(!kind->is_closed(pool));
}

static void play(int cycles, const ant_pool_options *options)
{
    pthread_t thread;

    atomic_store(&stop, false);
    atomic_store(&producers, GOROUTINES + 1);
    CHECK_INT(kind->make(&pool, 3, options), 0);
    CHECK_INT(pthread_create(&thread, NULL, produce_in_thread, NULL), 0);
    for (int i = 0; i < GOROUTINES; i++)
        CHECK_INT(ant_go(produce, NULL), 0);
    for (int i = 0; i < cycles; i++)
        cycle(i);
    atomic_store(&stop, true);
    while (atomic_load(&producers) > 0)
        ant_yield();
    CHECK_INT(pthread_join(thread, NULL), 0);
    CHECK_INT(kind->destroy(pool), 0);
    CHECK_INT(atomic_load(&ran), atomic_load(&accepted));
}

/* Places in pool_kinds. */
enum { A_POOL = 0, A_MULTI_POOL = 3 };

struct plan {
    int kind;
    ant_pool_options options;
};

static const struct plan plans[] = {
    {A_POOL, {0}},
    {A_POOL, {.prealloc = true}},
    {A_MULTI_POOL, {0}},
    {A_MULTI_POOL, {.prealloc = true}},
    {A_POOL, {.expiry = 1, .queue = 3, .min_workers = 2}},
    {A_MULTI_POOL, {.expiry = 1, .prealloc = true, .disable_purge = true}},
};

static int run(void *arg)
{
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        kind = &pool_kinds[plans[i].kind];
        play(*(int *)arg, &plans[i].options);
    }
    while (ant_count() > 1)
        ant_yield();
    return 0;
}

static void run_cycles(int n)
{
    CHECK_INT(ant_run(run, &n, NULL), 0);
}

TEST(pool_reboot_cycles)
{
    double until = test_now() + torture_seconds(0);
    struct test_resources before;
    size_t memory;

    run_cycles(20);
    before = test_resources_now();
    memory = mallinfo2().uordblks;
    do
        run_cycles(test_scale(4000));
    while (test_now() < until);
    test_resources_check(&before, 40);
    if (!TEST_SANITIZED && mallinfo2().uordblks > memory + 65536)
        FAIL("memory in use: %zu -> %zu", memory, mallinfo2().uordblks);
    return 0;
}
