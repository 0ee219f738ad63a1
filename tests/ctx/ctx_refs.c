/* ctx_refs - contexts may be given back in any order, before or after a cancel: each lives as long
 * as it has a reference or a child. All orders of a small tree. */
#include <anthill.h>

#include "check.h"

enum { N = 5 };

static const char key;
static int orders;

/* 0 has the children 1 and 2, 1 has 3, which carries a value, and that has 4. */
static void make_tree(ant_ctx **c)
{
    CHECK_INT(ant_ctx_with_cancel(&c[0], NULL), 0);
    CHECK_INT(ant_ctx_with_cancel(&c[1], c[0]), 0);
    CHECK_INT(ant_ctx_with_timeout(&c[2], c[0], ANT_HOUR), 0);
    CHECK_INT(ant_ctx_with_value(&c[3], c[1], &key, (void *)&key), 0);
    CHECK_INT(ant_ctx_with_cancel(&c[4], c[3]), 0);
}

/* canceled: which, after how many were given back; those that are left are looked at. */
static void give_back(const int *order, int canceled, int after)
{
    ant_ctx *c[N];
    bool is_left[N];

    make_tree(c);
    for (int i = 0; i < N; i++)
        is_left[i] = true;
    for (int i = 0; i < N; i++) {
        if (i == after && is_left[canceled])
            ant_ctx_cancel(c[canceled]);
        for (int k = 0; k < N; k++) {
            if (is_left[k])
                CHECK(ant_ctx_err(c[k]) == 0 || i >= after);
        }
        if (is_left[4])
            CHECK(ant_ctx_value(c[4], &key) == &key);
        if (i >= after && is_left[canceled] && canceled == 0 && is_left[4])
            CHECK_INT(ant_ctx_err(c[4]), ANT_ECANCELED);
        ant_ctx_unref(c[order[i]]);
        is_left[order[i]] = false;
    }
}

static void play(const int *order)
{
    for (int canceled = 0; canceled < N; canceled++) {
        for (int after = 0; after <= N; after++)
            give_back(order, canceled, after);
    }
    orders++;
}

static void permute(int *order, int done)
{
    if (done == N)
        play(order);
    for (int i = done; i < N; i++) {
        int first = order[done];

        order[done] = order[i];
        order[i] = first;
        permute(order, done + 1);
        order[i] = order[done];
        order[done] = first;
    }
}

static void several_references(void)
{
    ant_ctx *ctx;

    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    for (int i = 0; i < 1000; i++)
        CHECK(ant_ctx_ref(ctx) == ctx);
    for (int i = 0; i < 1000; i++) {
        ant_ctx_unref(ctx);
        CHECK_INT(ant_ctx_err(ctx), i > 500 ? ANT_ECANCELED : 0);
        if (i == 500)
            ant_ctx_cancel(ctx);
    }
    ant_ctx_unref(ctx);
}

static int run(void *arg)
{
    int order[N] = {0, 1, 2, 3, 4};

    permute(order, 0);
    CHECK_INT(orders, 120);
    several_references();
    return 0;
}

TEST(ctx_refs)
{
    return ant_run(run, NULL, NULL);
}
