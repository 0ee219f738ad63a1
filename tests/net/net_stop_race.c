/* Threads open, use and close descriptors, and set deadlines on a shared one, as do goroutines, when
 * the runtime is stopped at any moment; many times. Nothing leaks, nothing hangs, and no two handles
 * are ever the same descriptor's.
 *
 * Catches: a thread in the middle of a call when all is closed: a place that is free twice, a
 * descriptor closed under it, a mutex that an abandoned goroutine holds. */
#include <sched.h>

#include "net_help.h"

enum { CYCLES = 100, THREADS = 3, GOROUTINES = 6 };

static ant_io shared;
static _Atomic int calls;

/* The other end may be closed before ours: -EPIPE, or 0 below. */
static bool ended(ssize_t err)
{
    if (err == ANT_ECLOSED || err == ANT_ENOTRUNNING || err == -EPIPE)
        return true;
    if (err < 0)
        FAIL("an unexpected error: %s", ant_err_name((int)err));
    return false;
}

/* Bytes of its own through a pipe of its own; false if the runtime has stopped. */
static bool use_one(unsigned char *number)
{
    unsigned char got;
    ant_io ends[2];
    ssize_t n = ant_pipe(ends);

    if (ended(n))
        return false;
    ++*number;
    n = ant_write(ends[1], number, 1);
    if (ended(n))
        return false;
    n = ant_read(ends[0], &got, 1);
    if (n == 0 || ended(n))
        return false;
    CHECK_INT(n, 1);
    CHECK_INT(got, *number);
    if (ended(ant_set_deadline(shared, ant_now() + ANT_SECOND)))
        return false;
    atomic_fetch_add(&calls, 1);
    return !ended(ant_close(ends[0])) && !ended(ant_close(ends[1]));
}

static void use(void *arg)
{
    unsigned char number = (unsigned char)(uintptr_t)arg;

    while (use_one(&number))
        continue;
}

static void *thread(void *arg)
{
    use(arg);
    return NULL;
}

static void cycle(int i)
{
    pthread_t threads[THREADS];

    CHECK_INT(ant_start(NULL), 0);
    CHECK_INT(ant_listen(&shared, "udp4", "127.0.0.1:0", NULL), 0);
    atomic_store(&calls, 0);
    for (uintptr_t k = 0; k < GOROUTINES; k++)
        CHECK_INT(ant_go(use, (void *)(k * 20)), 0);
    for (uintptr_t k = 0; k < THREADS; k++)
        CHECK_INT(pthread_create(&threads[k], NULL, thread, (void *)(k * 50)), 0);
    while (atomic_load(&calls) < i % 20)
        sched_yield();
    CHECK_INT(ant_stop(), 0);
    for (int k = 0; k < THREADS; k++)
        pthread_join(threads[k], NULL);
}

TEST(net_stop_race)
{
    struct test_resources before;
    int cycles = test_scale(CYCLES);
    double end = test_now() + torture_seconds(0);

    signal(SIGPIPE, SIG_IGN);
    for (int i = 0; i < 5; i++)
        cycle(i);
    before = test_resources_now();
    for (int i = 0; i < cycles || test_now() < end; i++)
        cycle(i);
    test_resources_check(&before, 60);
    return 0;
}
