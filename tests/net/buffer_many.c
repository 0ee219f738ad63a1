/* buffer_many - a thousand connections at once, each with a reader and a writer at both ends,
 * through buffers that are smaller than what goes to and fro. */
#include "net_help.h"

enum { CONNECTIONS = 1000, LINES = 20 };

struct talk {
    ant_io io;
    int number;
};

static ant_waitgroup all;

static void answer(void *copy)
{
    struct talk *t = copy;
    char in[24], out[40], *line;
    ant_reader r;
    ant_writer w;
    int got, n = 0;

    CHECK_INT(ant_reader_init(&r, t->io, in, sizeof in), 0);
    CHECK_INT(ant_writer_init(&w, t->io, out, sizeof out), 0);
    while ((got = ant_reader_read_line(&r, &line, NULL)) > 0) {
        CHECK(ant_writer_printf(&w, "%d: %s\n", n++, line) > 0);
        if (ant_reader_peek(&r, 1, &(const void *){NULL}) == 0 || n % 5 == 0)
            CHECK_INT(ant_writer_flush(&w), 0);
    }
    CHECK_INT(got, 0);
    CHECK_INT(n, LINES);
    CHECK_INT(ant_writer_flush(&w), 0);
    CHECK_INT(ant_close(t->io), 0);
    ant_waitgroup_done(&all);
}

static void ask(void *copy)
{
    struct talk *t = copy;
    char in[40], out[24], expected[40], *line;
    ant_reader r;
    ant_writer w;

    CHECK_INT(ant_reader_init(&r, t->io, in, sizeof in), 0);
    CHECK_INT(ant_writer_init(&w, t->io, out, sizeof out), 0);
    for (int i = 0; i < LINES; i++)
        CHECK(ant_writer_printf(&w, "line %d of %d\n", i, t->number) > 0);
    CHECK_INT(ant_writer_flush(&w), 0);
    CHECK_INT(ant_shutdown(t->io, SHUT_WR), 0);
    for (int i = 0; i < LINES; i++) {
        snprintf(expected, sizeof expected, "%d: line %d of %d", i, i, t->number);
        CHECK_INT(ant_reader_read_line(&r, &line, NULL), 1);
        CHECK_STR(line, expected);
    }
    CHECK_INT(ant_reader_read_line(&r, &line, NULL), 0);
    CHECK_INT(ant_close(t->io), 0);
    ant_waitgroup_done(&all);
}

/* As many as there may be descriptors for. */
static int connections(void)
{
    struct rlimit limit;
    int n = test_scale_least(CONNECTIONS, 100);

    CHECK_INT(getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = limit.rlim_max;
    CHECK_INT(setrlimit(RLIMIT_NOFILE, &limit), 0);
    return limit.rlim_cur > 2 * (rlim_t)n + 100 ? n : (int)(limit.rlim_cur - 100) / 2;
}

static int run(void *arg)
{
    int n = connections();

    ant_waitgroup_add(&all, 2 * n);
    for (int i = 0; i < n; i++) {
        struct talk t = {.number = i};
        ant_io ends[2];

        unix_pair(ends);
        t.io = ends[0];
        CHECK_INT(ant_go_copy(answer, &t, sizeof t), 0);
        t.io = ends[1];
        CHECK_INT(ant_go_copy(ask, &t, sizeof t), 0);
    }
    ant_waitgroup_wait(&all);
    return 0;
}

TEST(buffer_many)
{
    return run_and_check_leaks(run);
}
