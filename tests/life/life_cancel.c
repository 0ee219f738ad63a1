/* Threads of the program that are to be cancelled call into the runtime, which sleeps, and is woken by
 * them: that is no place at which they end. Others are served as ever, dumps are written, and the runtime
 * stops.
 *
 * Catches: a cancellation point while something of ours is held, as in the write that wakes the poller. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { THREADS = 20, DUMPS = 10 };

static atomic_int ran;

static void count(void *arg)
{
    atomic_fetch_add(&ran, 1);
}

static void *go_on_and_end(void *arg)
{
    pthread_cancel(pthread_self());
    CHECK_INT(ant_go(count, NULL), 0);
    pthread_testcancel();
    FAIL("it was not cancelled");
    return NULL;
}

static void *dump_for_ever(void *arg)
{
    for (;;) {
        CHECK_INT(ant_dump(*(int *)arg), 0);
        pthread_testcancel();
    }
    return NULL;
}

static void accept_one(void *arg)
{
    ant_io connection;

    ant_accept(*(ant_io *)arg, &connection);
}

static void await_ran(int n)
{
    double deadline = test_now() + 40;

    while (atomic_load(&ran) < n) {
        if (test_now() > deadline)
            FAIL("%d of %d ran", atomic_load(&ran), n);
        usleep(1000);
    }
}

static void join_cancelled(pthread_t thread)
{
    void *result;

    CHECK_INT(pthread_join(thread, &result), 0);
    CHECK(result == PTHREAD_CANCELED);
}

TEST(life_cancel)
{
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    pthread_t thread;
    ant_io listener;

    CHECK_INT(ant_start(NULL), 0);
    CHECK_INT(ant_listen(&listener, "tcp", "127.0.0.1:0", NULL), 0);
    CHECK_INT(ant_go(accept_one, &listener), 0);
    for (int i = 1; i <= THREADS; i++) {
        usleep(20000); /* until all sleep, one in the poller */
        CHECK_INT(pthread_create(&thread, NULL, go_on_and_end, NULL), 0);
        join_cancelled(thread);
        await_ran(i);
    }
    for (int i = 0; i < DUMPS; i++) {
        CHECK_INT(pthread_create(&thread, NULL, dump_for_ever, &null), 0);
        usleep(3000);
        CHECK_INT(pthread_cancel(thread), 0);
        join_cancelled(thread);
        CHECK_INT(ant_dump(null), 0);
    }
    CHECK_INT(ant_close(listener), 0);
    CHECK_INT(ant_stop(), 0);
    close(null);
    return 0;
}
