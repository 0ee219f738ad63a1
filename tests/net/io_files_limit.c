/* Calls on regular files block a thread each, so there are at most 256 at a time: of more goroutines
 * that read, the others wait for their turn, and get it. The reads are done by a pread of our own, which
 * waits until it is told.
 *
 * Catches: a limit that is not kept, or turns that are not given back. */
#include <pthread.h>
#include <stdatomic.h>

#include "net_help.h"

enum { LIMIT = 256, READERS = 300 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t told = PTHREAD_COND_INITIALIZER;
static bool answer; /* under lock */
static atomic_int at_once, most;
static ant_waitgroup wg;

ssize_t pread(int fd, void *buf, size_t size, off_t at)
{
    int now = atomic_fetch_add(&at_once, 1) + 1;

    for (int seen = atomic_load(&most); now > seen;)
        if (atomic_compare_exchange_weak(&most, &seen, now))
            break;
    pthread_mutex_lock(&lock);
    while (!answer)
        pthread_cond_wait(&told, &lock);
    pthread_mutex_unlock(&lock);
    atomic_fetch_sub(&at_once, 1);
    return 1;
}

static void tell_all(void)
{
    pthread_mutex_lock(&lock);
    answer = true;
    pthread_cond_broadcast(&told);
    pthread_mutex_unlock(&lock);
}

static void read_byte(void *arg)
{
    char byte;

    CHECK_INT(ant_pread(*(ant_io *)arg, &byte, 1, 0), 1);
    ant_waitgroup_done(&wg);
}

static void count_turn_waiters(struct ant__g *g, void *arg)
{
    *(int *)arg +=
        ant__load_relaxed(&g->state) == ANT__G_WAITING && g->reason == (uint8_t)ANT__WAIT_SEM;
}

static int turn_waiters(void)
{
    int n = 0;

    ant__g_visit(count_turn_waiters, &n);
    return n;
}

static int run(void *arg)
{
    ant_io io;

    CHECK_INT(ant_open(&io, "/proc/self/exe", O_RDONLY, 0), 0);
    ant_waitgroup_add(&wg, READERS);
    for (int i = 0; i < READERS; i++)
        CHECK_INT(ant_go(read_byte, &io), 0);
    while (atomic_load(&at_once) + turn_waiters() < READERS)
        ant_sleep(ANT_MILLISECOND);
    CHECK_INT(atomic_load(&most), LIMIT);
    tell_all();
    ant_waitgroup_wait(&wg);
    CHECK_INT(atomic_load(&most), LIMIT);
    CHECK_INT(ant_close(io), 0);
    return 0;
}

TEST(io_files_limit)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
