/* life_fork_changing - a fork while another thread is about to start or to stop the runtime: the child
 * has the remains of that, and is told so when it calls, instead of waiting for ever for a thread that
 * it does not have. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "life_fork.h"
#include "runtime/runtime.h"

static atomic_bool hold, held;
static atomic_bool in_user_code, released;

/* Takes the place of libc's. ant_start calls it, and ant_stop may. */
int sched_yield(void)
{
    while (atomic_load(&hold)) {
        atomic_store(&held, true);
        usleep(1000);
    }
    return 0;
}

static void nothing(void *arg)
{
}

static void call_go(void)
{
    ant_go(nothing, NULL);
}

static void check_calls(void)
{
    check_fork_aborts(call_start);
    check_fork_aborts(call_run);
    check_fork_aborts(call_stop);
    check_fork_aborts(call_go);
}

static void *start_in_thread(void *arg)
{
    CHECK_INT(ant_start(&(ant_config){.stop_timeout = ANT_HOUR}), 0);
    return NULL;
}

static void *stop_in_thread(void *arg)
{
    CHECK_INT(ant_stop(), 0);
    return NULL;
}

static void stay_in_user_code(void *arg)
{
    atomic_store(&in_user_code, true);
    while (!atomic_load(&released))
        usleep(1000);
}

static void await(atomic_bool *flag)
{
    while (!atomic_load(flag))
        usleep(1000);
}

TEST(life_fork_changing)
{
    pthread_t thread;

    atomic_store(&hold, true);
    CHECK_INT(pthread_create(&thread, NULL, start_in_thread, NULL), 0);
    await(&held);
    check_calls();
    atomic_store(&hold, false);
    CHECK_INT(pthread_join(thread, NULL), 0);

    CHECK_INT(ant_go(stay_in_user_code, NULL), 0);
    await(&in_user_code);
    CHECK_INT(pthread_create(&thread, NULL, stop_in_thread, NULL), 0);
    while (atomic_load(&ant__sched.life) != ANT__STOPPING)
        usleep(1000);
    check_calls();
    atomic_store(&released, true);
    CHECK_INT(pthread_join(thread, NULL), 0);
    return 0;
}
