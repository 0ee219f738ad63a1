/* A goroutine that was in user code when the runtime was stopped closes, as its next call, a handle on
 * which a plain thread waits: the thread is woken all the same, and the stop does not wait for ever.
 *
 * Catches: a file that is marked as closed by one that is abandoned before it has woken the others. */
#include "net_help.h"

static ant_io ends[2];
static atomic_bool spins;

static void *read_one(void *arg)
{
    char c;

    CHECK_INT(ant_read(ends[0], &c, 1), ANT_ECLOSED);
    return NULL;
}

static void close_late(void *arg)
{
    atomic_store(&spins, true);
    while (atomic_load(&ant__sched.life) != ANT__STOPPING)
        continue;
    usleep(1000); /* it is told so only now */
    ant_close(ends[0]);
}

TEST(net_stop_close)
{
    for (int i = 0; i < 20; i++) {
        pthread_t thread;

        CHECK_INT(ant_start(NULL), 0);
        CHECK_INT(ant_pipe(ends), 0);
        CHECK_INT(pthread_create(&thread, NULL, read_one, NULL), 0);
        await_waiters(1);
        atomic_store(&spins, false);
        CHECK_INT(ant_go(close_late, NULL), 0);
        while (!atomic_load(&spins))
            usleep(100);
        CHECK_INT(ant_stop(), 0);
        CHECK_INT(pthread_join(thread, NULL), 0);
    }
    return 0;
}
