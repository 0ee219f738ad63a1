/* buffer_lines - what a reader makes of given bytes, at the borders of its buffer: empty lines,
 * lines that just fit and that do not, an end without newline, '\r', other delimiters, peeking, and
 * mixed with reads. The bytes come at once, or one by one.
 *
 * Catches: a delimiter that is missed where the buffer ends, and bytes lost when it is moved. */
#include "net_help.h"

enum { MOST = 64 };

struct source {
    ant_io to;
    const char *bytes;
    size_t n;
    bool slowly;
};

static void feed(void *copy)
{
    struct source *s = copy;

    for (size_t i = 0, step = s->slowly ? 1 : s->n; i < s->n; i += step) {
        CHECK_INT(ant_write(s->to, s->bytes + i, step), step);
        if (s->slowly)
            ant_yield();
    }
    CHECK_INT(ant_close(s->to), 0);
}

static ant_reader reader;
static ant_io from;
static char memory[MOST];

/* A reader with a buffer of that size, to which these bytes come, and then the end. */
static void begin(size_t size, const char *bytes, size_t n, bool slowly)
{
    struct source s = {.bytes = bytes, .n = n, .slowly = slowly};
    ant_io ends[2];

    CHECK_INT(ant_pipe(ends), 0);
    from = ends[0];
    s.to = ends[1];
    CHECK_INT(ant_reader_init(&reader, from, memory, size), 0);
    CHECK_INT(ant_go_copy(feed, &s, sizeof s), 0);
}

static void begin_text(size_t size, const char *text, bool slowly)
{
    begin(size, text, strlen(text), slowly);
}

static void end(void)
{
    char *line = NULL;
    size_t length = 1;

    for (int i = 0; i < 2; i++) {
        CHECK_INT(ant_reader_read_line(&reader, &line, &length), 0);
        CHECK_INT(length, 0);
        CHECK_INT(ant_reader_read(&reader, memory, 1), 0);
        CHECK_INT(ant_reader_peek(&reader, 1, &(const void *){NULL}), 0);
    }
    CHECK_INT(ant_close(from), 0);
}

static void expect_line(const char *expected, bool cut)
{
    size_t length = 4711;
    char *line = NULL;

    CHECK_INT(ant_reader_read_line(&reader, &line, &length), 1);
    CHECK_STR(line, expected);
    CHECK_INT(length, strlen(expected));
    CHECK_INT(ant_reader_was_cut(&reader), cut);
}

static void expect_too_long(void)
{
    char *line = NULL;

    for (int i = 0; i < 2; i++)
        CHECK_INT(ant_reader_read_line(&reader, &line, NULL), -EMSGSIZE);
    CHECK(!line);
}

static void expect_bytes(const char *expected)
{
    char bytes[MOST] = "";
    size_t n = strlen(expected);

    CHECK_INT(ant_reader_read_full(&reader, bytes, n), n);
    CHECK_STR(bytes, expected);
}

static void check_lines(bool slowly)
{
    begin_text(4, "", slowly);
    end();
    begin_text(2, "\n\n\n", slowly);
    for (int i = 0; i < 3; i++)
        expect_line("", false);
    end();
    begin_text(4, "abc\nd\nef\nabc\n", slowly);
    expect_line("abc", false);
    expect_line("d", false);
    expect_line("ef", false);
    expect_line("abc", false);
    end();
    begin_text(MOST, "a\r\nb\n\r\n\rc\r\n\r\r\nd\r", slowly);
    expect_line("a", false);
    expect_line("b", false);
    expect_line("", false);
    expect_line("\rc", false);
    expect_line("\r", false);
    expect_line("d\r", true); /* it may have been the half of an end */
    end();
}

static void check_limits(bool slowly)
{
    begin_text(4, "abc", slowly); /* an end without newline */
    expect_line("abc", true);
    end();
    begin_text(4, "a\nabc", slowly);
    expect_line("a", false);
    expect_line("abc", true);
    end();
    begin_text(4, "abcd", slowly);
    expect_too_long();
    expect_bytes("abcd");
    end();
    begin_text(4, "x\nabcd\nef\n", slowly);
    expect_line("x", false);
    expect_too_long();
    expect_bytes("ab");
    expect_line("cd", false);
    expect_line("ef", false);
    end();
    begin_text(4, "abcdefgh\ni", slowly);
    expect_too_long();
    expect_bytes("abcd");
    expect_too_long();
    expect_bytes("efgh");
    expect_line("", false);
    expect_line("i", true);
    end();
}

static void check_until(bool slowly)
{
    static const char bytes[] = "a;bc\0d;;e\n\0f";
    char *text;
    size_t length;

    begin(5, bytes, sizeof bytes - 1, slowly);
    CHECK_INT(ant_reader_read_until(&reader, ';', &text, &length), 1);
    CHECK_STR(text, "a");
    CHECK_INT(ant_reader_read_until(&reader, ';', &text, &length), 1);
    CHECK_INT(length, 4);
    CHECK(!memcmp(text, "bc\0d", 5)); /* with the zero behind it */
    CHECK_INT(ant_reader_read_until(&reader, ';', &text, NULL), 1);
    CHECK_STR(text, "");
    CHECK_INT(ant_reader_read_until(&reader, '\0', &text, &length), 1);
    CHECK_STR(text, "e\n");
    CHECK(!ant_reader_was_cut(&reader));
    CHECK_INT(ant_reader_read_until(&reader, '\0', &text, &length), 1);
    CHECK_STR(text, "f");
    CHECK(ant_reader_was_cut(&reader));
    end();
}

static void check_peek(bool slowly)
{
    const void *bytes;

    begin_text(4, "abcdefg", slowly);
    CHECK_INT(ant_reader_peek(&reader, 5, &bytes), -EMSGSIZE);
    CHECK_INT(ant_reader_peek(&reader, 4, &bytes), 4);
    CHECK(!memcmp(bytes, "abcd", 4));
    CHECK_INT(ant_reader_peek(&reader, 1, &bytes), 1);
    expect_bytes("abc");
    CHECK_INT(ant_reader_peek(&reader, 4, &bytes), 4); /* must be moved for it */
    CHECK(!memcmp(bytes, "defg", 4));
    expect_bytes("def");
    CHECK_INT(ant_reader_peek(&reader, 4, &bytes), 1);
    CHECK(!memcmp(bytes, "g", 1));
    expect_line("g", true);
    end();
}

/* Past the buffer, beside it, and over the end. */
static void check_reads(bool slowly)
{
    char bytes[MOST] = "";

    begin_text(4, "a\nbcdefghijklmnopq", slowly);
    expect_line("a", false);
    expect_bytes("bcdefghijk");
    CHECK_INT(ant_reader_read(&reader, bytes, 0), 0);
    CHECK_INT(ant_reader_read(&reader, bytes, 1), 1);
    CHECK_INT(ant_reader_read_full(&reader, bytes + 1, 40), 5);
    CHECK_STR(bytes, "lmnopq");
    end();
}

static int run(void *arg)
{
    for (int i = 0; i < 4; i++) {
        check_lines(i & 1);
        check_limits(i & 1);
        check_until(i & 1);
        check_peek(i & 1);
        check_reads(i & 1);
    }
    return 0;
}

TEST(buffer_lines)
{
    return run_and_check_leaks(run);
}
