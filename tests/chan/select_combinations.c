/* select_combinations - one possible case among others that are not, at every place, of every
 * kind, with and without a default: it is the one that is done, and only its element and its
 * `received` are written. If none is possible the default is, and nothing is written. As Go's
 * select4 and select5. */
#include <errno.h>

#include <anthill.h>

#include "check.h"

enum { MOST = 18, UNTOUCHED = -1 };

enum what { RECV_BUFFERED, RECV_CLOSED, SEND_BUFFERED, NOTHING, WHATS };

static ant_chan *empty, *full; /* never possible to receive from, to send on */

static ant_case hopeless(int i, int *elem)
{
    switch (i % 4) {
    case 0:
        return (ant_case)ANT_RECV(empty, elem);
    case 1:
        return (ant_case)ANT_SEND(full, elem);
    case 2:
        return (ant_case)ANT_RECV(NULL, elem);
    default:
        return (ant_case)ANT_SEND(NULL, elem);
    }
}

static ant_chan *chan_for(enum what what)
{
    ant_chan *c;

    CHECK_INT(ant_chan_new(&c, sizeof(int), 1), 0);
    if (what == RECV_BUFFERED)
        ant_chan_send(c, &(int){5});
    if (what == RECV_CLOSED)
        ant_chan_close(c);
    return c;
}

static void check_done(enum what what, ant_chan *c, const ant_case *chosen, int elem)
{
    int v;

    switch (what) {
    case RECV_BUFFERED:
        CHECK(chosen->received);
        CHECK_INT(elem, 5);
        break;
    case RECV_CLOSED:
        CHECK(!chosen->received);
        CHECK_INT(elem, 0);
        break;
    default:
        CHECK_INT(elem, UNTOUCHED);
        CHECK_INT(ant_chan_try_recv(c, &v), 0);
        CHECK_INT(v, UNTOUCHED);
    }
}

/* n cases, of which the one at `at` is possible and the one at default_at, if >= 0, a default. */
static void check(enum what what, int n, int at, int default_at)
{
    int elems[MOST], expected = what == NOTHING ? default_at : at;
    ant_chan *c = chan_for(what);
    ant_case cases[MOST];

    for (int i = 0; i < n; i++) {
        cases[i] = hopeless(i + n, &elems[i]);
        elems[i] = UNTOUCHED;
    }
    if (what == SEND_BUFFERED)
        cases[at] = (ant_case)ANT_SEND(c, &elems[at]);
    else if (what != NOTHING)
        cases[at] = (ant_case)ANT_RECV(c, &elems[at]);
    if (default_at >= 0)
        cases[default_at] = (ant_case)ANT_DEFAULT;
    CHECK_INT(ant_select(cases, n), expected);
    for (int i = 0; i < n; i++) {
        if (i == expected && what != NOTHING)
            check_done(what, c, &cases[i], elems[i]);
        else
            CHECK(!cases[i].received && elems[i] == UNTOUCHED);
    }
    CHECK_INT(ant_chan_try_recv(c, NULL), what == RECV_CLOSED ? ANT_ECLOSED : -EAGAIN);
    CHECK_INT(ant_chan_destroy(c), 0);
}

static int run(void *arg)
{
    CHECK_INT(ant_chan_new(&empty, sizeof(int), 1), 0);
    CHECK_INT(ant_chan_new(&full, sizeof(int), 1), 0);
    ant_chan_send(full, &(int){9});
    for (int n = 1; n <= MOST; n++) {
        for (int at = 0; at < n; at++) {
            for (int default_at = -1; default_at < n; default_at++) {
                for (enum what what = 0; what < WHATS; what++) {
                    if (default_at != at && (what != NOTHING || default_at >= 0))
                        check(what, n, at, default_at);
                }
            }
        }
    }
    CHECK_INT(ant_chan_len(full), 1);
    CHECK_INT(ant_chan_destroy(empty), 0);
    CHECK_INT(ant_chan_destroy(full), 0);
    return 0;
}

TEST(select_combinations)
{
    return ant_run(run, NULL, NULL);
}
