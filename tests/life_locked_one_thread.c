/* life_locked_one_thread - the only thread that there may be is tied to a goroutine, which a plain thread
 * wakes again and again, often just when that thread is about to wait for it.
 *
 * Catches: a thread that gives its P away, as its goroutine sleeps, and does not see that it is the one
 * that could run it by now: no thread would be left. (Then it is fatal.) */
#include <pthread.h>

#include <anthill.h>

#include "check.h"

static ant_chan *there, *back;

static void answer(void *arg)
{
    int n;

    CHECK_INT(ant_lock_thread(), 0);
    while (ant_chan_recv(there, &n))
        ant_chan_send(back, &n);
    CHECK_INT(ant_unlock_thread(), 0);
    ant_waitgroup_done(arg);
}

int main(void)
{
    const ant_config config = {.procs = 2, .max_threads = 1};
    ant_waitgroup wg = {0};

    CHECK_INT(ant_start(&config), 0);
    CHECK_INT(ant_chan_new(&there, sizeof(int), 0), 0);
    CHECK_INT(ant_chan_new(&back, sizeof(int), 0), 0);
    ant_waitgroup_add(&wg, 1);
    CHECK_INT(ant_go(answer, &wg), 0);
    for (int i = 0; i < test_scale(50000); i++) {
        int n = -1;

        ant_chan_send(there, &i);
        CHECK(ant_chan_recv(back, &n));
        CHECK_INT(n, i);
        for (volatile int j = 0; j < i % 1000; j++)
            continue;
    }
    ant_chan_close(there);
    ant_waitgroup_wait(&wg);
    CHECK_INT(ant_stop(), 0);
    CHECK_INT(ant_chan_destroy(there), 0);
    CHECK_INT(ant_chan_destroy(back), 0);
    return 0;
}
