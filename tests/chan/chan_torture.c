/* chan_torture - for as long as it is told: goroutines and plain threads send and receive on the
 * same channels in every form there is, with contexts that end in the midst of it, while others
 * close the channels. In the end each message that was accepted was received exactly once, no
 * other one was, and of two that close the same channel one succeeds.
 *
 * Catches: lost wake-ups (then it hangs), messages that are lost, doubled or come from a stack
 * that is gone, and, under the sanitizers, races and uses of freed memory. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { CHANS = 5, PRODUCERS = 6, CONSUMERS = 6, THREADS = 2 /* of each */, CASES = 20 };

static ant_chan *chans[CHANS];
static int each; /* messages of a producer */
static unsigned char *accepted;
static _Atomic unsigned char *received;
static atomic_int progress, closes;
static atomic_bool produced;
static ant_waitgroup producing, consuming, closing;

static unsigned next(unsigned *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 16;
}

/* ---- one side of one who works ---- */

struct side {
    unsigned seed;
    bool sends;
    int message; /* to be sent or just received */
    int open;    /* channels that are not known to be closed: bits */
};

static int pick_open(struct side *s)
{
    int at = (int)(next(&s->seed) % CHANS);

    while (!(s->open >> at & 1))
        at = (at + 1) % CHANS;
    return at;
}

static void drop(void *ctx)
{
    ant_ctx_unref(ctx);
}

static void cancel(void *ctx)
{
    ant_ctx_cancel(ctx);
    drop(ctx);
}

/* One that will soon be done: by the time, or by a cancel from elsewhere. */
static ant_ctx *short_ctx(struct side *s)
{
    ant_ctx *ctx;

    if (next(&s->seed) % 2) {
        ant_duration d = next(&s->seed) % 50 * ANT_MICROSECOND;

        CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, d), 0);
    } else {
        CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
        CHECK_INT(ant_go(cancel, ant_ctx_ref(ctx)), 0);
    }
    return ctx;
}

/* The forms with one channel. All return 0, ANT_ECLOSED, or what says that nothing was done. */
static int plain(struct side *s, ant_chan *c)
{
    if (!s->sends)
        return ant_chan_recv(c, &s->message) ? 0 : ANT_ECLOSED;
    ant_chan_send(c, &s->message);
    return 0;
}

static int trying(struct side *s, ant_chan *c)
{
    int err = s->sends ? ant_chan_try_send(c, &s->message) : ant_chan_try_recv(c, &s->message);

    if (err == -EAGAIN)
        ant_yield();
    return err;
}

static int with_ctx(struct side *s, ant_chan *c)
{
    ant_ctx *ctx = next(&s->seed) % 4 ? short_ctx(s) : NULL;
    int err =
        s->sends ? ant_chan_send_ctx(c, &s->message, ctx) : ant_chan_recv_ctx(c, &s->message, ctx);

    ant_ctx_unref(ctx);
    return err;
}

/* Selects among open channels, some perhaps twice, perhaps with a default or with a context. */
static int by_select(struct side *s)
{
    int n = 1 + (int)(next(&s->seed) % (next(&s->seed) % 8 ? 4 : CASES)), at[CASES], chosen;
    ant_ctx *ctx = next(&s->seed) % 3 ? NULL : short_ctx(s);
    ant_case cases[CASES];

    ANT_DEFER(drop, ctx); /* it may panic */
    for (int i = 0; i < n; i++) {
        at[i] = pick_open(s);
        cases[i] = (ant_case)ANT_RECV(chans[at[i]], &s->message);
        if (s->sends)
            cases[i].kind = ANT_CASE_SEND;
    }
    if (next(&s->seed) % 4 == 0)
        cases[next(&s->seed) % (unsigned)n].kind = ANT_CASE_DEFAULT;
    chosen = ant_select_ctx(cases, n, ctx);
    if (chosen < 0 || cases[chosen].kind == ANT_CASE_DEFAULT)
        return -EAGAIN;
    if (s->sends || cases[chosen].received)
        return 0;
    s->open &= ~(1 << at[chosen]);
    return -EAGAIN;
}

struct attempt {
    struct side *side;
    ant_chan *chan; /* NULL: select */
    int result;
};

static void attempt(void *arg)
{
    struct attempt *a = arg;

    a->result = a->chan ? plain(a->side, a->chan) : by_select(a->side);
}

/* The forms that panic if they send on a closed channel. */
static int attempt_at_risk(struct side *s, ant_chan *c)
{
    struct attempt a = {s, c, -EAGAIN};

    if (!s->sends)
        attempt(&a);
    else if (ant_try(attempt, &a, NULL))
        return c ? ANT_ECLOSED : -EAGAIN;
    return a.result;
}

/* True: a message was sent, or received. False: all channels are closed. */
static bool transfer(struct side *s)
{
    while (s->open) {
        unsigned form = next(&s->seed) % 8;
        int at = pick_open(s), err;

        if (form < 3)
            err = trying(s, chans[at]);
        else if (form < 4)
            err = with_ctx(s, chans[at]);
        else
            err = attempt_at_risk(s, form < 6 ? chans[at] : NULL);
        if (err == 0)
            return true;
        if (err == ANT_ECLOSED)
            s->open &= ~(1 << at);
    }
    return false;
}

/* ---- those who work ---- */

static void produce(void *arg)
{
    int self = (int)(intptr_t)arg;
    struct side s = {.seed = (unsigned)self + 1, .sends = true, .open = (1 << CHANS) - 1};

    for (int i = 0; i < each; i++) {
        s.message = self * each + i;
        if (!transfer(&s))
            break;
        accepted[s.message] = 1;
        atomic_fetch_add(&progress, 1);
    }
    ant_waitgroup_done(&producing);
}

static void take(int message)
{
    CHECK(message >= 0 && message < PRODUCERS * each);
    CHECK_INT(atomic_fetch_add(&received[message], 1), 0);
}

static void consume(void *arg)
{
    struct side s = {.seed = (unsigned)(intptr_t)arg + 100, .open = (1 << CHANS) - 1};

    while (transfer(&s))
        take(s.message);
    ant_waitgroup_done(&consuming);
}

/* One on each channel, so that nobody waits for good while the others are elsewhere. */
static void drain(void *c)
{
    int message;

    while (ant_chan_recv(c, &message))
        take(message);
    ant_waitgroup_done(&consuming);
}

static void *produce_in_thread(void *arg)
{
    produce(arg);
    return NULL;
}

static void *consume_in_thread(void *arg)
{
    consume(arg);
    return NULL;
}

/* ---- those who close ---- */

static void close_it(void *c)
{
    ant_chan_close(c);
}

static void close_all(void *arg)
{
    int many = (int)(intptr_t)arg;

    for (int i = 0; i < many; i++) {
        while (atomic_load(&progress) < each * (i + 1) && !atomic_load(&produced))
            ant_sleep(20 * ANT_MICROSECOND);
        if (ant_try(close_it, chans[i], NULL) == 0)
            atomic_fetch_add(&closes, 1);
    }
    ant_waitgroup_done(&closing);
}

/* ---- a round ---- */

static void set_up(void)
{
    static const size_t capacities[CHANS] = {0, 8, 1, 0, 64};

    for (int i = 0; i < CHANS; i++)
        CHECK_INT(ant_chan_new(&chans[i], sizeof(int), capacities[i]), 0);
    accepted = calloc((size_t)PRODUCERS * (size_t)each, 1);
    received = calloc((size_t)PRODUCERS * (size_t)each, 1);
    CHECK(accepted && received);
    atomic_store(&progress, 0);
    atomic_store(&closes, 0);
    atomic_store(&produced, false);
}

static void tear_down(void)
{
    for (int i = 0; i < PRODUCERS * each; i++)
        CHECK_INT(received[i], accepted[i]);
    free(accepted);
    free((void *)received);
    for (int i = 0; i < CHANS; i++)
        CHECK_INT(ant_chan_destroy(chans[i]), 0);
}

/* Of the channels so many are closed while there are messages to send. */
static void one_round(int closed_early)
{
    pthread_t threads[2 * THREADS];

    set_up();
    ant_waitgroup_add(&producing, PRODUCERS);
    ant_waitgroup_add(&consuming, CONSUMERS + CHANS);
    ant_waitgroup_add(&closing, 2);
    for (int i = 0; i < CHANS; i++)
        CHECK_INT(ant_go(drain, chans[i]), 0);
    for (intptr_t i = 0; i < THREADS; i++) {
        CHECK_INT(pthread_create(&threads[2 * i], NULL, produce_in_thread, (void *)i), 0);
        CHECK_INT(pthread_create(&threads[2 * i + 1], NULL, consume_in_thread, (void *)i), 0);
    }
    for (intptr_t i = THREADS; i < PRODUCERS; i++)
        CHECK_INT(ant_go(produce, (void *)i), 0);
    for (intptr_t i = THREADS; i < CONSUMERS; i++)
        CHECK_INT(ant_go(consume, (void *)i), 0);
    for (int i = 0; i < 2; i++)
        CHECK_INT(ant_go(close_all, (void *)(intptr_t)closed_early), 0);
    ant_waitgroup_wait(&producing);
    atomic_store(&produced, true);
    ant_waitgroup_wait(&closing);
    CHECK_INT(atomic_load(&closes), closed_early);
    if (closed_early < CHANS)
        CHECK_INT(atomic_load(&progress), PRODUCERS * each);
    for (int i = closed_early; i < CHANS; i++)
        ant_chan_close(chans[i]);
    ant_waitgroup_wait(&consuming);
    for (int i = 0; i < 2 * THREADS; i++)
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    tear_down();
}

static int run(void *arg)
{
    const char *messages = getenv("ANT_TEST_MESSAGES"); /* at least so many */
    int to_do = messages ? atoi(messages) : TEST_SANITIZED ? 1 : test_scale(400000);
    double until = test_now() + torture_seconds(0.4);

    each = test_scale(5000);
    for (int i = 0; to_do > 0 || test_now() < until; i++) {
        one_round(i % (CHANS + 1));
        to_do -= atomic_load(&progress);
    }
    while (ant_count() > 1) /* contexts to cancel */
        ant_yield();
    return 0;
}

TEST(chan_torture)
{
    return ant_run(run, NULL, NULL);
}
