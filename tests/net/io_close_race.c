/* Handles are closed while goroutines and threads are in the middle of reads and writes on them, and the
 * numbers of their descriptors go to other files at once. Every call returns bytes of its own
 * connection, the end, or that it is closed; the other files are neither read nor written.
 *
 * Catches: a descriptor that is closed while a call still uses it, a stale handle that means another
 * file, a call that is not woken, a descriptor that nobody closes. */
#include "net_help.h"

enum { ROUNDS = 2500, GOROUTINES = 3, THREADS = 1, POISON = 255, POISONS = 16 };

/* The connection that is in use: its bytes are all `tag`. */
static struct {
    ant_mutex lock;
    ant_io ends[2];
    unsigned char tag;
} current;

static _Atomic bool over;
static _Atomic long calls;
static ant_waitgroup wg;

static unsigned char take_current(ant_io *ret_io, int end)
{
    unsigned char tag;

    ant_mutex_lock(&current.lock);
    *ret_io = current.ends[end];
    tag = current.tag;
    ant_mutex_unlock(&current.lock);
    return tag;
}

/* Nobody is to wait for who has enough to do. */
static void made_one(void)
{
    if (atomic_fetch_add(&calls, 1) % 4 == 0)
        ant_yield();
}

static void read_some(void)
{
    unsigned char bytes[64];
    ant_io io;
    unsigned char tag = take_current(&io, 0);
    ssize_t n;

    while ((n = ant_read(io, bytes, sizeof bytes)) > 0) {
        for (ssize_t i = 0; i < n; i++)
            CHECK_INT(bytes[i], tag);
        made_one();
    }
    if (n != 0)
        CHECK_INT(n, ANT_ECLOSED);
}

/* When the end to be read from is closed first, the system says so in its own way. */
static void write_some(void)
{
    unsigned char bytes[64];
    ant_io io;
    ssize_t n;

    memset(bytes, take_current(&io, 1), sizeof bytes);
    while ((n = ant_write(io, bytes, sizeof bytes)) > 0)
        made_one();
    if (n != -EPIPE && n != -ECONNRESET)
        CHECK_INT(n, ANT_ECLOSED);
}

static void read_always(void *arg)
{
    while (!atomic_load(&over)) {
        read_some();
        ant_yield();
    }
    ant_waitgroup_done(&wg);
}

static void write_always(void *arg)
{
    while (!atomic_load(&over)) {
        write_some();
        ant_yield();
    }
    ant_waitgroup_done(&wg);
}

static void *read_in_thread(void *arg)
{
    read_always(arg);
    return NULL;
}

static void *write_in_thread(void *arg)
{
    write_always(arg);
    return NULL;
}

/* ---- the files that get the numbers ---- */

static void decoy_open(int ret_fds[2])
{
    unsigned char bytes[POISONS];

    memset(bytes, POISON, sizeof bytes);
    CHECK_INT(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ret_fds), 0);
    for (int i = 0; i < 2; i++)
        CHECK_INT(write(ret_fds[i], bytes, sizeof bytes), sizeof bytes);
}

/* What was written to them is there, and nothing else. */
static void decoy_close(const int fds[2])
{
    unsigned char bytes[2 * POISONS];

    for (int i = 0; i < 2; i++) {
        CHECK_INT(recv(fds[i], bytes, sizeof bytes, MSG_DONTWAIT), POISONS);
        for (int k = 0; k < POISONS; k++)
            CHECK_INT(bytes[k], POISON);
    }
    for (int i = 0; i < 2; i++)
        CHECK_INT(close(fds[i]), 0);
}

/* ---- opening and closing ---- */

static void make_current(int i)
{
    ant_io ends[2];

    if (i % 3 == 0)
        CHECK_INT(ant_pipe(ends), 0);
    else
        i % 3 == 1 ? unix_pair(ends) : tcp_pair(ends);
    atomic_store(&calls, 0);
    ant_mutex_lock(&current.lock);
    memcpy(current.ends, ends, sizeof ends);
    current.tag = (unsigned char)(i % POISON);
    ant_mutex_unlock(&current.lock);
}

static void play(int i)
{
    ant_io ends[2] = {current.ends[0], current.ends[1]};
    int decoys[2][2];

    while (atomic_load(&calls) < i % 11)
        ant_yield();
    CHECK_INT(ant_close(ends[i & 1]), 0);
    decoy_open(decoys[0]);
    CHECK_INT(ant_close(ends[!(i & 1)]), 0);
    decoy_open(decoys[1]);
    make_current(i + 1); /* they have somewhere to go */
    while (atomic_load(&calls) < i % 3)
        ant_yield();
    decoy_close(decoys[0]);
    decoy_close(decoys[1]);
}

static int run(void *arg)
{
    double end = test_now() + torture_seconds(0) / 2;
    pthread_t threads[2 * THREADS];

    atomic_store(&over, false);
    make_current(0);
    ant_waitgroup_add(&wg, 2 * (GOROUTINES + THREADS));
    for (int i = 0; i < GOROUTINES; i++) {
        CHECK_INT(ant_go(read_always, NULL), 0);
        CHECK_INT(ant_go(write_always, NULL), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        CHECK_INT(pthread_create(&threads[2 * i], NULL, read_in_thread, NULL), 0);
        CHECK_INT(pthread_create(&threads[2 * i + 1], NULL, write_in_thread, NULL), 0);
    }
    for (int i = 0; i < test_scale(ROUNDS) || test_now() < end; i++)
        play(i);
    atomic_store(&over, true);
    close_pair(current.ends);
    ant_waitgroup_wait(&wg);
    for (int i = 0; i < 2 * THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

TEST(io_close_race)
{
    signal(SIGPIPE, SIG_IGN);
    return run_and_check_leaks(run);
}
