/* api_set_procs_busy - fewer Ps take effect while all are busy with goroutines that only yield. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { YIELDERS = 16 };

static ant_waitgroup wg;
static atomic_bool stop;
static atomic_int inside, most;

static void yielder(void *arg)
{
    while (!atomic_load(&stop)) {
        int n = atomic_fetch_add(&inside, 1) + 1, m = atomic_load(&most);

        while (n > m && !atomic_compare_exchange_weak(&most, &m, n))
            ;
        for (volatile int i = 0; i < 50; i++)
            ;
        atomic_fetch_sub(&inside, 1);
        ant_yield();
    }
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    ant_waitgroup_add(&wg, YIELDERS);
    for (int i = 0; i < YIELDERS; i++)
        CHECK_INT(ant_go(yielder, NULL), 0);
    for (int round = 0; round < test_scale(50); round++) {
        CHECK(ant_set_procs(4) > 0);
        for (int i = 0; i < 200; i++)
            ant_yield();
        CHECK(ant_set_procs(1) > 0);
        /* From some moment on there is one at a time: until then, this goes on. */
        do {
            atomic_store(&most, 0);
            for (int i = 0; i < 200; i++)
                ant_yield();
        } while (atomic_load(&most) > 1);
    }
    atomic_store(&stop, true);
    ant_waitgroup_wait(&wg);
    return 0;
}

TEST(api_set_procs_busy)
{
    return ant_run(run, NULL, NULL);
}
