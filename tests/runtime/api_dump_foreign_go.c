/* api_dump_foreign_go - dumps while plain threads make goroutines: a pause does not stop them, so
 * they fill the records that the dump reads. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { THREADS = 3 };

static atomic_bool stop;

static void nothing(void *arg)
{
}

static void *make(void *arg)
{
    char copy[100] = "x";

    for (int i = 0; !atomic_load(&stop); i++) {
        while (ant_count() > 1000)
            usleep(100);
        CHECK_INT(ant_go(nothing, NULL), 0);
        CHECK_INT(ant_go_copy(nothing, copy, 1 + i % 100), 0);
        CHECK_INT(ant_go_opts(&(ant_go_options){.name = "named"}, nothing, NULL), 0);
        if (i % 16 == 0)
            usleep(10);
    }
    return NULL;
}

TEST(api_dump_foreign_go)
{
    pthread_t threads[THREADS];
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    double end = test_now() + torture_seconds(0.4);

    CHECK(null >= 0);
    CHECK_INT(ant_start(NULL), 0);
    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, make, NULL), 0);
    while (test_now() < end) {
        int err = ant_dump(null);

        CHECK(err == 0 || err == -EAGAIN); /* -EAGAIN: a busy machine, see api_dump_torture */
        ant_sleep(ANT_MILLISECOND);        /* not all of the time, so that there are not too many */
    }
    atomic_store(&stop, true);
    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    CHECK_INT(ant_stop(), 0);
    close(null);
    return 0;
}
