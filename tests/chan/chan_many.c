/* chan_many - many producers and consumers on one channel, goroutines and plain threads mixed,
 * waiting and trying: each value arrives exactly once, and those of one producer at one consumer in
 * order. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <anthill.h>

#include "check.h"

enum { PRODUCERS = 8, CONSUMERS = 8, THREADS = 2 };

static int each;
static ant_chan *c;
static ant_waitgroup producing, consuming;
static _Atomic unsigned char *seen;

static void produce(void *arg)
{
    int self = (int)(intptr_t)arg;

    for (int i = 0; i < each; i++) {
        int v = self * each + i;

        if (i % 5 || ant_chan_try_send(c, &v) != 0)
            ant_chan_send(c, &v);
    }
    ant_waitgroup_done(&producing);
}

static void consume(void *arg)
{
    int last[PRODUCERS], v;
    bool trying = arg != NULL;

    for (int i = 0; i < PRODUCERS; i++)
        last[i] = -1;
    for (;;) {
        if (trying) {
            int err = ant_chan_try_recv(c, &v);

            if (err == ANT_ECLOSED)
                break;
            if (err == -EAGAIN) {
                ant_yield();
                continue;
            }
        } else if (!ant_chan_recv(c, &v)) {
            break;
        }
        CHECK(v > last[v / each]);
        last[v / each] = v;
        CHECK_INT(atomic_fetch_add(&seen[v], 1), 0);
    }
    ant_waitgroup_done(&consuming);
}

static void *produce_in_thread(void *arg)
{
    produce(arg);
    return NULL;
}

static void *consume_in_thread(void *arg)
{
    consume(arg);
    return NULL;
}

static void round_with(size_t capacity)
{
    pthread_t threads[2 * THREADS];

    CHECK_INT(ant_chan_new(&c, sizeof(int), capacity), 0);
    seen = calloc((size_t)PRODUCERS * (size_t)each, 1);
    ant_waitgroup_add(&producing, PRODUCERS);
    ant_waitgroup_add(&consuming, CONSUMERS);
    for (int i = 0; i < THREADS; i++) {
        CHECK_INT(pthread_create(&threads[2 * i], NULL, produce_in_thread, (void *)(intptr_t)i), 0);
        CHECK_INT(pthread_create(&threads[2 * i + 1], NULL, consume_in_thread, NULL), 0);
    }
    for (int i = THREADS; i < PRODUCERS; i++)
        CHECK_INT(ant_go(produce, (void *)(intptr_t)i), 0);
    for (int i = THREADS; i < CONSUMERS; i++)
        CHECK_INT(ant_go(consume, i == THREADS ? &c : NULL), 0);
    ant_waitgroup_wait(&producing);
    ant_chan_close(c);
    ant_waitgroup_wait(&consuming);
    for (int i = 0; i < 2 * THREADS; i++)
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < PRODUCERS * each; i++)
        CHECK_INT(seen[i], 1);
    free((void *)seen);
    CHECK_INT(ant_chan_destroy(c), 0);
}

static int run(void *arg)
{
    each = test_scale(4000);
    round_with(0);
    round_with(1);
    round_with(10);
    round_with(1000);
    return 0;
}

TEST(chan_many)
{
    return ant_run(run, NULL, NULL);
}
