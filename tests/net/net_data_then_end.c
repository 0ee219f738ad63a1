/* Bytes followed at once by the end, of many sizes and read by buffers of many sizes, so that reads
 * are short, exact and long: all bytes come, and then the end.
 *
 * Catches: a read that came short is taken for "there is nothing until the next event", though the
 * end came along with the bytes and there will be no other event. */
#include "net_help.h"

enum { BUFFER = 256, FULL = 2500 };

static ant_waitgroup wg;

struct sending {
    ant_io io;
    int size;
    bool shut;
};

static void send_and_end(void *arg)
{
    static const char bytes[2 * BUFFER];
    struct sending *s = arg;

    if (s->size)
        CHECK_INT(ant_write(s->io, bytes, (size_t)s->size), s->size);
    if (s->shut)
        CHECK_INT(ant_shutdown(s->io, SHUT_WR), 0);
    CHECK_INT(ant_close(s->io), 0);
    ant_waitgroup_done(&wg);
}

static int read_all(ant_io io, size_t at_a_time)
{
    char buf[BUFFER];
    int total = 0;
    ssize_t n;

    while ((n = ant_read(io, buf, at_a_time)) > 0)
        total += (int)n;
    CHECK_INT(n, 0);
    CHECK_INT(ant_read(io, buf, at_a_time), 0);
    return total;
}

static void one(int i)
{
    const int sizes[] = {0, 1, BUFFER - 1, BUFFER, BUFFER + 1, 2 * BUFFER};
    struct sending s = {.size = sizes[i % 6], .shut = i / 6 % 2};
    ant_io ends[2];
    struct reader r;

    i % 5 ? tcp_pair(ends) : unix_pair(ends);
    s.io = ends[0];
    ant_waitgroup_add(&wg, 1);
    if (i % 7 == 0) { /* or one waits already */
        reader_start(&r, ends[1], NULL);
        await_waiters(1);
    }
    CHECK_INT(ant_go_copy(send_and_end, &s, sizeof s), 0);
    if (i % 3 == 0)
        ant_yield();
    if (i % 7 == 0)
        s.size -= (int)reader_end(&r);
    CHECK_INT(read_all(ends[1], i % 4 ? BUFFER : 100), s.size);
    ant_waitgroup_wait(&wg);
    CHECK_INT(ant_close(ends[1]), 0);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(FULL); i++)
        one(i);
    return 0;
}

TEST(net_data_then_end)
{
    return run_and_check_leaks(run);
}
