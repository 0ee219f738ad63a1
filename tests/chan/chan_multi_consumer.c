/* chan_multi_consumer - 23 workers move items from one buffered channel to another, some of them
 * yielding now and then; all items arrive, as count and sum tell, and closing ends them all. As
 * Go's MultiConsumer. */
#include <anthill.h>

#include "check.h"

enum { WORKERS = 23 };

static const int primes[] = {2, 3, 7, 11, 13, 17, 19, 23, 29, 31};
enum { PRIMES = sizeof primes / sizeof primes[0] };

static ant_chan *jobs, *results;
static ant_waitgroup working;
static int items;

static void worker(void *arg)
{
    int slow_with = primes[(intptr_t)arg % PRIMES], v;

    while (ant_chan_recv(jobs, &v)) {
        if (v == slow_with)
            ant_yield();
        ant_chan_send(results, &v);
    }
    ant_waitgroup_done(&working);
}

static void feeder(void *arg)
{
    long long *ret_sum = arg;

    for (int i = 0; i < items; i++) {
        int v = primes[i % PRIMES];

        *ret_sum += v;
        ant_chan_send(jobs, &v);
    }
    ant_chan_close(jobs);
    ant_waitgroup_wait(&working);
    ant_chan_close(results);
}

static int run(void *arg)
{
    long long expected = 0, sum = 0;
    int count = 0, v;

    items = test_scale(271828);
    CHECK_INT(ant_chan_new(&jobs, sizeof v, (size_t)WORKERS * 3), 0);
    CHECK_INT(ant_chan_new(&results, sizeof v, (size_t)WORKERS * 3), 0);
    ant_waitgroup_add(&working, WORKERS);
    for (intptr_t i = 0; i < WORKERS; i++)
        CHECK_INT(ant_go(worker, (void *)i), 0);
    CHECK_INT(ant_go(feeder, &expected), 0);
    while (ant_chan_recv(results, &v)) {
        count++;
        sum += v;
    }
    CHECK_INT(count, items);
    CHECK_INT(sum, expected);
    while (ant_count() > 1) /* the feeder may be in its close yet */
        ant_yield();
    CHECK_INT(ant_chan_destroy(jobs), 0);
    CHECK_INT(ant_chan_destroy(results), 0);
    return 0;
}

TEST(chan_multi_consumer)
{
    return ant_run(run, NULL, NULL);
}
