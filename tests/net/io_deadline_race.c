/* One goroutine changes the deadlines of a connection without end, in both directions, while bytes
 * go forth and back. Every byte arrives, in order, and who was timed out can go on.
 *
 * Catches: a wake-up lost between deadline and data, a timer that fires for a deadline that is no
 * more, bytes lost by a read that timed out. */
#include "net_help.h"

enum { FULL = 4000 };

static ant_io ends[2];
static _Atomic bool over;
static _Atomic long timeouts;
static ant_waitgroup wg;

static void change(void *arg)
{
    ant_io io = *(ant_io *)arg;

    for (unsigned i = 0; !atomic_load(&over); i++) {
        ant_time when = i % 4 == 0 ? 0 : i % 4 == 1 ? 1 : ant_now() + i % 64 * ANT_MICROSECOND;

        CHECK_INT(i % 3 ? ant_set_deadline(io, when) : ant_set_read_deadline(io, when), 0);
        if (i % 8 == 0)
            ant_sleep(50 * ANT_MICROSECOND);
        else
            ant_yield();
    }
    CHECK_INT(ant_set_deadline(io, 0), 0);
    ant_waitgroup_done(&wg);
}

/* Again after every timeout. */
static void move(ssize_t (*call)(ant_io io, unsigned char *byte), ant_io io, unsigned char *byte)
{
    ssize_t n;

    while ((n = call(io, byte)) == ANT_ETIMEOUT) {
        atomic_fetch_add(&timeouts, 1);
        ant_yield();
    }
    CHECK_INT(n, 1);
}

static ssize_t read_byte(ant_io io, unsigned char *byte)
{
    return ant_read(io, byte, 1);
}

static ssize_t write_byte(ant_io io, unsigned char *byte)
{
    return ant_write(io, byte, 1);
}

static void echo(void *arg)
{
    unsigned char byte;

    for (int i = 0; i < test_scale(FULL); i++) {
        move(read_byte, ends[1], &byte);
        CHECK_INT(byte, (unsigned char)i);
        move(write_byte, ends[1], &byte);
    }
    ant_waitgroup_done(&wg);
}

static void play(void)
{
    unsigned char byte;

    atomic_store(&over, false);
    ant_waitgroup_add(&wg, 3);
    CHECK_INT(ant_go(echo, NULL), 0);
    CHECK_INT(ant_go(change, &ends[0]), 0);
    CHECK_INT(ant_go(change, &ends[1]), 0);
    for (int i = 0; i < test_scale(FULL); i++) {
        byte = (unsigned char)i;
        move(write_byte, ends[0], &byte);
        move(read_byte, ends[0], &byte);
        CHECK_INT(byte, (unsigned char)i);
    }
    atomic_store(&over, true);
    ant_waitgroup_wait(&wg);
    close_pair(ends);
}

static int run(void *arg)
{
    double end = test_now() + torture_seconds(0) / 2;

    do {
        tcp_pair(ends);
        play();
        unix_pair(ends);
        play();
    } while (test_now() < end);
    return 0;
}

TEST(io_deadline_race)
{
    return run_and_check_leaks(run);
}
