/* ctx_race - goroutines and threads make, ref, cancel, ask and give back contexts of a few trees
 * that all of them know, in random order. The sanitizers see what goes wrong; the rest is checked
 * by what must hold always: who is done stays so, and a child of one that is done is done. */
#include <pthread.h>

#include <anthill.h>

#include "check.h"

enum { SLOTS = 8, GOROUTINES = 6, THREADS = 3, DEEPEST = 20 };

static const char depth_key;

static struct {
    ant_mutex mutex;
    ant_ctx *ctx; /* the mutex guards it */
} slots[SLOTS];

static ant_waitgroup wg;

static unsigned next(unsigned *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 16;
}

static ant_ctx *take_ref(unsigned *seed)
{
    unsigned i = next(seed) % SLOTS;
    ant_ctx *ctx;

    ant_mutex_lock(&slots[i].mutex);
    ctx = ant_ctx_ref(slots[i].ctx);
    ant_mutex_unlock(&slots[i].mutex);
    return ctx;
}

/* Gives the reference to a slot, and gives back what was there. */
static void put(unsigned *seed, ant_ctx *ctx)
{
    unsigned i = next(seed) % SLOTS;
    ant_ctx *old;

    ant_mutex_lock(&slots[i].mutex);
    old = slots[i].ctx;
    slots[i].ctx = ctx;
    ant_mutex_unlock(&slots[i].mutex);
    ant_ctx_unref(old);
}

/* The value is a number: how many that carry one stand above. */
static intptr_t depth_below(const ant_ctx *parent)
{
    return (intptr_t)ant_ctx_value(parent, &depth_key) + 1;
}

static ant_ctx *make_child(unsigned *seed, ant_ctx *parent)
{
    ant_duration d = next(seed) % 200 * ANT_MICROSECOND;
    int err_before = ant_ctx_err(parent);
    ant_ctx *child;

    switch (next(seed) % 3) {
    case 0:
        CHECK_INT(ant_ctx_with_cancel(&child, parent), 0);
        break;
    case 1:
        CHECK_INT(ant_ctx_with_timeout(&child, parent, d), 0);
        break;
    default:
        CHECK_INT(ant_ctx_with_value(&child, parent, &depth_key, (void *)depth_below(parent)), 0);
    }
    if (err_before)
        CHECK_INT(ant_ctx_err(child), err_before);
    return child;
}

static void check(const ant_ctx *ctx)
{
    bool closed = ant_ctx_done(ctx) && ant_chan_try_recv(ant_ctx_done(ctx), NULL) == ANT_ECLOSED;
    int err = ant_ctx_err(ctx);

    CHECK(!closed || err);
    CHECK(err == 0 || err == ANT_ECANCELED || err == ANT_ETIMEOUT);
    if (err)
        CHECK_INT(ant_ctx_err(ctx), err);
}

static void hammer(unsigned seed)
{
    int n = test_scale(5000);

    for (int i = 0; i < n; i++) {
        ant_ctx *ctx = take_ref(&seed);
        bool too_deep = depth_below(ctx) > DEEPEST;

        switch (next(&seed) % 4) {
        case 0:
            ant_ctx_cancel(ctx);
            break;
        case 1:
            check(ctx);
            break;
        default:
            put(&seed, too_deep ? NULL : make_child(&seed, ctx));
        }
        ant_ctx_unref(ctx);
        if (i % 64 == 0)
            ant_yield();
    }
    ant_waitgroup_done(&wg);
}

static void goroutine(void *seed)
{
    hammer((unsigned)(uintptr_t)seed);
}

static void *thread(void *seed)
{
    hammer((unsigned)(uintptr_t)seed);
    return NULL;
}

static int run(void *arg)
{
    pthread_t threads[THREADS];

    ant_waitgroup_add(&wg, GOROUTINES + THREADS);
    for (intptr_t i = 0; i < THREADS; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, thread, (void *)(i + 1)), 0);
    for (intptr_t i = 0; i < GOROUTINES; i++)
        CHECK_INT(ant_go(goroutine, (void *)(i + 100)), 0);
    ant_waitgroup_wait(&wg);
    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < SLOTS; i++) {
        ant_ctx_unref(slots[i].ctx);
        slots[i].ctx = NULL;
    }
    while (ant_count() > 1) /* deadlines that are just coming */
        ant_yield();
    return 0;
}

TEST(ctx_race)
{
    return ant_run(run, NULL, NULL);
}
