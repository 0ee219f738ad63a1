/* preempt_sanitized - goroutines that may be interrupted do no harm in any build, also where signals come
 * late or not at all (TSan) or malloc is part of the program: they compute, wait and make others, the
 * results are right, and those beside them get on, be it by an interruption or because a P is taken. */
#include <stdatomic.h>

#include <anthill.h>

#include "preempt.h"

enum { HOGS = 4, TURNS = 20 };

static _Atomic int turns, rounds[HOGS];
static _Atomic bool released;
static ant_chan *numbers;
static ant_waitgroup wg;

/* Between two computations it uses the runtime. */
static void hog(void *arg)
{
    int me = (int)(intptr_t)arg;

    for (int i = me; !atomic_load(&released); i++) {
        char copy[256];

        compute_once(i);
        memset(copy, i, sizeof copy);
        CHECK_INT(copy[255], (char)i);
        if (i % 2)
            ant_yield();
        else
            (void)ant_chan_try_send(numbers, &i);
        atomic_fetch_add(&rounds[me], 1);
    }
    ant_waitgroup_done(&wg);
}

/* Ends only because others get on. */
static void endless(void *arg)
{
    while (!atomic_load_explicit(&released, memory_order_relaxed))
        continue;
    ant_waitgroup_done(&wg);
}

static void worker(void *arg)
{
    int number;

    for (int i = 0; i < TURNS; i++) {
        CHECK(ant_chan_recv(numbers, &number));
        atomic_fetch_add(&turns, 1);
    }
    ant_waitgroup_done(&wg);
}

static bool all_got_on(void)
{
    for (int i = 0; i < HOGS; i++) {
        if (atomic_load(&rounds[i]) < KINDS)
            return false;
    }
    return atomic_load(&turns) == TURNS;
}

static int run(void *arg)
{
    const ant_go_options options = {.preempt = ANT_PREEMPT_SIGNAL};

    CHECK_INT(ant_chan_new(&numbers, sizeof(int), 1), 0);
    ant_waitgroup_add(&wg, HOGS + 3);
    for (int i = 0; i < HOGS; i++)
        CHECK_INT(ant_go_opts(&options, hog, (void *)(intptr_t)i), 0);
    CHECK_INT(ant_go_opts(&options, endless, NULL), 0);
    CHECK_INT(ant_go_opts(&options, endless, NULL), 0);
    CHECK_INT(ant_go(worker, NULL), 0);
    while (!all_got_on())
        ant_sleep(ANT_MILLISECOND);
    atomic_store(&released, true);
    ant_waitgroup_wait(&wg);
    ant_chan_destroy(numbers);
    return 0;
}

TEST(preempt_sanitized)
{
    ant__slice = 200 * ANT_MICROSECOND;
    compute_expected();
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
