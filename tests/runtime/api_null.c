/* api_null - NULL and numbers out of range while the runtime runs, from a goroutine and from a
 * plain thread: an error code, and nothing else happens. */
#include <errno.h>
#include <limits.h>
#include <pthread.h>

#include <anthill.h>

#include "check.h"

static void nothing(void *arg)
{
}

static void check_go(void)
{
    int value = 1;

    CHECK_INT(ant_go(NULL, &value), -EINVAL);
    CHECK_INT(ant_go_copy(NULL, &value, sizeof value), -EINVAL);
    CHECK_INT(ant_go_copy(nothing, NULL, 1), -EINVAL);
    CHECK_INT(ant_go_copy(nothing, &value, SIZE_MAX), -EINVAL);
    CHECK_INT(ant_go_opts(NULL, NULL, NULL), -EINVAL);
    for (size_t size = 1; size < 2048; size *= 2)
        CHECK_INT(ant_go_opts(&(ant_go_options){.stack_size = size}, nothing, NULL), -EINVAL);
    CHECK_INT(ant_go_opts(&(ant_go_options){.stack_size = 2047}, nothing, NULL), -EINVAL);
    CHECK_INT(ant_go_opts(&(ant_go_options){.stack_size = ((size_t)1 << 30) + 1}, nothing, NULL),
              -EINVAL);
    CHECK_INT(ant_go_opts(&(ant_go_options){.stack_size = SIZE_MAX}, nothing, NULL), -EINVAL);
}

static void check_procs(void)
{
    int before = ant_procs();

    CHECK(before > 0);
    CHECK_INT(ant_set_procs(0), -EINVAL);
    CHECK_INT(ant_set_procs(-1), -EINVAL);
    CHECK_INT(ant_set_procs(1025), -EINVAL);
    CHECK_INT(ant_set_procs(INT_MAX), -EINVAL);
    CHECK_INT(ant_set_procs(INT_MIN), -EINVAL);
    CHECK_INT(ant_procs(), before);
}

static void check_timers(void)
{
    static ant_timer zero;

    CHECK_INT(ant_timer_start(NULL, 0, nothing, NULL), -EINVAL);
    CHECK_INT(ant_timer_start(&zero, 0, NULL, NULL), -EINVAL);
    CHECK_INT(ant_timer_stop(NULL), -EINVAL);
    CHECK_INT(ant_timer_reset(NULL, 0), -EINVAL);
    CHECK(!ant_ticker_chan(NULL));
    ant_ticker_stop(NULL);
    CHECK_INT(ant_ticker_reset(NULL, ANT_SECOND), -EINVAL);
    CHECK_INT(ant_ticker_destroy(NULL), 0);
    CHECK_INT(ant_timer_reset(&zero, 0), -EINVAL);
    CHECK_INT(ant_timer_stop(&zero), 0);
}

static void check_rest(void)
{
    ant_local key;

    CHECK_INT(ant_stats_get(NULL), -EINVAL);
    CHECK_INT(ant_dump(-1), -EBADF);
    CHECK_INT(ant_dump(INT_MAX), -EBADF);
    CHECK_INT(ant_try(NULL, NULL, NULL), -EINVAL);
    CHECK_INT(ant_panic_print(STDERR_FILENO, NULL), -EINVAL);
    CHECK_INT(ant_local_new(NULL, NULL), -EINVAL);
    CHECK_INT(ant_local_free((ant_local){0}), -EINVAL);
    CHECK_INT(ant_local_free((ant_local){.index = ANT_LOCAL_MAX}), -EINVAL);
    CHECK_INT(ant_local_free((ant_local){.index = UINT32_MAX, .serial = UINT32_MAX}), -EINVAL);
    CHECK_INT(ant_local_new(&key, NULL), 0);
    CHECK_INT(ant_local_free(key), 0);
    CHECK_INT(ant_local_free(key), -EINVAL);
    CHECK(!ant_local_get(key));
    CHECK(!ant_local_get((ant_local){.index = UINT32_MAX}));
}

static void check_all(void)
{
    int before = ant_count();

    check_go();
    check_procs();
    check_timers();
    check_rest();
    CHECK_INT(ant_count(), before); /* nothing was started */
}

static void *thread(void *arg)
{
    check_all();
    return NULL;
}

static int run(void *arg)
{
    ant_local key;
    pthread_t t;

    check_all();
    CHECK_INT(ant_local_new(&key, NULL), 0);
    CHECK_INT(ant_local_free(key), 0);
    CHECK_INT(ant_local_set(key, &t), -EINVAL);
    CHECK_INT(ant_local_set((ant_local){.index = ANT_LOCAL_MAX, .serial = 1}, &t), -EINVAL);
    CHECK_INT(ant_unlock_thread(), -EPERM);
    CHECK_INT(pthread_create(&t, NULL, thread, NULL), 0);
    CHECK_INT(pthread_join(t, NULL), 0);
    return 0;
}

TEST(api_null)
{
    CHECK_INT(ant_run(NULL, NULL, NULL), -EINVAL);
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
