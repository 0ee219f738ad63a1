/* An announced blocking section gives its P away for the announcement's sake, long before its goroutine
 * counts as one that computes for too long: with one P, and slices of an hour, a section ends that
 * waits for another goroutine, be that one queued already, asleep, or yet to be made by a thread.
 *
 * Catches: sections that are treated as any other user code (then it hangs). */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"
#include "one_p.h"

enum { ROUNDS = 20 };

static _Atomic int runs;

static void run_once(void *arg)
{
    atomic_fetch_add(&runs, 1);
}

static void sleep_first(void *arg)
{
    ant_sleep(ANT_MILLISECOND);
    run_once(arg);
}

static void *make_one(void *arg)
{
    CHECK_INT(ant_go(run_once, NULL), 0);
    return NULL;
}

/* Returns when another goroutine has run for the n-th time. */
static void wait_outside(void *n)
{
    for (double deadline = test_now() + 40; atomic_load(&runs) < *(int *)n; usleep(100)) {
        if (test_now() > deadline)
            FAIL("nobody else ran");
    }
}

static int run(void *arg)
{
    int n = 0;
    pthread_t thread;

    for (int i = 0; i < test_scale(ROUNDS); i++) {
        ant_go(run_once, NULL);
        n++;
        ant_blocking(wait_outside, &n);

        ant_go(sleep_first, NULL);
        ant_yield();
        n++;
        ant_blocking(wait_outside, &n);

        CHECK_INT(pthread_create(&thread, NULL, make_one, NULL), 0);
        n++;
        ant_blocking(wait_outside, &n);
        CHECK_INT(pthread_join(thread, NULL), 0);
    }
    return 0;
}

TEST(blocking_section_soon)
{
    CHECK_INT(run_on_one_p(run), 0);
    return 0;
}
