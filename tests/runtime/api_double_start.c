/* api_double_start - one runtime at a time: a second start, a second stop, and ant_stop of what
 * ant_run started, from other threads. */
#include <errno.h>
#include <pthread.h>

#include <anthill.h>

#include "check.h"

static int never(void *arg)
{
    FAIL("a second runtime was started");
}

static void *during_run(void *arg)
{
    CHECK_INT(ant_start(NULL), ANT_ERUNNING);
    CHECK_INT(ant_start(&(ant_config){.procs = -1}), ANT_ERUNNING);
    CHECK_INT(ant_run(never, NULL, NULL), ANT_ERUNNING);
    CHECK_INT(ant_stop(), -EPERM); /* ant_run stops what it started */
    return NULL;
}

static void *during_start(void *arg)
{
    CHECK_INT(ant_start(NULL), ANT_ERUNNING);
    CHECK_INT(ant_run(never, NULL, NULL), ANT_ERUNNING);
    return NULL;
}

static void in_thread(void *(*fn)(void *))
{
    pthread_t t;

    CHECK_INT(pthread_create(&t, NULL, fn, NULL), 0);
    CHECK_INT(pthread_join(t, NULL), 0);
}

static int run(void *arg)
{
    in_thread(during_run);
    return 3;
}

TEST(api_double_start)
{
    for (int i = 0; i < 3; i++) {
        CHECK_INT(ant_run(run, NULL, NULL), 3);
        CHECK_INT(ant_start(NULL), 0);
        during_start(NULL);
        in_thread(during_start);
        CHECK(ant_procs() > 0); /* the refused ones did no harm */
        CHECK_INT(ant_stop(), 0);
        CHECK_INT(ant_stop(), ANT_ENOTRUNNING);
    }
    return 0;
}
