/* go_mexit.c - threads may end, with the goroutines that are tied to them, while all goroutines are
 * being paused again and again.
 *
 * Catches: a pause waits for a thread that has ended, or counts one twice; a P is given to one, or
 * lost with it. (Then this hangs or crashes.)
 */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static pthread_key_t key;
static _Atomic int threads_ended, dumps;
static _Atomic bool stop;
static ant_waitgroup dumping;

static void on_thread_end(void *value)
{
    atomic_fetch_add(&threads_ended, 1);
}

static void dump_once(void)
{
    int fd = open("/dev/null", O_WRONLY);
    int err = ant_dump(fd);

    CHECK(err == 0 || err == -EAGAIN); /* not within a second: a busy machine */
    atomic_fetch_add(&dumps, err == 0);
    close(fd);
}

static void dump_on(void *arg)
{
    while (!atomic_load(&stop)) {
        dump_once();
        ant_yield();
    }
    ant_waitgroup_done(&dumping);
}

static void *dump_as_thread(void *arg)
{
    while (!atomic_load(&stop)) {
        dump_once();
        usleep(1000);
    }
    return NULL;
}

static void end_tied(void *arg)
{
    CHECK_INT(ant_lock_thread(), 0);
    CHECK_INT(pthread_setspecific(key, &key), 0);
    if (arg)
        ant_yield();
}

static int run(void *arg)
{
    int n = test_scale_least(100, 30);
    pthread_t thread;

    ant_waitgroup_add(&dumping, 1);
    CHECK_INT(ant_go(dump_on, NULL), 0);
    CHECK_INT(pthread_create(&thread, NULL, dump_as_thread, NULL), 0);
    for (int i = 0; i < n; i++) {
        CHECK_INT(ant_go(end_tied, i % 2 ? &key : NULL), 0);
        ant_yield();
    }
    while (atomic_load(&threads_ended) < n || atomic_load(&dumps) < 3)
        ant_sleep(ANT_MILLISECOND / 10);
    atomic_store(&stop, true);
    ant_waitgroup_wait(&dumping);
    pthread_join(thread, NULL);
    return 0;
}

static int warm_up(void *arg)
{
    return 0;
}

TEST(go_mexit)
{
    struct test_resources before;

    CHECK_INT(pthread_key_create(&key, on_thread_end), 0);
    CHECK_INT(ant_run(warm_up, NULL, NULL), 0);
    before = test_resources_now();
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    test_resources_check(&before, INT_MAX / 2); /* libc keeps stacks of threads */
    return 0;
}
