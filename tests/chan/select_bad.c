/* select_bad - what ant_select and ant_select_ctx refuse, whatever is possible and whether the
 * context is done or not: no array, a negative count, kinds that are none, two defaults. Nothing
 * is sent, received or written then. It is the same outside of the runtime. */
#include <errno.h>

#include <anthill.h>

#include "check.h"

static ant_chan *c;
static ant_ctx *done;

static void check_refused(ant_case *cases, int n)
{
    for (int i = 0; i < 10; i++) {
        CHECK_INT(ant_select(cases, n), -EINVAL);
        CHECK_INT(ant_select_ctx(cases, n, NULL), -EINVAL);
        CHECK_INT(ant_select_ctx(cases, n, done), -EINVAL);
    }
    for (int i = 0; cases && i < n; i++)
        CHECK(!cases[i].received);
    CHECK_INT(ant_chan_len(c), 1);
}

static int check_all(void *arg)
{
    int v = 7;
    ant_case good[] = {ANT_RECV(c, &v), ANT_SEND(c, &v), ANT_DEFAULT};
    ant_case zero_kind[] = {ANT_RECV(c, &v), {.chan = c, .elem = &v}};
    ant_case bad_kind[] = {ANT_SEND(c, &v), {c, &v, (enum ant_case_kind)4, false}};
    ant_case negative_kind[] = {{c, &v, (enum ant_case_kind) - 1, false}, ANT_DEFAULT};
    ant_case defaults[] = {ANT_DEFAULT, ANT_RECV(c, &v), ANT_DEFAULT};
    ant_case many[20];

    for (int i = 0; i < 20; i++)
        many[i] = (ant_case)ANT_RECV(c, &v);
    many[3] = many[19] = (ant_case)ANT_DEFAULT;
    check_refused(NULL, 1);
    check_refused(NULL, -1);
    check_refused(good, -1);
    check_refused(zero_kind, 2);
    check_refused(bad_kind, 2);
    check_refused(negative_kind, 2);
    check_refused(defaults, 3);
    check_refused(many, 20);
    CHECK_INT(v, 7);
    CHECK_INT(ant_select_ctx(good, 3, done), ANT_ECANCELED);
    return 0;
}

TEST(select_bad)
{
    CHECK_INT(ant_chan_new(&c, sizeof(int), 2), 0);
    ant_chan_send(c, &(int){1});
    CHECK_INT(ant_ctx_with_cancel(&done, NULL), 0);
    ant_ctx_cancel(done);
    check_all(NULL);
    CHECK_INT(ant_run(check_all, NULL, NULL), 0);
    CHECK_INT(ant_chan_destroy(c), 0);
    ant_ctx_unref(done);
    return 0;
}
