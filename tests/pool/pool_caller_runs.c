/* pool_caller_runs - by option the caller runs the task itself where submit would fail because the
 * pool is full: in its own goroutine or thread, with a copy of its argument if it asked for one;
 * a panic goes to the caller, and leaves nothing behind. A closed pool is an error all the same. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_pool *pool;
static atomic_bool gate;
static uint64_t ran_in;
static void *ran_with;
static pthread_t ran_thread;

static void wait_at_gate(void *arg)
{
    while (!atomic_load(&gate))
        ant_sleep(ANT_MICROSECOND);
}

static void note(void *arg)
{
    ran_in = ant_id();
    ran_thread = pthread_self();
    ran_with = arg;
}

static void note_bytes(void *arg)
{
    const char *bytes = arg;

    CHECK_INT((uintptr_t)arg % 16, 0);
    for (int i = 0; i < 1000; i++)
        CHECK_INT(bytes[i], i % 100);
    note(arg);
}

static void panic(void *arg)
{
    ant_panic("as it should");
}

static char bytes[1000];

static void submit_panic(void *arg)
{
    CHECK_INT(ant_pool_submit_copy(pool, panic, bytes, sizeof bytes), 0);
    FAIL("it returned");
}

static void check_full(void)
{
    ant_panic_info info;

    ran_with = NULL;
    CHECK_INT(ant_pool_try_submit(pool, note, &ran_with), 0);
    CHECK_INT(ran_in, ant_id());
    CHECK(ran_with == &ran_with);
    CHECK_INT(ant_pool_submit_copy(pool, note_bytes, bytes, sizeof bytes), 0);
    CHECK(ran_with != bytes);
    CHECK_INT(ant_try(submit_panic, NULL, &info), ANT_EPANIC);
    CHECK_STR(info.message, "as it should");
}

static void *thread_main(void *arg)
{
    CHECK_INT(ant_pool_submit(pool, note, NULL), 0);
    CHECK(pthread_equal(ran_thread, pthread_self()));
    atomic_store((atomic_bool *)arg, true);
    return NULL;
}

static void check_thread(void)
{
    atomic_bool done = false;
    pthread_t thread;

    CHECK_INT(pthread_create(&thread, NULL, thread_main, &done), 0);
    while (!atomic_load(&done))
        ant_yield();
    CHECK_INT(pthread_join(thread, NULL), 0);
}

static void play(ant_pool_options options)
{
    options.caller_runs = true;
    options.nonblocking = true;
    atomic_store(&gate, false);
    CHECK_INT(ant_pool_new(&pool, 2, &options), 0);
    CHECK_INT(ant_pool_submit(pool, wait_at_gate, NULL), 0);
    CHECK_INT(ant_pool_submit(pool, wait_at_gate, NULL), 0);
    check_full();
    check_thread();
    CHECK_INT(ant_pool_release(pool), 0);
    CHECK_INT(ant_pool_submit(pool, note, NULL), ANT_ECLOSED);
    atomic_store(&gate, true);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static int run(void *arg)
{
    for (int i = 0; i < 1000; i++)
        bytes[i] = (char)(i % 100);
    for (int i = 0; i < test_scale(40); i++) {
        play((ant_pool_options){0});
        play((ant_pool_options){.prealloc = true});
    }
    return 0;
}

TEST(pool_caller_runs)
{
    return ant_run(run, NULL, NULL);
}
