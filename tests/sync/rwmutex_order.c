/* rwmutex_order - first come, first served: a reader keeps a writer waiting and a writer keeps
 * readers waiting; a reader that comes after a waiting writer waits behind it, and readers that
 * stand together in the queue get in together. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_rwmutex rw;
static ant_waitgroup wg;
static ant_chan *may_leave;
static atomic_int begun, in, out;

/* What waits goes on waiting: it has been given every chance. */
static void let_others_run(void)
{
    for (int i = 0; i < 20; i++)
        ant_yield();
}

static void await(atomic_int *counter, int n)
{
    while (atomic_load(counter) < n)
        ant_yield();
    let_others_run();
    CHECK_INT(atomic_load(counter), n);
}

static void reader(void *arg)
{
    atomic_fetch_add(&begun, 1);
    ant_rwmutex_rlock(&rw);
    atomic_fetch_add(&in, 1);
    ant_chan_recv(may_leave, NULL);
    ant_rwmutex_runlock(&rw);
    atomic_fetch_add(&out, 1);
    ant_waitgroup_done(&wg);
}

static void writer(void *arg)
{
    atomic_fetch_add(&begun, 1);
    ant_rwmutex_lock(&rw);
    atomic_fetch_add(&in, 1);
    ant_chan_recv(may_leave, NULL);
    ant_rwmutex_unlock(&rw);
    atomic_fetch_add(&out, 1);
    ant_waitgroup_done(&wg);
}

static void start(void (*fn)(void *), int n)
{
    int before = atomic_load(&begun);

    ant_waitgroup_add(&wg, n);
    for (int i = 0; i < n; i++)
        CHECK_INT(ant_go(fn, NULL), 0);
    await(&begun, before + n);
}

static void await_waiter(void)
{
    while (ant_rwmutex_try_rlock(&rw)) {
        ant_rwmutex_runlock(&rw);
        ant_yield();
    }
}

static void let_leave(int n)
{
    for (int i = 0; i < n; i++)
        ant_chan_send(may_leave, NULL);
}

/* In the order in which they come: 2 readers, a writer, 3 readers, a writer. */
static void play(void)
{
    atomic_store(&begun, 0);
    atomic_store(&in, 0);
    atomic_store(&out, 0);
    start(reader, 2);
    await(&in, 2);
    start(writer, 1);
    await_waiter(); /* a reader would wait behind the writer */
    CHECK(!ant_rwmutex_try_lock(&rw));
    start(reader, 3);
    CHECK_INT(atomic_load(&in), 2);
    let_leave(1);
    await(&out, 1);
    CHECK_INT(atomic_load(&in), 2); /* one reader is left */
    let_leave(1);
    await(&in, 3); /* the writer, alone */
    CHECK(!ant_rwmutex_try_rlock(&rw));
    let_leave(1);
    await(&in, 6); /* all readers */
    start(writer, 1);
    await_waiter();
    let_leave(2);
    await(&out, 5);
    CHECK_INT(atomic_load(&in), 6);
    let_leave(1);
    await(&in, 7);
    let_leave(1);
    ant_waitgroup_wait(&wg);
    CHECK(ant_rwmutex_try_lock(&rw));
    ant_rwmutex_unlock(&rw);
}

static int run(void *arg)
{
    CHECK_INT(ant_chan_new(&may_leave, 0, 0), 0);
    for (int i = 0; i < test_scale(200); i++)
        play();
    CHECK_INT(ant_chan_destroy(may_leave), 0);
    return 0;
}

TEST(rwmutex_order)
{
    return ant_run(run, NULL, NULL);
}
