/* Deadlines: past, coming while one waits, moved later, moved earlier, taken away; after a timeout
 * another one makes the descriptor usable again; those of the two directions are apart.
 *
 * Catches: a waiter that is not woken by its deadline or is by one that was moved, a deadline that
 * stays, one that hits the other direction. */
#include "net_help.h"

static void check_past(ant_io ends[2])
{
    char c = 'x';

    CHECK_INT(ant_write(ends[1], "abc", 3), 3);
    CHECK_INT(ant_set_read_deadline(ends[0], 1), 0);
    CHECK_INT(ant_read(ends[0], &c, 1), ANT_ETIMEOUT); /* though there is something */
    CHECK_INT(ant_write(ends[0], &c, 1), 1);
    CHECK_INT(ant_set_read_deadline(ends[0], 0), 0);
    CHECK_INT(ant_read(ends[0], &c, 1), 1);
    CHECK_INT(ant_set_write_deadline(ends[0], ant_now()), 0);
    CHECK_INT(ant_write(ends[0], &c, 1), ANT_ETIMEOUT);
    CHECK_INT(ant_read(ends[0], &c, 1), 1);
    CHECK_INT(ant_set_deadline(ends[0], 1), 0);
    CHECK_INT(ant_read(ends[0], &c, 1), ANT_ETIMEOUT);
    CHECK_INT(ant_write(ends[0], &c, 1), ANT_ETIMEOUT);
    CHECK_INT(ant_set_deadline(ends[0], ant_now() + ANT_HOUR), 0);
    CHECK_INT(ant_read(ends[0], &c, 1), 1);
    CHECK_INT(c, 'c');
    CHECK_INT(ant_write(ends[0], &c, 1), 1);
    CHECK_INT(ant_set_deadline(ends[0], 0), 0);
    CHECK_INT(ant_set_deadline(ends[0], -1), -EINVAL);
}

static void check_while_waiting(ant_io ends[2])
{
    ant_time deadline = ant_now() + 3 * ANT_MILLISECOND;
    struct reader r;

    CHECK_INT(ant_set_read_deadline(ends[0], deadline), 0);
    reader_start(&r, ends[0], NULL);
    CHECK_INT(reader_end(&r), ANT_ETIMEOUT);
    CHECK(ant_now() >= deadline);
    CHECK_INT(ant_read(ends[0], &r.byte, 1), ANT_ETIMEOUT);

    CHECK_INT(ant_set_read_deadline(ends[0], 0), 0);
    reader_start(&r, ends[0], NULL);
    await_waiters(1);
    CHECK_INT(ant_set_read_deadline(ends[0], 1), 0); /* set while it waits, in the past */
    CHECK_INT(reader_end(&r), ANT_ETIMEOUT);
    CHECK_INT(ant_set_read_deadline(ends[0], 0), 0);
}

/* To `later`, or to none (0), in time: then who waits sleeps on. */
static void check_moved_away(ant_io ends[2], ant_time later)
{
    struct reader r;
    ant_time first;
    ssize_t n;
    bool in_time;

    do {
        first = ant_now() + 10 * ANT_MILLISECOND;
        CHECK_INT(ant_set_read_deadline(ends[0], first), 0);
        reader_start(&r, ends[0], NULL);
        while (io_waiters() != 1 && ant_now() < first)
            ant_yield();
        CHECK_INT(ant_set_read_deadline(ends[0], later), 0);
        in_time = ant_now() < first;
        ant_sleep(first - ant_now() + ANT_MILLISECOND);
        CHECK_INT(ant_write(ends[1], "x", 1), 1);
        n = reader_end(&r);
        if (in_time)
            CHECK_INT(n, 1);
        else if (n != 1)
            CHECK_INT(ant_read(ends[0], &r.byte, 1), 1);
    } while (!in_time);
    CHECK_INT(ant_set_read_deadline(ends[0], 0), 0);
}

static void check_moved_nearer(ant_io ends[2])
{
    struct reader r;

    CHECK_INT(ant_set_read_deadline(ends[0], ant_now() + ANT_HOUR), 0);
    reader_start(&r, ends[0], NULL);
    await_waiters(1);
    CHECK_INT(ant_set_read_deadline(ends[0], ant_now() + ANT_MILLISECOND), 0);
    CHECK_INT(reader_end(&r), ANT_ETIMEOUT);
    CHECK_INT(ant_set_read_deadline(ends[0], 0), 0);
    CHECK_INT(ant_write(ends[1], "x", 1), 1);
    CHECK_INT(ant_read(ends[0], &r.byte, 1), 1);
}

/* A writer that waits for room is not touched by the deadline of those that read, and is by its
 * own; the bytes before that count. */
static void check_writer(void)
{
    enum { BIG = 4 << 20 };
    char *big = test_memory(BIG);
    ant_io ends[2];
    struct reader r;

    unix_pair(ends);
    fill_up(ends[0]);
    CHECK_INT(ant_set_read_deadline(ends[0], 1), 0);
    CHECK_INT(ant_set_write_deadline(ends[0], ant_now() + 2 * ANT_MILLISECOND), 0);
    CHECK_INT(ant_write(ends[0], "x", 1), ANT_ETIMEOUT);
    CHECK_INT(ant_set_deadline(ends[0], 0), 0);
    reader_start(&r, ends[0], NULL);
    await_waiters(1);
    CHECK_INT(ant_set_write_deadline(ends[0], 1), 0);
    CHECK_INT(ant_write(ends[1], "x", 1), 1);
    CHECK_INT(reader_end(&r), 1); /* not ANT_ETIMEOUT */
    close_pair(ends);

    unix_pair(ends);
    CHECK_INT(ant_set_write_deadline(ends[0], ant_now() + 20 * ANT_MILLISECOND), 0);
    CHECK(ant_write(ends[0], big, BIG) < BIG);
    CHECK_INT(ant_write(ends[0], big, 1), ANT_ETIMEOUT);
    close_pair(ends);
}

static void check_listener(void)
{
    char address[ANT_ADDR_TEXT];
    ant_io listener = listen_tcp(address), ends[2];

    CHECK_INT(ant_set_deadline(listener, 1), 0);
    CHECK_INT(ant_accept(listener, &ends[1]), ANT_ETIMEOUT);
    CHECK_INT(ant_set_deadline(listener, ant_now() + ANT_MILLISECOND), 0);
    CHECK_INT(ant_accept(listener, &ends[1]), ANT_ETIMEOUT);
    CHECK_INT(ant_set_deadline(listener, 0), 0);
    CHECK_INT(ant_dial(&ends[0], "tcp", address), 0);
    CHECK_INT(ant_accept(listener, &ends[1]), 0);
    close_pair(ends);
    CHECK_INT(ant_close(listener), 0);
}

static int run(void *arg)
{
    ant_io ends[2];

    for (int i = 0; i < 2; i++) {
        i ? unix_pair(ends) : tcp_pair(ends);
        check_past(ends);
        check_while_waiting(ends);
        check_moved_away(ends, ant_now() + ANT_HOUR);
        check_moved_away(ends, 0);
        check_moved_nearer(ends);
        close_pair(ends);
    }
    check_writer();
    check_listener();
    return 0;
}

TEST(io_deadline)
{
    return run_and_check_leaks(run);
}
