/* A writer of 8 MB waits for a reader that takes little at a time, and gets on; readv, writev and
 * read_full move what they are to move.
 *
 * Catches: a writer that is not woken when there is room again; bytes in the wrong order. */
#include <sys/uio.h>

#include "net_help.h"

enum { FULL = 8 << 20 };

static unsigned char *sent, *got;
static ant_waitgroup wg;

static size_t size(void)
{
    return (size_t)test_scale(8) << 20;
}

static void write_all(void *arg)
{
    CHECK_INT(ant_write(*(ant_io *)arg, sent, size()), size());
    CHECK_INT(ant_close(*(ant_io *)arg), 0);
    ant_waitgroup_done(&wg);
}

static void read_slowly(ant_io io)
{
    size_t n = 0, step = 1;

    while (n < size()) {
        size_t want = step % 70000 < size() - n ? step % 70000 : size() - n;
        ssize_t m = ant_read(io, got + n, want ? want : 1);

        CHECK(m > 0);
        n += (size_t)m;
        step = step * 5 + 3;
        if (step % 32 == 0)
            ant_sleep(50 * ANT_MICROSECOND);
    }
    CHECK_INT(ant_read(io, got, 1), 0);
}

static void transfer(ant_io ends[2])
{
    memset(got, 0, FULL);
    ant_waitgroup_add(&wg, 1);
    CHECK_INT(ant_go(write_all, &ends[0]), 0);
    read_slowly(ends[1]);
    CHECK(!memcmp(got, sent, size()));
    ant_waitgroup_wait(&wg);
    CHECK_INT(ant_close(ends[1]), 0);
}

static void check_vectors(ant_io ends[2])
{
    char a[3], b[5] = "", c[100];
    struct iovec out[3] = {{"abc", 3}, {NULL, 0}, {"defgh", 5}};
    struct iovec in[2] = {{a, sizeof a}, {b, sizeof b}};

    CHECK_INT(ant_writev(ends[0], out, 3), 8);
    CHECK_INT(ant_readv(ends[1], in, 2), 8);
    CHECK(!memcmp(a, "abc", 3) && !memcmp(b, "defgh", 5));
    CHECK_INT(ant_write(ends[0], "12345", 5), 5);
    CHECK_INT(ant_read_full(ends[1], c, 4), 4);
    CHECK_INT(ant_shutdown(ends[0], SHUT_WR), 0);
    CHECK_INT(ant_read_full(ends[1], c, 4), 1); /* the end came first */
    CHECK_INT(c[0], '5');
    CHECK_INT(ant_read_full(ends[1], c, 4), 0);
    CHECK_INT(ant_readv(ends[1], in, 2), 0);
    CHECK_INT(ant_writev(ends[0], out, 3), -EPIPE);
    close_pair(ends);
}

static int run(void *arg)
{
    ant_io ends[2];

    for (size_t i = 0; i < FULL; i++)
        sent[i] = (unsigned char)(i * 7 + i / 251);
    for (int i = 0; i < 2; i++) {
        i ? unix_pair(ends) : tcp_pair(ends);
        transfer(ends);
        i ? unix_pair(ends) : tcp_pair(ends);
        check_vectors(ends);
    }
    return 0;
}

TEST(net_slow_reader)
{
    sent = test_memory(FULL);
    got = test_memory(FULL);
    return run_and_check_leaks(run);
}
