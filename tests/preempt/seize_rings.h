/* seize_rings.h - everything at once: goroutines that compute, that block with and without saying so,
 * that hand tokens around, sleep, are tied to threads; meanwhile the number of Ps changes and all are
 * dumped. No token is lost, and all ends. */
#ifndef ANT_TESTS_SEIZE_RINGS_H
#define ANT_TESTS_SEIZE_RINGS_H

#include <stdatomic.h>

#include <anthill.h>

#include "check.h"
#include "runtime/runtime.h"

enum { RINGS = 4, MEMBERS = 6, TOKENS = 3, LAST = -1 };

struct member {
    ant_chan *from, *to;
    unsigned random;
};

static _Atomic bool stop;
static _Atomic long passed, kept;
static ant_chan *chans[RINGS][MEMBERS];
static struct member members[RINGS][MEMBERS];
static ant_waitgroup wg;

static void compute(unsigned microseconds)
{
    double until = test_now() + microseconds / 1e6;

    while (test_now() < until)
        continue;
}

static void do_something(unsigned random)
{
    unsigned us = random / 16 % 512;

    switch (random % 16) {
    case 0:
        compute(us);
        break;
    case 1:
        usleep(us);
        break;
    case 2:
        ant_blocking_begin();
        usleep(us);
        ant_blocking_end();
        break;
    case 3:
        ant_blocking_begin();
        ant_yield(); /* ends it */
        ant_blocking_end();
        break;
    case 4:
        ant_sleep(us * ANT_MICROSECOND);
        break;
    case 5:
        ant_lock_thread();
        usleep(us);
        ant_yield();
        ant_unlock_thread();
        break;
    case 6:
        ant_yield();
        break;
    default:
        break;
    }
}

static void pass_on(void *arg)
{
    struct member *me = arg;
    int token;

    while (ant_chan_recv(me->from, &token) && token != LAST) {
        me->random = me->random * 1664525 + 1013904223;
        do_something(me->random >> 8);
        if (atomic_load(&stop)) {
            atomic_fetch_add(&kept, 1);
            continue;
        }
        atomic_fetch_add(&passed, 1);
        ant_chan_send(me->to, &token);
    }
    ant_waitgroup_done(&wg);
}

static void begin_ring(int r)
{
    for (int i = 0; i < MEMBERS; i++)
        CHECK_INT(ant_chan_new(&chans[r][i], sizeof(int), TOKENS + 1), 0);
    for (int i = 0; i < MEMBERS; i++) {
        members[r][i] =
            (struct member){chans[r][i], chans[r][(i + 1) % MEMBERS], (unsigned)(r * MEMBERS + i)};
        CHECK_INT(ant_go(pass_on, &members[r][i]), 0);
    }
    for (int token = 0; token < TOKENS; token++)
        ant_chan_send(chans[r][token], &token);
}

/* The tokens that were sent too late to be received. */
static int drain_ring(int r)
{
    int token, n = 0;

    for (int i = 0; i < MEMBERS; i++) {
        while (ant_chan_try_recv(chans[r][i], &token) == 0)
            n += token != LAST;
        ant_chan_destroy(chans[r][i]);
    }
    return n;
}

static void disturb(unsigned random, int fd)
{
    long before = atomic_load(&passed);

    CHECK(ant_set_procs((int)(random >> 24) % 8 + 1) > 0);
    if (random >> 16 & 1)
        ant_dump(fd);
    usleep(random >> 20);                      /* main is in the way, too */
    while (atomic_load(&passed) < before + 20) /* they get on, or this hangs */
        ant_sleep(100 * ANT_MICROSECOND);
}

/* For torture_seconds(0.5). */
static int run_rings(void *arg)
{
    double until = test_now() + torture_seconds(0.5);
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC), drained = 0;
    unsigned random = 1;

    ant_waitgroup_add(&wg, RINGS * MEMBERS);
    for (int r = 0; r < RINGS; r++)
        begin_ring(r);
    while (test_now() < until) {
        random = random * 1664525 + 1013904223;
        disturb(random, null);
    }
    atomic_store(&stop, true);
    for (int r = 0; r < RINGS; r++)
        for (int i = 0; i < MEMBERS; i++)
            ant_chan_send(chans[r][i], &(int){LAST});
    ant_waitgroup_wait(&wg);
    for (int r = 0; r < RINGS; r++)
        drained += drain_ring(r);
    CHECK_INT(atomic_load(&kept) + drained, RINGS * TOKENS);
    close(null);
    return 0;
}

#endif
