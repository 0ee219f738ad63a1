/* life_go_while_stopping - eight plain threads make goroutines, timers and dumps while another
 * stops and starts the runtime: each call succeeds or says ANT_ENOTRUNNING, and what was made
 * either runs or is abandoned. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { THREADS = 8 };

static atomic_bool stop;
static atomic_long made;
static int null;

static void goroutine(void *arg)
{
    ant_yield();
}

static void check(int err)
{
    if (err != 0 && err != ANT_ENOTRUNNING)
        FAIL("error %s", ant_err_name(err));
    if (err == 0)
        atomic_fetch_add(&made, 1);
}

static void *make(void *arg)
{
    static ant_timer timers[THREADS];
    int self = (int)(intptr_t)arg;
    char bytes[64] = {0};
    ant_stats stats;
    int n;

    for (int i = 0; !atomic_load(&stop); i++) {
        check(ant_go(goroutine, NULL));
        check(ant_go_copy(goroutine, bytes, (size_t)(i % 64)));
        check(ant_go_opts(&(ant_go_options){.name = "n", .stack_size = 64 << 10}, goroutine, NULL));
        n = ant_timer_start(&timers[self], 0, goroutine, NULL);
        CHECK(n == 0 || n == -EBUSY || n == ANT_ENOTRUNNING);
        n = ant_timer_stop(&timers[self]);
        CHECK(n == 0 || n == 1);
        n = ant_stats_get(&stats);
        CHECK(n == 0 || n == ANT_ENOTRUNNING);
        CHECK(ant_count() >= 0);
        n = ant_set_procs(1 + i % 4);
        CHECK(n > 0 || n == ANT_ENOTRUNNING);
        if (i % 50 == 0) {
            n = ant_dump(null);
            CHECK(n == 0 || n == ANT_ENOTRUNNING || n == -EAGAIN);
        }
        if (i % 4 == 0 || test_is_slow())
            usleep(50);
    }
    ant_timer_stop(&timers[self]);
    return NULL;
}

TEST(life_go_while_stopping)
{
    pthread_t threads[THREADS];

    null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    CHECK(null >= 0);
    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, make, (void *)(intptr_t)i), 0);
    for (int i = 0; i < test_scale(200); i++) {
        CHECK_INT(ant_start(&(ant_config){.stop_timeout = ANT_MINUTE}), 0);
        usleep((useconds_t)(i % 7) * 300);
        CHECK_INT(ant_stop(), 0);
        if (i % 5 == 0)
            usleep(300);
    }
    atomic_store(&stop, true);
    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    CHECK(atomic_load(&made) > 0);
    close(null);
    return 0;
}
