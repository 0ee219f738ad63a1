/* life_timer_in_destructor - a thread of the runtime that ends with it runs the destructors of
 * pthread keys, in which timers are stopped and contexts given back: the stop, which waits for that
 * thread, and the thread do not wait for one another. */
#include <pthread.h>

#include <anthill.h>

#include "check.h"

static pthread_key_t key;
static ant_timer timer;
static ant_waitgroup done;

static void nothing(void *arg)
{
}

static void destroy(void *ctx)
{
    ant_timer_stop(&timer);
    ant_ctx_unref(ctx);
}

static void leave_behind(void *arg)
{
    ant_ctx *ctx;

    CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, ANT_HOUR), 0);
    CHECK_INT(ant_timer_start(&timer, ANT_HOUR, nothing, NULL), 0);
    CHECK_INT(pthread_setspecific(key, ctx), 0);
    ant_waitgroup_done(&done);
}

TEST(life_timer_in_destructor)
{
    CHECK_INT(pthread_key_create(&key, destroy), 0);
    for (int i = 0; i < 20; i++) {
        CHECK_INT(ant_start(NULL), 0);
        ant_waitgroup_add(&done, 1);
        CHECK_INT(ant_go(leave_behind, NULL), 0);
        ant_waitgroup_wait(&done);
        CHECK_INT(ant_stop(), 0);
        CHECK_INT(ant_timer_stop(&timer), 0); /* it went with the runtime */
    }
    return 0;
}
