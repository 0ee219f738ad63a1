/* buffer_model - random texts through a writer and a reader with buffers of random sizes, in pieces
 * of random sizes, taken by random calls: what comes out is what went in, told from it by a plain
 * loop. */
#include "base/random.h"
#include "net_help.h"

enum { LENGTH = 5000, LARGEST = 64 };

static struct ant__random random_state;
static char text[LENGTH];

static size_t draw(size_t below)
{
    return ant__random_next(&random_state) % below;
}

static void make_text(void)
{
    for (int i = 0; i < LENGTH; i++)
        text[i] = draw(6) ? (char)('a' + draw(26)) : '\n';
}

struct writing {
    ant_io io;
    size_t size;  /* of the buffer */
    size_t piece; /* at most */
    ant_waitgroup *done;
};

static void write_text(void *copy)
{
    struct writing *w = copy;
    char memory[LARGEST];
    ant_writer writer;

    CHECK_INT(ant_writer_init(&writer, w->io, memory, w->size), 0);
    for (size_t at = 0, n; at < LENGTH; at += n) {
        n = 1 + at * 7 % w->piece;
        if (n > LENGTH - at)
            n = LENGTH - at;
        if (at % 3 == 0 && n < w->size)
            CHECK_INT(ant_writer_printf(&writer, "%.*s", (int)n, text + at), n);
        else
            CHECK_INT(ant_writer_write(&writer, text + at, n), n);
        if (at % 5 == 0)
            CHECK_INT(ant_writer_flush(&writer), 0);
    }
    CHECK_INT(ant_writer_flush(&writer), 0);
    CHECK_INT(ant_close(w->io), 0);
    ant_waitgroup_done(w->done);
}

static size_t take_line(ant_reader *reader, size_t at, size_t size)
{
    const char *end = memchr(text + at, '\n', LENGTH - at);
    size_t expected = end ? (size_t)(end - text) - at : LENGTH - at, length;
    char *line;
    int got = ant_reader_read_line(reader, &line, &length);

    if (expected >= size) {
        CHECK_INT(got, -EMSGSIZE);
        return 0;
    }
    CHECK_INT(got, 1);
    CHECK_INT(length, expected);
    CHECK(!memcmp(line, text + at, expected));
    CHECK_INT(line[length], 0);
    CHECK_INT(ant_reader_was_cut(reader), !end);
    return expected + (end != NULL);
}

static size_t take_bytes(ant_reader *reader, size_t at, size_t want, bool full)
{
    char bytes[2 * LARGEST];
    ssize_t n =
        full ? ant_reader_read_full(reader, bytes, want) : ant_reader_read(reader, bytes, want);

    CHECK(n > 0 && (size_t)n <= want);
    if (full)
        CHECK_INT(n, want < LENGTH - at ? want : LENGTH - at);
    CHECK(!memcmp(bytes, text + at, (size_t)n));
    return (size_t)n;
}

static void look(ant_reader *reader, size_t at, size_t want)
{
    const void *bytes;
    ssize_t n = ant_reader_peek(reader, want, &bytes);

    CHECK_INT(n, want < LENGTH - at ? want : LENGTH - at);
    CHECK(!memcmp(bytes, text + at, (size_t)n));
}

static void one_text(void)
{
    ant_waitgroup done = {0};
    struct writing w = {
        .size = 2 + draw(LARGEST - 1), .piece = 1 + draw(2 * LARGEST), .done = &done};
    size_t size = 2 + draw(LARGEST - 1), at = 0;
    char memory[LARGEST], *line;
    ant_reader reader;
    ant_io ends[2];

    make_text();
    CHECK_INT(ant_pipe(ends), 0);
    w.io = ends[1];
    ant_waitgroup_add(&done, 1);
    CHECK_INT(ant_go_copy(write_text, &w, sizeof w), 0);
    CHECK_INT(ant_reader_init(&reader, ends[0], memory, size), 0);
    while (at < LENGTH) {
        switch (draw(4)) {
        case 0:
            at += take_bytes(&reader, at, 1 + draw(2 * LARGEST), draw(2));
            break;
        case 1:
            look(&reader, at, 1 + draw(size));
            break;
        default:
            at += take_line(&reader, at, size);
        }
    }
    CHECK_INT(ant_reader_read_line(&reader, &line, NULL), 0);
    CHECK_INT(ant_close(ends[0]), 0);
    ant_waitgroup_wait(&done);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(200); i++)
        one_text();
    return 0;
}

TEST(buffer_model)
{
    ant__random_seed(&random_state, 12345, 0);
    return run_and_check_leaks(run);
}
