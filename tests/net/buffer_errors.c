/* buffer_errors - what readers and writers refuse, and what happens after an error: a timeout and a
 * cancel lose no byte and the call can be made again; any other is final, but what was read before
 * can be taken. A closed handle, a broken connection, a context that is done before. */
#include "net_help.h"

static char memory[16], out_memory[16];

static void check_bad_arguments(void)
{
    ant_reader r, none = {.err = 0};
    ant_writer w, nobody = {.err = 0};
    ant_io io = {0};
    const void *bytes;
    char *line, c;

    CHECK_INT(ant_reader_init(NULL, io, memory, 16), -EINVAL);
    CHECK_INT(ant_reader_init(&r, io, NULL, 16), -EINVAL);
    CHECK_INT(ant_reader_init(&r, io, memory, 1), -EINVAL);
    CHECK_INT(ant_writer_init(NULL, io, memory, 16), -EINVAL);
    CHECK_INT(ant_writer_init(&w, io, NULL, 16), -EINVAL);
    CHECK_INT(ant_writer_init(&w, io, memory, 1), -EINVAL);
    CHECK_INT(ant_reader_init(&r, io, memory, 2), 0);
    CHECK_INT(ant_writer_init(&w, io, memory, 2), 0);
    CHECK_INT(ant_reader_read_line(NULL, &line, NULL), -EINVAL);
    CHECK_INT(ant_reader_read_line(&r, NULL, NULL), -EINVAL);
    CHECK_INT(ant_reader_read_line(&none, &line, NULL), -EINVAL);
    CHECK_INT(ant_reader_read(NULL, &c, 1), -EINVAL);
    CHECK_INT(ant_reader_read(&r, NULL, 1), -EINVAL);
    CHECK_INT(ant_reader_read_full(&none, &c, 1), -EINVAL);
    CHECK_INT(ant_reader_peek(&r, 0, &bytes), -EINVAL);
    CHECK_INT(ant_reader_peek(&r, 1, NULL), -EINVAL);
    CHECK_INT(ant_writer_write(&w, NULL, 1), -EINVAL);
    CHECK_INT(ant_writer_write(&nobody, &c, 1), -EINVAL);
    CHECK_INT(ant_writer_printf(NULL, "x"), -EINVAL);
    CHECK_INT(ant_writer_flush(&nobody), -EINVAL);
    CHECK_INT(ant_reader_read_line(&r, &line, NULL), -EBADF); /* as of a zero handle */
    CHECK(!ant_reader_was_cut(NULL));
}

/* A line comes in three parts, with a timeout and a cancel between them. */
static void check_goes_on(void)
{
    ant_io ends[2];
    ant_reader r;
    char *line;
    ant_ctx *canceled;

    unix_pair(ends);
    CHECK_INT(ant_ctx_with_cancel(&canceled, NULL), 0);
    CHECK_INT(ant_reader_init(&r, ends[0], memory, sizeof memory), 0);
    CHECK_INT(ant_write(ends[1], "one ", 4), 4);
    {
        ANT_TIMEOUT(ctx, NULL, ANT_MILLISECOND);
        CHECK_INT(ant_reader_read_line_ctx(&r, &line, NULL, ctx), ANT_ETIMEOUT);
    }
    CHECK_INT(ant_set_read_deadline(ends[0], ant_now()), 0);
    CHECK_INT(ant_reader_read_line(&r, &line, NULL), ANT_ETIMEOUT);
    CHECK_INT(ant_set_read_deadline(ends[0], 0), 0);
    CHECK_INT(ant_write(ends[1], "two\nthree\n", 10), 10);
    ant_ctx_cancel(canceled);
    CHECK_INT(ant_reader_read_line_ctx(&r, &line, NULL, canceled), ANT_ECANCELED);
    CHECK_INT(ant_reader_read_line(&r, &line, NULL), 1);
    CHECK_STR(line, "one two");
    CHECK_INT(ant_reader_read_line_ctx(&r, &line, NULL, canceled), ANT_ECANCELED);
    CHECK_INT(ant_reader_peek_ctx(&r, 1, &(const void *){NULL}, canceled), ANT_ECANCELED);
    CHECK_INT(ant_reader_read_ctx(&r, out_memory, 1, canceled), ANT_ECANCELED);
    CHECK_INT(ant_reader_read_full_ctx(&r, out_memory, 1, canceled), ANT_ECANCELED);
    CHECK_INT(ant_reader_read_line(&r, &line, NULL), 1); /* it was in the buffer */
    CHECK_STR(line, "three");
    ant_ctx_unref(canceled);
    close_pair(ends);
}

static void close_soon(void *io)
{
    await_waiters(1);
    CHECK_INT(ant_close(*(ant_io *)io), 0);
}

static void check_closed(void)
{
    char bytes[8] = "", *line;
    ant_io ends[2];
    ant_reader r;

    unix_pair(ends);
    CHECK_INT(ant_reader_init(&r, ends[0], memory, sizeof memory), 0);
    CHECK_INT(ant_write(ends[1], "a\nbcd", 5), 5);
    CHECK_INT(ant_reader_read_line(&r, &line, NULL), 1);
    CHECK_INT(ant_go_copy(close_soon, &ends[0], sizeof ends[0]), 0);
    CHECK_INT(ant_reader_read_line(&r, &line, NULL), ANT_ECLOSED);
    CHECK_INT(ant_reader_read(&r, bytes, 2), 2); /* what was read before */
    CHECK_STR(bytes, "bc");
    CHECK_INT(ant_reader_read_full(&r, bytes, 2), 1);
    CHECK_INT(bytes[0], 'd');
    for (int i = 0; i < 2; i++) {
        CHECK_INT(ant_reader_read(&r, bytes, 2), ANT_ECLOSED);
        CHECK_INT(ant_reader_read(&r, bytes, sizeof memory), ANT_ECLOSED);
        CHECK_INT(ant_reader_peek(&r, 1, &(const void *){NULL}), ANT_ECLOSED);
    }
    CHECK_INT(ant_close(ends[1]), 0);
}

/* A reset is told by the system once, and is no end of the file after that. */
static void check_reset(void)
{
    const struct linger at_once = {.l_onoff = 1};
    ant_io ends[2];
    ant_reader r;
    char *line;

    tcp_pair(ends);
    CHECK_INT(ant_reader_init(&r, ends[0], memory, sizeof memory), 0);
    CHECK_INT(ant_write(ends[1], "ab", 2), 2);
    CHECK_INT(ant_reader_peek(&r, 2, &(const void *){NULL}), 2);
    CHECK_INT(setsockopt(ant_io_fd(ends[1]), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once), 0);
    CHECK_INT(ant_close(ends[1]), 0);
    for (int i = 0; i < 3; i++)
        CHECK_INT(ant_reader_read_line(&r, &line, NULL), -ECONNRESET);
    CHECK_INT(ant_reader_read_full(&r, out_memory, 10), 2);
    CHECK_INT(ant_reader_read_full(&r, out_memory, 10), -ECONNRESET);
    CHECK_INT(ant_close(ends[0]), 0);
}

static size_t drain(ant_io io, char *bytes, size_t size)
{
    ssize_t n = recv(ant_io_fd(io), bytes, size, MSG_DONTWAIT);

    return n > 0 ? (size_t)n : 0;
}

/* Nothing is lost, and nothing comes twice, of what a flush could not write in time. */
static void check_writer_goes_on(void)
{
    static char bytes[1 << 20];
    size_t before, n = 0;
    ant_io ends[2];
    ant_writer w;

    unix_pair(ends);
    before = fill_up(ends[0]);
    CHECK_INT(ant_writer_init(&w, ends[0], out_memory, sizeof out_memory), 0);
    CHECK_INT(ant_writer_printf(&w, "%s", "0123456789"), 10);
    for (int i = 0; i < 2; i++) {
        ANT_TIMEOUT(ctx, NULL, ANT_MILLISECOND);
        CHECK_INT(ant_writer_flush_ctx(&w, ctx), ANT_ETIMEOUT);
        CHECK_INT(ant_writer_write_ctx(&w, "x", 1, ctx), ANT_ETIMEOUT);
        CHECK_INT(ant_writer_printf_ctx(&w, ctx, "x"), ANT_ETIMEOUT);
    }
    {
        ANT_TIMEOUT(ctx, NULL, ANT_MILLISECOND);
        CHECK_INT(ant_writer_write_ctx(&w, "abcdefghij", 10, ctx), 6); /* the buffer is full then */
    }
    {
        ANT_TIMEOUT(ctx, NULL, ANT_MILLISECOND);
        CHECK_INT(ant_writer_printf_ctx(&w, ctx, "xyz"), ANT_ETIMEOUT);
    }
    while (n < before)
        n += drain(ends[1], bytes, sizeof bytes);
    CHECK_INT(ant_writer_write(&w, "ghij", 4), 4);
    CHECK_INT(ant_writer_flush(&w), 0);
    CHECK_INT(ant_writer_flush(&w), 0);
    CHECK_INT(ant_read_full(ends[1], bytes, 20), 20);
    CHECK(!memcmp(bytes, "0123456789abcdefghij", 20));
    close_pair(ends);
}

static void check_writer_fails(void)
{
    ant_io ends[2];
    ant_writer w;

    unix_pair(ends);
    CHECK_INT(ant_writer_init(&w, ends[0], out_memory, sizeof out_memory), 0);
    CHECK_INT(ant_close(ends[1]), 0);
    CHECK_INT(ant_writer_write(&w, "abc", 3), 3); /* nobody has tried yet */
    for (int i = 0; i < 2; i++) {
        CHECK_INT(ant_writer_flush(&w), -EPIPE);
        CHECK_INT(ant_writer_write(&w, "abc", 3), -EPIPE);
        CHECK_INT(ant_writer_printf(&w, "abc"), -EPIPE);
    }
    CHECK_INT(ant_close(ends[0]), 0);
    CHECK_INT(ant_writer_init(&w, ends[0], out_memory, sizeof out_memory), 0);
    CHECK_INT(ant_writer_write(&w, "0123456789012345678", 19), ANT_ECLOSED); /* not buffered */
    CHECK_INT(ant_writer_flush(&w), ANT_ECLOSED);
}

static int run(void *arg)
{
    check_bad_arguments();
    check_goes_on();
    check_closed();
    check_reset();
    check_writer_goes_on();
    check_writer_fails();
    return 0;
}

TEST(buffer_errors)
{
    return run_and_check_leaks(run);
}
