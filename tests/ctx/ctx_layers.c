/* ctx_layers - Go's TestLayersCancel and TestLayersTimeout: contexts of all kinds on top of one
 * another, in random order: all values are found from the top, the deadline is the earliest one,
 * and what makes one layer done makes done those above it, with the same error, and none below. */
#include <anthill.h>

#include "check.h"

enum { LAYERS = 30 };

enum kind { CANCEL, TIMEOUT, VALUE };

static struct layer {
    enum kind kind;
    ant_ctx *ctx;
    ant_time deadline; /* INT64_MAX: none up to here */
} layers[LAYERS];

static unsigned next(unsigned *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 16;
}

static void build(unsigned *seed)
{
    for (int i = 0; i < LAYERS; i++) {
        struct layer *l = &layers[i];
        ant_ctx *below = i ? layers[i - 1].ctx : NULL;
        ant_time deadline = ant_now() + ANT_MINUTE + next(seed) * ANT_SECOND;

        l->kind = i == 0 ? CANCEL : (enum kind)(next(seed) % 3);
        l->deadline = i ? layers[i - 1].deadline : INT64_MAX;
        if (l->kind == CANCEL)
            CHECK_INT(ant_ctx_with_cancel(&l->ctx, below), 0);
        else if (l->kind == VALUE)
            CHECK_INT(ant_ctx_with_value(&l->ctx, below, l, &l->kind), 0);
        else
            CHECK_INT(ant_ctx_with_deadline(&l->ctx, below, deadline), 0);
        if (l->kind == TIMEOUT && deadline < l->deadline)
            l->deadline = deadline;
    }
}

static void check_layers(void)
{
    for (int i = 0; i < LAYERS; i++) {
        ant_time deadline = INT64_MAX;

        for (int k = 0; k < LAYERS; k++) {
            bool has_it = k <= i && layers[k].kind == VALUE;

            CHECK(ant_ctx_value(layers[i].ctx, &layers[k]) == (has_it ? &layers[k].kind : NULL));
        }
        CHECK_INT(ant_ctx_deadline(layers[i].ctx, &deadline), layers[i].deadline != INT64_MAX);
        CHECK_INT(deadline, layers[i].deadline);
    }
}

static void check_done_from(int first, int err)
{
    for (int i = 0; i < LAYERS; i++)
        CHECK_INT(ant_ctx_err(layers[i].ctx), i < first ? 0 : err);
}

static void drop(unsigned *seed)
{
    for (int i = LAYERS; i > 0; i--) {
        unsigned which = next(seed) % (unsigned)i;
        ant_ctx *ctx = layers[which].ctx;

        layers[which].ctx = layers[i - 1].ctx;
        ant_ctx_unref(ctx);
    }
}

static void cancel_one(unsigned *seed)
{
    int at = (int)(next(seed) % LAYERS);

    build(seed);
    check_done_from(LAYERS, 0);
    check_layers();
    while (layers[at].kind == VALUE)
        at--;
    ant_ctx_cancel(layers[at].ctx);
    check_done_from(at, ANT_ECANCELED);
    check_layers();
    drop(seed);
}

/* A layer in the midst whose time is over soon: its own and those above it are done. */
static void time_out_one(unsigned *seed)
{
    ant_ctx *soon, *above;

    build(seed);
    CHECK_INT(ant_ctx_with_timeout(&soon, layers[LAYERS - 1].ctx, 100 * ANT_MICROSECOND), 0);
    CHECK_INT(ant_ctx_with_value(&above, soon, seed, seed), 0);
    CHECK(!ant_chan_recv(ant_ctx_done(above), NULL));
    CHECK_INT(ant_ctx_err(above), ANT_ETIMEOUT);
    CHECK_INT(ant_ctx_err(soon), ANT_ETIMEOUT);
    check_done_from(LAYERS, 0);
    ant_ctx_unref(soon);
    ant_ctx_cancel(layers[0].ctx);
    check_done_from(0, ANT_ECANCELED);
    CHECK_INT(ant_ctx_err(above), ANT_ETIMEOUT);
    ant_ctx_unref(above);
    drop(seed);
}

static int run(void *arg)
{
    unsigned seed = 1;

    for (int i = 0; i < test_scale(500); i++) {
        cancel_one(&seed);
        time_out_one(&seed);
    }
    while (ant_count() > 1) /* the goroutines of deadlines */
        ant_yield();
    return 0;
}

TEST(ctx_layers)
{
    return ant_run(run, NULL, NULL);
}
