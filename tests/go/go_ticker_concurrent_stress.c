/* go_ticker_concurrent_stress.c - many receive from one ticker that ticks all the time, and many selects wait
 * for one and for a time-out of their own, while all goroutines are being paused again and again.
 *
 * Catches: a tick or a time-out that wakes nobody, a select that leaves a timer's channel in disorder. (Then
 * this hangs or crashes.)
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { RECEIVERS = 10, TICKS = 100 };

static ant_ticker *ticker;
static _Atomic bool stop;
static _Atomic long dumps, timed_out;
static ant_waitgroup ended;

static void *dump_on(void *arg)
{
    int fd = open("/dev/null", O_WRONLY);

    CHECK(fd >= 0);
    while (!atomic_load(&stop) || atomic_load(&dumps) == 0) {
        int err = ant_dump(fd);

        CHECK(err == 0 || err == -EAGAIN); /* not within a second: a busy machine */
        atomic_fetch_add(&dumps, err == 0);
        usleep(100);
    }
    close(fd);
    return NULL;
}

static void receive(void *arg)
{
    for (int i = 0; i < TICKS; i++)
        CHECK(ant_chan_recv(ant_ticker_chan(ticker), NULL));
    ant_waitgroup_done(&ended);
}

static void select_on(void *arg)
{
    for (int i = 0; i < test_scale(2000); i++) {
        ant_chan *timeout;
        ant_case cases[2];
        int chosen;

        CHECK_INT(ant_after(&timeout, i % 3 * ANT_MICROSECOND), 0);
        cases[0] = (ant_case)ANT_RECV(ant_ticker_chan(ticker), NULL);
        cases[1] = (ant_case)ANT_RECV(timeout, NULL);
        chosen = ant_select(cases, 2);
        CHECK(chosen == 0 || chosen == 1);
        atomic_fetch_add(&timed_out, chosen);
        CHECK_INT(ant_chan_destroy(timeout), 0);
    }
    ant_waitgroup_done(&ended);
}

static int run(void *arg)
{
    pthread_t thread;

    CHECK_INT(pthread_create(&thread, NULL, dump_on, NULL), 0);
    CHECK_INT(ant_ticker_new(&ticker, ANT_MICROSECOND), 0);
    ant_waitgroup_add(&ended, RECEIVERS + 4);
    for (int i = 0; i < RECEIVERS; i++)
        CHECK_INT(ant_go(receive, NULL), 0);
    for (int i = 0; i < 4; i++)
        CHECK_INT(ant_go(select_on, NULL), 0);
    ant_waitgroup_wait(&ended);
    CHECK(atomic_load(&timed_out) > 0);
    atomic_store(&stop, true);
    pthread_join(thread, NULL);
    CHECK_INT(ant_ticker_destroy(ticker), 0);
    return 0;
}

TEST(go_ticker_concurrent_stress)
{
    return ant_run(run, NULL, NULL);
}
