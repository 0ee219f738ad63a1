/* go_netpoll_waiters.c - how many wait for descriptors is counted, by who waits and by who wakes them,
 * and comes back to none: after reads that got something, that timed out, and that were closed.
 *
 * Catches: a count that is wrong by one, by which no deadlock is ever seen, or one too many.
 */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"
#include "runtime/netpoll.h"

enum { PIPES = 12 };

static ant_io ends[PIPES][2];
static ant_waitgroup ended;

static void read_one(void *arg)
{
    char c;
    ssize_t n = ant_read(*(ant_io *)arg, &c, 1);

    CHECK(n == 1 || n == ANT_ETIMEOUT || n == ANT_ECLOSED);
    ant_waitgroup_done(&ended);
}

static int waiting(void)
{
    int64_t n = atomic_load(&ant__sched.foreign_io_waiting);

    for (int i = 0; i < atomic_load(&ant__sched.all_ps_n); i++)
        n += atomic_load(&ant__p_at(i)->io_waiting);
    return (int)n;
}

static void one_round(void)
{
    ant_waitgroup_add(&ended, PIPES);
    for (int i = 0; i < PIPES; i++) {
        CHECK_INT(ant_pipe(ends[i]), 0);
        CHECK_INT(ant_go(read_one, &ends[i][0]), 0);
    }
    while (waiting() != PIPES)
        ant_sleep(100 * ANT_MICROSECOND);
    CHECK(ant__poll_waits());
    for (int i = 0; i < PIPES; i += 3) {
        CHECK_INT(ant_write(ends[i][1], "x", 1), 1);
        CHECK_INT(ant_set_read_deadline(ends[i + 1][0], ant_now() + i * 50 * ANT_MICROSECOND), 0);
        CHECK_INT(ant_close(ends[i + 2][0]), 0);
    }
    ant_waitgroup_wait(&ended);
    while (waiting() != 0) /* sysmon counts as one while it polls */
        ant_sleep(100 * ANT_MICROSECOND);
    for (int i = 0; i < PIPES; i++) {
        if (i % 3 != 2)
            CHECK_INT(ant_close(ends[i][0]), 0);
        CHECK_INT(ant_close(ends[i][1]), 0);
    }
}

static int run(void *arg)
{
    for (int round = 0; round < test_scale(50); round++)
        one_round();
    return 0;
}

TEST(go_netpoll_waiters)
{
    return ant_run(run, NULL, NULL);
}
