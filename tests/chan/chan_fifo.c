/* chan_fifo - elements come out in the order they went in: through a buffer; and without one,
 * where each receiver waits for its turn by a channel from the one before it. As Go's fifo. */
#include <anthill.h>

#include "check.h"

static ant_chan *values;

struct reader {
    ant_chan *turn, *next;
    int expected;
};

static void reader(void *arg)
{
    struct reader r = *(struct reader *)arg;
    int v;

    CHECK(ant_chan_recv(r.turn, NULL));
    CHECK(ant_chan_recv(values, &v));
    CHECK_INT(v, r.expected);
    ant_chan_send(r.next, NULL);
}

static void check_buffered(int n)
{
    int v;

    CHECK_INT(ant_chan_new(&values, sizeof v, (size_t)n), 0);
    for (int i = 0; i < n; i++)
        ant_chan_send(values, &i);
    for (int i = 0; i < n; i++) {
        CHECK(ant_chan_recv(values, &v));
        CHECK_INT(v, i);
    }
    CHECK_INT(ant_chan_destroy(values), 0);
}

static void check_daisy_chain(int n)
{
    ant_chan **turns = malloc(((size_t)n + 1) * sizeof *turns);

    CHECK(turns);
    CHECK_INT(ant_chan_new(&values, sizeof(int), 0), 0);
    for (int i = 0; i <= n; i++)
        CHECK_INT(ant_chan_new(&turns[i], 0, 0), 0);
    for (int i = 0; i < n; i++) {
        struct reader r = {turns[i], turns[i + 1], i};

        CHECK_INT(ant_go_copy(reader, &r, sizeof r), 0);
    }
    ant_chan_send(turns[0], NULL);
    for (int i = 0; i < n; i++)
        ant_chan_send(values, &i);
    CHECK(ant_chan_recv(turns[n], NULL));
    while (ant_count() > 1) /* they may be in their sends yet */
        ant_yield();
    for (int i = 0; i <= n; i++)
        CHECK_INT(ant_chan_destroy(turns[i]), 0);
    CHECK_INT(ant_chan_destroy(values), 0);
    free(turns);
}

static int run(void *arg)
{
    check_buffered(10);
    check_buffered(test_scale(100000));
    check_daisy_chain(10);
    check_daisy_chain(test_scale(10000));
    return 0;
}

TEST(chan_fifo)
{
    return ant_run(run, NULL, NULL);
}
