/* Descriptors are opened and closed all the time, so that places are used again, while others keep
 * the handles of those that were closed and call with them: each answers ANT_ECLOSED, and what lies
 * in its place now is not touched.
 *
 * Catches: a handle that means another descriptor; a closing that closes another's. */
#include "net_help.h"

enum { KEPT = 64, FULL = 3000, OPENERS = 4 };

static ant_io kept[KEPT];
static ant_mutex mutex;
static _Atomic bool over;
static ant_waitgroup openers, stale;

static void keep(ant_io io, unsigned i)
{
    ant_mutex_lock(&mutex);
    kept[i % KEPT] = io;
    ant_mutex_unlock(&mutex);
}

static void try_stale(void *arg)
{
    char c;

    for (unsigned i = 0; !atomic_load(&over); i++) {
        ant_io io;

        ant_mutex_lock(&mutex);
        io = kept[i % KEPT];
        ant_mutex_unlock(&mutex);
        if (!io.file)
            continue;
        CHECK_INT(ant_read(io, &c, 1), ANT_ECLOSED);
        CHECK_INT(ant_write(io, "!", 1), ANT_ECLOSED);
        CHECK_INT(ant_set_deadline(io, 1), ANT_ECLOSED);
        CHECK_INT(ant_close(io), ANT_ECLOSED);
        ant_yield();
    }
    ant_waitgroup_done(&stale);
}

static void open_and_close(void *arg)
{
    unsigned n = (unsigned)test_scale(FULL);

    for (unsigned i = 0; i < n; i++) {
        ant_io ends[2];
        char c;

        CHECK_INT(ant_pipe(ends), 0);
        CHECK_INT(ant_write(ends[1], "x", 1), 1);
        CHECK_INT(ant_read(ends[0], &c, 1), 1);
        CHECK_INT(c, 'x');
        close_pair(ends);
        keep(ends[0], 2 * i);
        keep(ends[1], 2 * i + 1);
    }
    ant_waitgroup_done(&openers);
}

static void *thread(void *arg)
{
    try_stale(NULL);
    return NULL;
}

static int run(void *arg)
{
    pthread_t other;

    atomic_store(&over, false);
    ant_waitgroup_add(&stale, 2);
    CHECK_INT(pthread_create(&other, NULL, thread, NULL), 0);
    CHECK_INT(ant_go(try_stale, NULL), 0);
    ant_waitgroup_add(&openers, OPENERS);
    for (int i = 0; i < OPENERS; i++)
        CHECK_INT(ant_go(open_and_close, NULL), 0);
    ant_waitgroup_wait(&openers);
    atomic_store(&over, true);
    ant_waitgroup_wait(&stale);
    pthread_join(other, NULL);
    return 0;
}

TEST(io_stale_handle)
{
    return run_and_check_leaks(run);
}
