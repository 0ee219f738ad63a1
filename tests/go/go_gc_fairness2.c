/* go_gc_fairness2.c - while all goroutines are being paused again and again, without a break, each
 * of three still gets on.
 *
 * Catches: a paused thread finds the next pause before it has run a goroutine, always. (Then this
 * hangs.)
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { GOROUTINES = 3, TURNS = 100 };

static _Atomic bool stop;
static _Atomic long dumps;
static _Atomic int turns[GOROUTINES];
static ant_waitgroup ended;

static void *dump_on(void *arg)
{
    int fd = open("/dev/null", O_WRONLY);

    CHECK(fd >= 0);
    while (!atomic_load(&stop)) {
        int err = ant_dump(fd);

        CHECK(err == 0 || err == -EAGAIN); /* not within a second: a busy machine */
        atomic_fetch_add(&dumps, err == 0);
    }
    close(fd);
    return NULL;
}

static bool all_had_turns(void)
{
    bool all = true;

    for (int i = 0; i < GOROUTINES; i++)
        all &= atomic_load(&turns[i]) >= TURNS;
    return all;
}

static void get_on(void *arg)
{
    while (!all_had_turns()) {
        atomic_fetch_add((_Atomic int *)arg, 1);
        ant_yield();
    }
    ant_waitgroup_done(&ended);
}

static int run(void *arg)
{
    pthread_t thread;

    CHECK_INT(pthread_create(&thread, NULL, dump_on, NULL), 0);
    while (atomic_load(&dumps) < 3)
        ant_yield();
    ant_waitgroup_add(&ended, GOROUTINES);
    for (int i = 0; i < GOROUTINES; i++)
        CHECK_INT(ant_go(get_on, &turns[i]), 0);
    ant_waitgroup_wait(&ended);
    atomic_store(&stop, true);
    pthread_join(thread, NULL);
    return 0;
}

TEST(go_gc_fairness2)
{
    return ant_run(run, NULL, NULL);
}
