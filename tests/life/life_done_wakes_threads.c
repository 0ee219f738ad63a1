/* life_done_wakes_threads - the last done of a wait group comes from a goroutine in user code
 * while the runtime stops; a goroutine and a thread wait for it. The goroutine is abandoned, the
 * thread is woken. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"
#include "runtime/runtime.h"

static ant_waitgroup wg;
static atomic_bool begun, go_on;

static void wait_in_goroutine(void *arg)
{
    ant_waitgroup_wait(&wg);
}

static void *wait_in_thread(void *arg)
{
    ant_waitgroup_wait(&wg);
    return NULL;
}

static void *stop(void *arg)
{
    CHECK_INT(ant_stop(), 0);
    return NULL;
}

static void finish(void *arg)
{
    atomic_store(&begun, true);
    while (!atomic_load(&go_on)) /* in user code */
        continue;
    ant_waitgroup_done(&wg);
}

TEST(life_done_wakes_threads)
{
    pthread_t waiting, stopping;

    CHECK_INT(ant_start(&(ant_config){.procs = 2, .stop_timeout = ANT_HOUR}), 0);
    ant_waitgroup_add(&wg, 1);
    CHECK_INT(ant_go(wait_in_goroutine, NULL), 0);
    while (!(__atomic_load_n(&wg.state, __ATOMIC_RELAXED) & 2)) /* somebody waits */
        sched_yield();
    CHECK_INT(pthread_create(&waiting, NULL, wait_in_thread, NULL), 0);
    while (ant__load_relaxed(&ant__sched.foreign_waiting) == 0)
        sched_yield();
    CHECK_INT(ant_go(finish, NULL), 0);
    while (!atomic_load(&begun))
        sched_yield();
    CHECK_INT(pthread_create(&stopping, NULL, stop, NULL), 0);
    while (ant__load_relaxed(&ant__sched.life) != ANT__STOPPING)
        sched_yield();
    atomic_store(&go_on, true);
    CHECK_INT(pthread_join(stopping, NULL), 0);
    CHECK_INT(pthread_join(waiting, NULL), 0);
    return 0;
}
