/* life_locked_one_thread - the only thread that there may be is tied to a goroutine, which plain threads
 * wake again and again: often just when that thread is about to wait for it, and sometimes so slowly that
 * it waits anew when they are done.
 *
 * Catches: a thread that gives its P away, as its goroutine sleeps, and does not see that it is the one
 * that could run it by now; a wake-up that comes late, finds the thread asleep and takes that for the end.
 * (Both were fatal, as no thread would be left.) */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { THREADS = 4 };

static ant_chan *there, *back;
static _Atomic int64_t sent, received;

static void answer(void *arg)
{
    int n;

    CHECK_INT(ant_lock_thread(), 0);
    while (ant_chan_recv(there, &n))
        ant_chan_send(back, &n);
    CHECK_INT(ant_unlock_thread(), 0);
    ant_waitgroup_done(arg);
}

static void *ask(void *arg)
{
    for (int i = 0; i < test_scale(4000); i++) {
        int n = -1;

        ant_chan_send(there, &i);
        atomic_fetch_add(&sent, i);
        CHECK(ant_chan_recv(back, &n)); /* the answer to any of us */
        atomic_fetch_add(&received, n);
        for (volatile int j = 0; j < i % 1000; j++)
            continue;
    }
    return NULL;
}

static void run(int threads)
{
    const ant_config config = {.procs = 2, .max_threads = 1};
    ant_waitgroup wg = {0};
    pthread_t thread[THREADS];

    CHECK_INT(ant_start(&config), 0);
    CHECK_INT(ant_chan_new(&there, sizeof(int), 0), 0);
    CHECK_INT(ant_chan_new(&back, sizeof(int), 0), 0);
    ant_waitgroup_add(&wg, 1);
    CHECK_INT(ant_go(answer, &wg), 0);
    for (int i = 0; i < threads; i++)
        CHECK_INT(pthread_create(&thread[i], NULL, ask, NULL), 0);
    for (int i = 0; i < threads; i++)
        CHECK_INT(pthread_join(thread[i], NULL), 0);
    ant_chan_close(there);
    ant_waitgroup_wait(&wg);
    CHECK_INT(atomic_load(&sent), atomic_load(&received));
    CHECK_INT(ant_stop(), 0);
    CHECK_INT(ant_chan_destroy(there), 0);
    CHECK_INT(ant_chan_destroy(back), 0);
}

TEST(life_locked_one_thread)
{
    run(1);
    run(THREADS);
    return 0;
}
