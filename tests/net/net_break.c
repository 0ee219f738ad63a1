/* A thread that sleeps in the poller is woken for other work too: a goroutine that a plain thread
 * makes, a timer, a stop.
 *
 * Catches: a wake-up that only reaches threads asleep on their notes. (Then this hangs.) */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { TIMES = 200 };

static _Atomic int ran;

static void count(void *arg)
{
    atomic_fetch_add(&ran, 1);
}

static void nap(void *arg)
{
    ant_sleep(ANT_MILLISECOND);
    atomic_fetch_add(&ran, 1);
}

TEST(net_break)
{
    ant_io ends[2];

    for (int round = 0; round < 3; round++) {
        CHECK_INT(ant_start(NULL), 0);
        CHECK_INT(ant_pipe(ends), 0);
        for (int i = 0; i < TIMES; i++) {
            atomic_store(&ran, 0);
            if (i % 10 == 0)
                usleep(2000); /* long enough for all threads to fall asleep */
            CHECK_INT(ant_go(i % 2 ? count : nap, NULL), 0);
            while (atomic_load(&ran) == 0)
                usleep(10);
        }
        CHECK_INT(ant_stop(), 0);
        CHECK_INT(ant_close(ends[0]), ANT_ECLOSED);
    }
    return 0;
}
