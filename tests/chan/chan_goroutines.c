/* chan_goroutines - a number goes through a chain of ten thousand goroutines, each of which adds
 * one and ends, as Go's goroutines; both ends of the chain are in a plain thread, and each link
 * waits in a select with a channel that all of them share. (chan_chain waits without select.) */
#include <anthill.h>

#include "check.h"

struct link {
    ant_chan *from, *to;
};

static ant_chan *never;
static ant_waitgroup wg;

static void pass_on(void *arg)
{
    struct link link = *(struct link *)arg;
    int v;
    ant_case in[] = {ANT_RECV(never, NULL), ANT_RECV(link.from, &v)};
    ant_case out[] = {ANT_SEND(link.to, &v), ANT_RECV(never, NULL)};

    CHECK_INT(ant_select(in, 2), 1);
    v++;
    CHECK_INT(ant_select(out, 2), 0);
    ant_waitgroup_done(&wg);
}

TEST(chan_goroutines)
{
    int n = test_scale(10000), v = 1;
    ant_chan **chans = malloc(((size_t)n + 1) * sizeof *chans);

    CHECK(chans);
    CHECK_INT(ant_start(NULL), 0);
    CHECK_INT(ant_chan_new(&never, 0, 0), 0);
    for (int i = 0; i <= n; i++)
        CHECK_INT(ant_chan_new(&chans[i], sizeof v, 0), 0);
    ant_waitgroup_add(&wg, n);
    for (int i = 0; i < n; i++) {
        struct link link = {chans[i], chans[i + 1]};

        CHECK_INT(ant_go_copy(pass_on, &link, sizeof link), 0);
    }
    ant_chan_send(chans[0], &v);
    CHECK(ant_chan_recv(chans[n], &v));
    CHECK_INT(v, n + 1);
    ant_waitgroup_wait(&wg);
    for (int i = 0; i <= n; i++)
        CHECK_INT(ant_chan_destroy(chans[i]), 0);
    CHECK_INT(ant_chan_destroy(never), 0);
    free(chans);
    CHECK_INT(ant_stop(), 0);
    return 0;
}
