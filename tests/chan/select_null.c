/* select_null - a case whose channel is NULL is never chosen, which is how cases are turned off:
 * two channels that are turned off and on by turns are used by turns, an exact number of times,
 * and the order of the cases and the number of NULLs around them make no difference. As Go's
 * select. */
#include <anthill.h>

#include "check.h"

enum { EACH = 10, MOST = 20 };

static ant_chan *a, *b;
static ant_waitgroup wg;

/* Sends EACH numbers on either channel. n cases, of which all but two are NULL always. */
static void sender(void *arg)
{
    int n = (int)(intptr_t)arg, at_a = (n - 1) / 2, at_b = n - 1, v = 0;
    ant_case cases[MOST];

    for (int i = 0; i < n; i++)
        cases[i] = i % 2 ? (ant_case)ANT_RECV(NULL, &v) : (ant_case)ANT_SEND(NULL, &v);
    cases[at_a] = (ant_case)ANT_SEND(a, &v);
    cases[at_b] = (ant_case)ANT_SEND(NULL, &v);
    while (v < 2 * EACH) {
        CHECK_INT(ant_select(cases, n), v % 2 ? at_b : at_a);
        v++;
        cases[at_a].chan = v % 2 ? NULL : a;
        cases[at_b].chan = v % 2 ? b : NULL;
    }
    ant_waitgroup_done(&wg);
}

/* Takes from both, in whatever order it can. */
static void check(int n)
{
    int v[2] = {-1, -1}, counts[2] = {0};
    ant_case cases[] = {ANT_RECV(a, &v[0]), ANT_RECV(b, &v[1]), ANT_RECV(NULL, NULL)};

    ant_waitgroup_add(&wg, 1);
    CHECK_INT(ant_go(sender, (void *)(intptr_t)n), 0);
    for (int i = 0; i < 2 * EACH; i++) {
        int at = ant_select(cases, 3);

        CHECK_INT(at, i % 2);
        CHECK_INT(v[at], i);
        counts[at]++;
    }
    ant_waitgroup_wait(&wg);
    CHECK_INT(counts[0], EACH);
    CHECK_INT(counts[1], EACH);
}

static int run(void *arg)
{
    CHECK_INT(ant_chan_new(&a, sizeof(int), 0), 0);
    CHECK_INT(ant_chan_new(&b, sizeof(int), 0), 0);
    for (int i = test_scale(20); i > 0; i--) {
        for (int n = 2; n <= MOST; n++)
            check(n);
    }
    CHECK_INT(ant_chan_destroy(a), 0);
    CHECK_INT(ant_chan_destroy(b), 0);
    return 0;
}

TEST(select_null)
{
    return ant_run(run, NULL, NULL);
}
