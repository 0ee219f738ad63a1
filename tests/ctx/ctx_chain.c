/* ctx_chain - a line of ten thousand contexts, each made from the one before: canceling the first
 * makes all of them done, the middle one half of them; it needs no deep stack, neither does freeing
 * them. On the smallest stack that has a guard. */
#include <anthill.h>

#include "check.h"

enum { N = 10000 };

static const char key;
static ant_ctx *chain[N];
static ant_waitgroup wg;

/* Every third one only carries a value. */
static void make_chain(void)
{
    for (int i = 0; i < N; i++) {
        ant_ctx *parent = i ? chain[i - 1] : NULL;

        if (i % 3 == 1)
            CHECK_INT(ant_ctx_with_value(&chain[i], parent, &key, NULL), 0);
        else
            CHECK_INT(ant_ctx_with_cancel(&chain[i], parent), 0);
    }
}

static void check_done_from(int first)
{
    for (int i = 0; i < N; i++)
        CHECK_INT(ant_ctx_err(chain[i]), i >= first ? ANT_ECANCELED : 0);
}

static void cancel_at(int at, bool from_top)
{
    make_chain();
    check_done_from(N);
    ant_ctx_cancel(chain[at]);
    check_done_from(at);
    ant_ctx_cancel(chain[0]);
    check_done_from(0);
    for (int i = 0; i < N; i++)
        ant_ctx_unref(chain[from_top ? i : N - 1 - i]);
}

/* Freed by the last reference to the last one, while nothing is canceled. */
static void drop_last(void)
{
    make_chain();
    for (int i = 0; i < N; i++)
        ant_ctx_unref(chain[i]);
}

static void all(void *arg)
{
    for (int i = 0; i < test_scale(20); i++) {
        cancel_at(0, i % 2);
        cancel_at(5001, i % 2);
        cancel_at(N - 1, i % 2);
        drop_last();
    }
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    ant_waitgroup_add(&wg, 1);
    CHECK_INT(ant_go_opts(&(ant_go_options){.stack_size = 16384}, all, NULL), 0);
    ant_waitgroup_wait(&wg);
    return 0;
}

TEST(ctx_chain)
{
    return ant_run(run, NULL, NULL);
}
