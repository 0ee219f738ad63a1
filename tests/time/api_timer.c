/* api_timer - start, stop and reset as documented, from a goroutine and from a plain thread. */
#include <errno.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_timer timer;
static atomic_int fired;

static void fire(void *arg)
{
    CHECK(arg == &fired);
    CHECK(ant_id() != 0); /* in a goroutine */
    ant_yield();          /* where it may block */
    ant_sleep(ANT_MICROSECOND);
    atomic_fetch_add(&fired, 1);
}

static void wait_for(int n)
{
    while (atomic_load(&fired) < n)
        ant_sleep(100 * ANT_MICROSECOND);
    CHECK_INT(atomic_load(&fired), n);
}

static void check_all(void)
{
    timer = (ant_timer){{0}};
    atomic_store(&fired, 0);

    /* A zero-filled one is a stopped one. */
    CHECK_INT(ant_timer_stop(&timer), 0);
    CHECK_INT(ant_timer_reset(&timer, 0), -EINVAL);

    /* Stopped before it fires: true only once. */
    CHECK_INT(ant_timer_start(&timer, ANT_HOUR, fire, &fired), 0);
    CHECK_INT(ant_timer_start(&timer, 0, fire, &fired), -EBUSY);
    CHECK_INT(ant_timer_stop(&timer), 1);
    CHECK_INT(ant_timer_stop(&timer), 0);

    /* Fires once, and is then as good as new. */
    CHECK_INT(ant_timer_start(&timer, ANT_MILLISECOND, fire, &fired), 0);
    wait_for(1);
    CHECK_INT(ant_timer_stop(&timer), 0);
    CHECK_INT(ant_timer_start(&timer, 0, fire, &fired), 0);
    wait_for(2);

    /* Reset keeps function and argument: of a fired one, a stopped one, a pending one. */
    CHECK_INT(ant_timer_reset(&timer, ANT_MICROSECOND), 0);
    wait_for(3);
    CHECK_INT(ant_timer_reset(&timer, ANT_HOUR), 0);
    CHECK_INT(ant_timer_reset(&timer, ANT_HOUR), 1);
    CHECK_INT(ant_timer_stop(&timer), 1);
    CHECK_INT(ant_timer_reset(&timer, ANT_HOUR), 0);
    CHECK_INT(ant_timer_reset(&timer, ANT_MILLISECOND), 1);
    wait_for(4);
    CHECK_INT(ant_timer_stop(&timer), 0);
    ant_sleep(2 * ANT_MILLISECOND);
    CHECK_INT(atomic_load(&fired), 4); /* nothing is left */
}

static int run(void *arg)
{
    check_all();
    return 0;
}

TEST(api_timer)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    CHECK_INT(ant_start(NULL), 0);
    check_all();

    /* What was pending when the runtime stopped is stopped, and can be started in the next run. */
    CHECK_INT(ant_timer_start(&timer, ANT_HOUR, fire, &fired), 0);
    CHECK_INT(ant_stop(), 0);
    CHECK_INT(ant_timer_stop(&timer), 0);
    CHECK_INT(ant_start(NULL), 0);
    CHECK_INT(ant_timer_stop(&timer), 0);
    atomic_store(&fired, 0);
    CHECK_INT(ant_timer_start(&timer, ANT_MILLISECOND, fire, &fired), 0);
    wait_for(1);
    CHECK_INT(ant_stop(), 0);
    return 0;
}
