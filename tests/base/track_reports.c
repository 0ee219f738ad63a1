/* track_reports - what the sanitizers find in goroutines, after they were suspended and went on: a write beyond
 * an array on the stack, and a value that two of them write at once.
 *
 * Catches: a sanitizer that lost its way at a switch, and keeps quiet from then on.
 */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"
#include "runtime/track.h"

static _Atomic int there;
static volatile int raced;
static ant_waitgroup ended;

__attribute__((unused)) static void write_beyond(void *arg)
{
    char array[8] = {0}, *beyond = array + 7;

    ant_yield();
    ant_sleep(ANT_MILLISECOND);
    __asm__ volatile("" : "+r"(beyond)); /* else UBSan is the first to see it */
    beyond[1] = 1;
    ant_waitgroup_done(&ended);
}

/* Both are here at once, of which nothing tells the sanitizer. */
__attribute__((unused)) static void race(void *arg)
{
    ant_yield();
    ant_sleep(ANT_MILLISECOND);
    atomic_fetch_add_explicit(&there, 1, memory_order_relaxed);
    while (atomic_load_explicit(&there, memory_order_relaxed) < 2)
        continue;
    for (int i = 0; i < 1000; i++) /* one alone may be missed */
        raced++;
    ant_waitgroup_done(&ended);
}

static int run(void *fn)
{
    ant_waitgroup_add(&ended, 2);
    for (int i = 0; i < 2; i++)
        CHECK_INT(ant_go(*(void (**)(void *))fn, NULL), 0);
    ant_waitgroup_wait(&ended);
    return 0;
}

__attribute__((unused)) static void run_in_child(void)
{
#ifdef ANT__TSAN
    void (*fn)(void *) = race;
#else
    void (*fn)(void *) = write_beyond;
#endif

    CHECK_INT(ant_run(run, &fn, &(ant_config){.procs = 2}), 0);
}

TEST(track_reports)
{
#if defined(ANT__TSAN) || defined(ANT__ASAN)
    static char output[64 << 10];
    int status = test_child(run_in_child, output, sizeof output);

#ifdef ANT__TSAN
    CHECK_HAS(output, "data race");
    CHECK_HAS(output, "#0 race ");
#else
    CHECK_HAS(output, "stack-buffer-overflow");
    CHECK_HAS(output, "in write_beyond ");
    CHECK_HAS(output, "'array'");
#endif
    CHECK(!WIFEXITED(status) || WEXITSTATUS(status) != 0);
#else
    (void)run;
#endif
    return 0;
}
