/* torture_mix.c - everything at once, for as long as it is told: goroutines that spawn, yield,
 * sleep, wait, tie themselves to threads, panic and end early; timers that are started, moved and
 * stopped; plain threads that make goroutines and wait for them; Ps that come and go; dumps.
 *
 * Catches: lost wake-ups (then it hangs), goroutines that are lost or run twice (then the count is
 * wrong), and, under the sanitizers, races and uses of freed memory.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include <anthill.h>

#include "check.h"

enum { THREADS = 2, CROWD = 40, MAX_PROCS = 9 };

static atomic_bool stop;
static atomic_long made, ended, fired, prevented, started;
static ant_waitgroup threads_left;

static unsigned next(unsigned *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 16;
}

/* What a goroutine gets along. Its family waits for all that stem from the same crowd. */
struct life {
    ant_waitgroup *family;
    unsigned seed;
    int depth;
};

static void count_end(void *family)
{
    atomic_fetch_add(&ended, 1);
    ant_waitgroup_done(family);
}

static void live(void *arg);

static void spawn(ant_waitgroup *family, unsigned seed, int depth)
{
    struct life life = {family, seed, depth};

    ant_waitgroup_add(family, 1);
    atomic_fetch_add(&made, 1);
    CHECK_INT(ant_go_copy(live, &life, sizeof life), 0);
}

/* From goroutines and threads alike. */
static void raise_crowd(unsigned *seed)
{
    ant_waitgroup family = {0};

    for (int i = 0; i < CROWD; i++)
        spawn(&family, next(seed), 0);
    ant_waitgroup_wait(&family);
}

static void fail(void *arg)
{
    ant_yield();
    ant_panic("as planned %u", *(unsigned *)arg);
}

static void on_time(void *arg)
{
    atomic_fetch_add(&fired, 1);
    ant_waitgroup_done(arg);
}

static void use_timer(unsigned *seed)
{
    ant_waitgroup fires = {0};
    ant_timer timer = {{0}};

    ant_waitgroup_add(&fires, 1);
    atomic_fetch_add(&started, 1);
    CHECK_INT(ant_timer_start(&timer, next(seed) % 200 * ANT_MICROSECOND, on_time, &fires), 0);
    ant_sleep(next(seed) % 100 * ANT_MICROSECOND);
    if (next(seed) % 2) {
        ant_waitgroup_add(&fires, 1);
        if (ant_timer_reset(&timer, next(seed) % 100 * ANT_MICROSECOND) == 1)
            ant_waitgroup_done(&fires); /* it had not fired, and will do so but once */
        else
            atomic_fetch_add(&started, 1);
    }
    if (next(seed) % 2 && ant_timer_stop(&timer) == 1) {
        atomic_fetch_add(&prevented, 1);
        ant_waitgroup_done(&fires);
    }
    ant_waitgroup_wait(&fires);
}

static void live(void *arg)
{
    struct life *life = arg;
    unsigned seed = life->seed;
    ant_defer_node node;

    ant_defer(&node, count_end, life->family);
    switch (next(&seed) % 9) {
    case 0:
        for (int i = next(&seed) % 20; i > 0; i--)
            ant_yield();
        break;
    case 1:
        ant_sleep(next(&seed) % 300 * ANT_MICROSECOND);
        break;
    case 2:
        for (int i = 0; life->depth < 3 && i < 3; i++)
            spawn(life->family, next(&seed), life->depth + 1);
        break;
    case 3:
        CHECK_INT(ant_try(fail, &seed, NULL), ANT_EPANIC);
        break;
    case 4:
        ant_exit();
    case 5:
        CHECK_INT(ant_lock_thread(), 0);
        ant_yield();
        ant_sleep(10 * ANT_MICROSECOND);
        if (next(&seed) % 4) /* else the thread ends with it */
            CHECK_INT(ant_unlock_thread(), 0);
        break;
    case 6:
        use_timer(&seed);
        break;
    }
    ant_defer_end(&node);
}

static void *thread(void *arg)
{
    unsigned seed = (unsigned)(long)arg;

    while (!atomic_load(&stop))
        raise_crowd(&seed);
    ant_waitgroup_done(&threads_left);
    return NULL;
}

static void dump(int fd)
{
    int err = ant_dump(fd);

    CHECK(err == 0 || err == -EAGAIN); /* not within a second: a busy machine */
}

static void resize_and_dump(void *arg)
{
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    unsigned seed = 4711;

    while (!atomic_load(&stop)) {
        CHECK(ant_set_procs(1 + (int)(next(&seed) % MAX_PROCS)) > 0);
        if (next(&seed) % 4 == 0)
            dump(null);
        ant_sleep(500 * ANT_MICROSECOND);
    }
    close(null);
    ant_waitgroup_done(arg);
}

static int run(void *arg)
{
    double until = test_now() + torture_seconds(0.4);
    ant_waitgroup helper = {0};
    pthread_t threads[THREADS];
    unsigned seed = 1;

    ant_waitgroup_add(&helper, 1);
    CHECK_INT(ant_go(resize_and_dump, &helper), 0);
    ant_waitgroup_add(&threads_left, THREADS);
    for (long i = 0; i < THREADS; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, thread, (void *)(i + 100)), 0);
    while (test_now() < until)
        raise_crowd(&seed);
    atomic_store(&stop, true);
    ant_waitgroup_wait(&threads_left); /* joining them right away would block our P */
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    ant_waitgroup_wait(&helper);
    CHECK_INT(atomic_load(&ended), atomic_load(&made));
    CHECK_INT(atomic_load(&fired) + atomic_load(&prevented), atomic_load(&started));
    return 0;
}

TEST(torture_mix)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
