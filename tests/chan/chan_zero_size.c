/* chan_zero_size - channels of elements without size: nothing is read or written, NULL will do
 * for the element everywhere, signals are counted, with and without buffer, and the buffer takes
 * no memory however large. As Go's zerosize. */
#include <errno.h>
#include <stdint.h>

#include <anthill.h>

#include "check.h"

static ant_waitgroup wg;
static int signals;

static void signal_by_turns(void *c)
{
    ant_case cases[] = {ANT_SEND(c, NULL), ANT_SEND(NULL, NULL)};

    for (int i = 0; i < signals; i++) {
        if (i % 3 == 0)
            ant_chan_send(c, NULL);
        else if (i % 3 == 1)
            CHECK_INT(ant_select(cases, 2), 0);
        else
            CHECK_INT(ant_chan_send_ctx(c, NULL, NULL), 0);
    }
    ant_chan_close(c);
    ant_waitgroup_done(&wg);
}

static void check_signals(size_t capacity)
{
    char sentinel = 42;
    int count = 0;
    ant_chan *c;

    CHECK_INT(ant_chan_new(&c, 0, capacity), 0);
    CHECK_INT(ant_chan_cap(c), capacity);
    ant_waitgroup_add(&wg, 1);
    CHECK_INT(ant_go(signal_by_turns, c), 0);
    while (ant_chan_recv(c, count % 2 ? &sentinel : NULL))
        count++;
    CHECK_INT(count, signals);
    CHECK_INT(sentinel, 42);
    ant_waitgroup_wait(&wg);
    CHECK_INT(ant_chan_destroy(c), 0);
}

static void check_counting(void)
{
    ant_chan *c;

    CHECK_INT(ant_chan_new(&c, 0, PTRDIFF_MAX), 0);
    CHECK(ant_chan_cap(c) == PTRDIFF_MAX);
    for (int i = 0; i < signals; i++)
        ant_chan_send(c, NULL);
    CHECK_INT(ant_chan_len(c), signals);
    for (int i = 0; i < signals; i++)
        CHECK_INT(ant_chan_try_recv(c, NULL), 0);
    CHECK_INT(ant_chan_try_recv(c, NULL), -EAGAIN);
    CHECK_INT(ant_chan_len(c), 0);
    CHECK_INT(ant_chan_destroy(c), 0);
}

static int run(void *arg)
{
    signals = test_scale(50000);
    check_signals(0);
    check_signals(1);
    check_signals(10);
    check_counting();
    return 0;
}

TEST(chan_zero_size)
{
    return ant_run(run, NULL, NULL);
}
