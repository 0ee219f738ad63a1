/* chan_nonblock - trying to send or receive does not wait; it succeeds as soon as a partner
 * waits, or the buffer allows it. For elements of several sizes, by the try forms and by select
 * with a default, with a partner that is a goroutine or a plain thread. As Go's nonblock. */
#include <errno.h>
#include <pthread.h>

#include <anthill.h>

#include "check.h"

enum { MOST = 16 };

static ant_chan *c;
static size_t size;
static bool by_select;
static const char element[MOST] = "\x01 fifteen chars";

static int try_send(void)
{
    ant_case cases[] = {ANT_SEND(c, element), ANT_DEFAULT};

    if (!by_select)
        return ant_chan_try_send(c, element);
    return ant_select(cases, 2) == 0 ? 0 : -EAGAIN;
}

static int try_recv(void)
{
    char got[MOST] = {0};
    ant_case cases[] = {ANT_RECV(c, got), ANT_DEFAULT};
    int err;

    if (by_select)
        err = ant_select(cases, 2) == 0 ? 0 : -EAGAIN;
    else
        err = ant_chan_try_recv(c, got);
    CHECK(memcmp(got, err ? "" : element, err ? 1 : size) == 0);
    return err;
}

/* ---- the partner ---- */

static ant_waitgroup wg;

static void send_one(void *arg)
{
    ant_chan_send(c, element);
    ant_waitgroup_done(&wg);
}

static void recv_one(void *arg)
{
    char got[MOST];

    CHECK(ant_chan_recv(c, got));
    CHECK(memcmp(got, element, size) == 0);
    ant_waitgroup_done(&wg);
}

static void *send_in_thread(void *arg)
{
    send_one(arg);
    return NULL;
}

static void *recv_in_thread(void *arg)
{
    recv_one(arg);
    return NULL;
}

static void check_partner(int try_it(void), void partner(void *), void *in_thread(void *))
{
    pthread_t thread;

    CHECK_INT(try_it(), -EAGAIN);
    ant_waitgroup_add(&wg, 1);
    if (in_thread)
        CHECK_INT(pthread_create(&thread, NULL, in_thread, NULL), 0);
    else
        CHECK_INT(ant_go(partner, NULL), 0);
    while (try_it() != 0)
        ant_yield();
    ant_waitgroup_wait(&wg);
    if (in_thread)
        CHECK_INT(pthread_join(thread, NULL), 0);
    CHECK_INT(try_it(), -EAGAIN);
}

/* ---- */

static void check_unbuffered(void)
{
    CHECK_INT(ant_chan_new(&c, size, 0), 0);
    check_partner(try_recv, send_one, NULL);
    check_partner(try_send, recv_one, NULL);
    check_partner(try_recv, send_one, send_in_thread);
    check_partner(try_send, recv_one, recv_in_thread);
    CHECK_INT(ant_chan_destroy(c), 0);
}

static void check_buffered(void)
{
    CHECK_INT(ant_chan_new(&c, size, 1), 0);
    for (int i = 0; i < 3; i++) {
        CHECK_INT(try_recv(), -EAGAIN);
        CHECK_INT(try_send(), 0);
        CHECK_INT(try_send(), -EAGAIN);
        CHECK_INT(try_recv(), 0);
    }
    check_partner(try_recv, send_one, NULL);
    CHECK_INT(try_send(), 0);
    check_partner(try_send, recv_one, NULL); /* leaves one in the buffer */
    CHECK_INT(try_recv(), 0);
    CHECK_INT(ant_chan_destroy(c), 0);
}

static int run(void *arg)
{
    static const size_t sizes[] = {1, 4, 8, 16};
    int rounds = test_scale(40);

    for (int i = 0; i < rounds; i++) {
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
            size = sizes[k];
            by_select = i % 2;
            check_unbuffered();
            check_buffered();
        }
    }
    return 0;
}

TEST(chan_nonblock)
{
    return ant_run(run, NULL, NULL);
}
