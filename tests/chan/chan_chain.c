/* chan_chain - a value goes through a chain of ten thousand goroutines, and a daisy chain keeps the
 * order. */
#include <anthill.h>

#include "check.h"

struct link {
    ant_chan *from, *to;
};

static void pass_on(void *arg)
{
    struct link link = *(struct link *)arg;
    int v;

    while (ant_chan_recv(link.from, &v)) {
        v++;
        ant_chan_send(link.to, &v);
    }
    ant_chan_close(link.to);
}

static int run(void *arg)
{
    int n = test_scale(10000), v;
    ant_chan **chans = malloc(((size_t)n + 1) * sizeof *chans);

    for (int i = 0; i <= n; i++)
        CHECK_INT(ant_chan_new(&chans[i], sizeof v, 0), 0);
    for (int i = 0; i < n; i++) {
        struct link link = {chans[i], chans[i + 1]};

        CHECK_INT(ant_go_copy(pass_on, &link, sizeof link), 0);
    }
    for (int i = 0; i < 3; i++)
        ant_chan_send(chans[0], &i);
    ant_chan_close(chans[0]);
    for (int i = 0; i < 3; i++) {
        CHECK(ant_chan_recv(chans[n], &v));
        CHECK_INT(v, i + n);
    }
    CHECK(!ant_chan_recv(chans[n], &v));
    for (int i = 0; i <= n; i++)
        CHECK_INT(ant_chan_destroy(chans[i]), 0);
    free(chans);
    return 0;
}

TEST(chan_chain)
{
    return ant_run(run, NULL, NULL);
}
