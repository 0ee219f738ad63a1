/* api_exit - ant_exit ends the goroutine from any depth, others go on; called by the main goroutine, the
 * others go on until they are done, and then the program ends with a report. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_waitgroup wg;
static atomic_int ended;

static volatile int bottom; /* 0, but the compiler does not know */

static __attribute__((noinline)) int dive(int depth)
{
    if (depth < bottom)
        return depth;
    if (depth == bottom)
        ant_exit();
    return dive(depth - 1) + 1; /* not a tail call */
}

static void goroutine(void *arg)
{
    if (arg)
        ant_yield();
    atomic_fetch_add(&ended, 1);
    ant_waitgroup_done(&wg);
    FAIL("ant_exit returned %d", dive(20));
}

static int run(void *arg)
{
    int n = test_scale(20000);

    ant_waitgroup_add(&wg, n);
    for (int i = 0; i < n; i++)
        CHECK_INT(ant_go(goroutine, i % 2 ? &wg : NULL), 0);
    ant_waitgroup_wait(&wg);
    while (ant_count() > 1)
        ant_yield();
    CHECK_INT(atomic_load(&ended), n);
    return 0;
}

static void last_words(void *arg)
{
    for (int i = 0; i < 10; i++)
        ant_sleep(ANT_MILLISECOND);
    printf("the other one ended\n");
    fflush(stdout);
}

static int exit_main(void *arg)
{
    CHECK_INT(ant_go(last_words, NULL), 0);
    ant_exit();
}

static void main_exits(void)
{
    ant_run(exit_main, NULL, NULL);
    FAIL("ant_run returned");
}

int main(void)
{
    char output[4096];
    int status = test_child(main_exits, output, sizeof output);

    CHECK(WIFEXITED(status));
    CHECK_INT(WEXITSTATUS(status), 2);
    CHECK_HAS(output, "the other one ended\n");
    CHECK_HAS(output, "anthill: no goroutines (main called ant_exit) - deadlock!");

    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
