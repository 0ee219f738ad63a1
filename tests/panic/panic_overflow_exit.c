/* panic_overflow_exit - a goroutine that ends by ant_exit in the middle of the panic of an overflow
 * leaves a whole guard to the next one on its stack. */
#include <anthill.h>

#include "check.h"
#include "deep.h"

static ant_waitgroup wg;

static void end(void *arg)
{
    ant_waitgroup_done(&wg);
    ant_exit();
}

static void overflow_and_exit(void *arg)
{
    ANT_DEFER(end, NULL);
    overflow_stack(NULL);
}

static void goroutine(void *arg)
{
    ant_try(overflow_and_exit, NULL, NULL);
    FAIL("the try returned");
}

static int run(void *arg)
{
    for (int i = 0; i < 100; i++) {
        ant_waitgroup_add(&wg, 1);
        CHECK_INT(ant_go(goroutine, NULL), 0);
        ant_waitgroup_wait(&wg);
        while (ant_count() > 1)
            ant_yield();
    }
    return 0;
}

TEST(panic_overflow_exit)
{
    CHECK_INT(ant_run(run, NULL, &(ant_config){.fault_panics = true}), 0);
    return 0;
}
