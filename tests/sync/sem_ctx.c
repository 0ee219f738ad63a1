/* sem_ctx - acquiring with a context: fails when that is done before, also if the permits are
 * there; gives up when it is canceled, or its time is over, while waiting, and has then taken
 * nothing; what is released afterwards is for others. For goroutines and threads. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_sem sem = ANT_SEM(2);

struct waiter {
    int n;
    ant_ctx *ctx; /* NULL: does not give up */
    bool is_thread;
    pthread_t thread;
    atomic_bool begun, returned;
    int err;
};

static void acquire_and_tell(void *arg)
{
    struct waiter *w = arg;

    atomic_store(&w->begun, true);
    w->err = ant_sem_acquire_ctx(&sem, w->n, w->ctx);
    if (!w->err)
        ant_sem_release(&sem, w->n);
    atomic_store(&w->returned, true);
}

static void *acquire_in_thread(void *arg)
{
    acquire_and_tell(arg);
    return NULL;
}

static void let_others_run(void)
{
    for (int i = 0; i < 20; i++)
        ant_yield();
}

static void await_waiter(void)
{
    while (ant_sem_try_acquire(&sem, 0) == 0)
        ant_yield();
}

static void start(struct waiter *w, int n, ant_ctx *ctx, bool is_thread)
{
    *w = (struct waiter){.n = n, .ctx = ctx, .is_thread = is_thread};
    if (is_thread)
        CHECK_INT(pthread_create(&w->thread, NULL, acquire_in_thread, w), 0);
    else
        CHECK_INT(ant_go(acquire_and_tell, w), 0);
    while (!atomic_load(&w->begun))
        ant_yield();
    await_waiter();
    let_others_run();
}

static void check_returns(struct waiter *w, int err)
{
    while (!atomic_load(&w->returned))
        ant_yield();
    if (w->is_thread)
        CHECK_INT(pthread_join(w->thread, NULL), 0);
    CHECK_INT(w->err, err);
}

static void check_all_back(void)
{
    CHECK_INT(ant_sem_try_acquire(&sem, 2), 0);
    ant_sem_release(&sem, 2);
}

static void done_before(void)
{
    ant_ctx *canceled, *late;

    CHECK_INT(ant_ctx_with_cancel(&canceled, NULL), 0);
    CHECK_INT(ant_sem_acquire_ctx(&sem, 2, canceled), 0);
    ant_sem_release(&sem, 2);
    ant_ctx_cancel(canceled);
    CHECK_INT(ant_ctx_with_timeout(&late, NULL, -ANT_HOUR), 0);
    for (int n = 0; n < 3; n++) {
        CHECK_INT(ant_sem_acquire_ctx(&sem, n, canceled), ANT_ECANCELED);
        CHECK_INT(ant_sem_acquire_ctx(&sem, n, late), ANT_ETIMEOUT);
    }
    check_all_back();
    ant_ctx_unref(canceled);
    ant_ctx_unref(late);
}

/* One permit is taken, who wants both is canceled, the permit is given back: both are there. */
static void canceled_before_release(bool is_thread)
{
    struct waiter w;
    ant_ctx *ctx;

    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    CHECK_INT(ant_sem_acquire(&sem, 1), 0);
    start(&w, 2, ctx, is_thread);
    ant_ctx_cancel(ctx);
    ant_sem_release(&sem, 1);
    check_returns(&w, ANT_ECANCELED);
    check_all_back();
    ant_ctx_unref(ctx);
}

/* Every second of those that wait gives up, the others get theirs. */
static void canceled_among_others(int parity, bool threads)
{
    struct waiter waiters[6];
    ant_ctx *ctx;

    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    CHECK_INT(ant_sem_acquire(&sem, 2), 0);
    for (int i = 0; i < 6; i++)
        start(&waiters[i], 1 + i % 2, i % 2 == parity ? ctx : NULL, threads && i % 3);
    ant_ctx_cancel(ctx);
    for (int i = parity; i < 6; i += 2)
        check_returns(&waiters[i], ANT_ECANCELED);
    for (int i = !parity; i < 6; i += 2)
        CHECK(!atomic_load(&waiters[i].returned));
    ant_sem_release(&sem, 2);
    for (int i = !parity; i < 6; i += 2)
        check_returns(&waiters[i], 0);
    check_all_back();
    ant_ctx_unref(ctx);
}

static int acquire_for_a_while(int n)
{
    ant_ctx *ctx;
    int err;

    CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, 100 * ANT_MICROSECOND), 0);
    err = ant_sem_acquire_ctx(&sem, n, ctx);
    if (err == ANT_ETIMEOUT)
        CHECK_INT(ant_ctx_err(ctx), ANT_ETIMEOUT);
    ant_ctx_unref(ctx);
    return err;
}

/* TestWeightedAcquire: what is there is had, what is not is not, and comes back. */
static void late_while_waiting(void)
{
    CHECK_INT(ant_sem_acquire(&sem, 1), 0);
    CHECK_INT(acquire_for_a_while(2), ANT_ETIMEOUT);
    CHECK_INT(ant_sem_acquire(&sem, 1), 0);
    CHECK_INT(acquire_for_a_while(1), ANT_ETIMEOUT);
    ant_sem_release(&sem, 2);
    CHECK_INT(ant_sem_acquire(&sem, 1), 0);
    CHECK_INT(ant_sem_try_acquire(&sem, 1), 0);
    CHECK_INT(acquire_for_a_while(1), ANT_ETIMEOUT);
    ant_sem_release(&sem, 2);
    check_all_back();
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(20); i++) {
        done_before();
        canceled_before_release(i % 2);
        canceled_among_others(i % 2, i % 4 >= 2);
        late_while_waiting();
    }
    return 0;
}

TEST(sem_ctx)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    CHECK_INT(ant_start(NULL), 0);
    run(NULL);
    CHECK_INT(ant_stop(), 0);
    return 0;
}
