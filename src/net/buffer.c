/* buffer.c - readers and writers with a buffer of the caller's.
 *
 * A reader's bytes lie in one piece, from begin to end. They are moved to the front only when the
 * end of the buffer is reached: so a byte is moved at most once for each time the buffer was
 * filled, and lines can be shown where they lie. A zero byte takes the place of the delimiter. The
 * last text of a file has none; but the end was seen by a read that had room, so there is a place.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "runtime/runtime.h"

static bool is_final(ssize_t err)
{
    return err != ANT_ETIMEOUT && err != ANT_ECANCELED && err != ANT_ENOTRUNNING;
}

static int check(const void *buf, ant_ctx *ctx)
{
    return buf ? ant_ctx_err(ctx) : -EINVAL;
}

/* ---- reading ---- */

int ant_reader_init(ant_reader *reader, ant_io io, void *buf, size_t size)
{
    if (!reader || !buf || size < 2)
        return -EINVAL;
    *reader = (ant_reader){.io = io, .buf = buf, .size = size};
    return 0;
}

static size_t buffered(const ant_reader *r)
{
    return r->end - r->begin;
}

/* Reads to anywhere. */
static ssize_t read_more(ant_reader *r, void *to, size_t size, ant_ctx *ctx)
{
    ssize_t n;

    if (r->err)
        return r->err;
    if (r->ended)
        return 0;
    n = ant_read_ctx(r->io, to, size, ctx);
    if (n == 0)
        r->ended = true;
    if (n < 0 && is_final(n))
        r->err = (int)n;
    return n;
}

/* Adds to what is buffered, which is less than the buffer's size. */
static ssize_t fill(ant_reader *r, ant_ctx *ctx)
{
    ssize_t n;

    if (r->begin == r->end || r->end == r->size) {
        memmove(r->buf, r->buf + r->begin, buffered(r));
        r->end -= r->begin;
        r->begin = 0;
    }
    n = read_more(r, r->buf + r->end, r->size - r->end, ctx);
    if (n > 0)
        r->end += (size_t)n;
    return n;
}

/* The first `length` bytes that are buffered, and the delimiter behind them unless the text is cut.
 */
static char *take_text(ant_reader *r, size_t length, bool cut)
{
    char *text = r->buf + r->begin;

    text[length] = '\0';
    r->begin += length + !cut;
    r->cut = cut;
    return text;
}

static int take_rest(ant_reader *r, char **ret_text, size_t *ret_length)
{
    *ret_length = buffered(r);
    if (*ret_length == 0)
        return 0;
    *ret_text = take_text(r, *ret_length, true);
    return 1;
}

static int read_until(ant_reader *r, char delimiter, char **ret_text, size_t *ret_length,
                      ant_ctx *ctx)
{
    size_t seen = 0;
    ssize_t n = 1;

    while (n > 0) {
        char *from = r->buf + r->begin;
        char *found = memchr(from + seen, delimiter, buffered(r) - seen);

        if (found) {
            *ret_length = (size_t)(found - from);
            *ret_text = take_text(r, *ret_length, false);
            return 1;
        }
        seen = buffered(r);
        if (seen == r->size)
            return -EMSGSIZE;
        n = fill(r, ctx);
    }
    return n < 0 ? (int)n : take_rest(r, ret_text, ret_length);
}

int ant_reader_read_until_ctx(ant_reader *reader, char delimiter, char **ret_text,
                              size_t *ret_length, ant_ctx *ctx)
{
    size_t length = 0;
    int err = reader && ret_text ? check(reader->buf, ctx) : -EINVAL;

    if (err)
        return err;
    err = read_until(reader, delimiter, ret_text, &length, ctx);
    if (ret_length)
        *ret_length = length;
    return err;
}

int ant_reader_read_until(ant_reader *reader, char delimiter, char **ret_text, size_t *ret_length)
{
    return ant_reader_read_until_ctx(reader, delimiter, ret_text, ret_length, NULL);
}

int ant_reader_read_line_ctx(ant_reader *reader, char **ret_line, size_t *ret_length, ant_ctx *ctx)
{
    size_t length;
    int got = ant_reader_read_until_ctx(reader, '\n', ret_line, &length, ctx);

    if (got > 0 && !reader->cut && length > 0 && (*ret_line)[length - 1] == '\r')
        (*ret_line)[--length] = '\0';
    if (got >= 0 && ret_length)
        *ret_length = length;
    return got;
}

int ant_reader_read_line(ant_reader *reader, char **ret_line, size_t *ret_length)
{
    return ant_reader_read_line_ctx(reader, ret_line, ret_length, NULL);
}

bool ant_reader_was_cut(const ant_reader *reader)
{
    return reader && reader->cut;
}

static size_t take_bytes(ant_reader *r, void *to, size_t size)
{
    size_t n = buffered(r) < size ? buffered(r) : size;

    memcpy(to, r->buf + r->begin, n);
    r->begin += n;
    return n;
}

static ssize_t read_some(ant_reader *r, void *to, size_t size, ant_ctx *ctx)
{
    ssize_t n;

    if (buffered(r) == 0 && size >= r->size)
        return read_more(r, to, size, ctx);
    if (buffered(r) == 0) {
        n = fill(r, ctx);
        if (n <= 0)
            return n;
    }
    return (ssize_t)take_bytes(r, to, size);
}

ssize_t ant_reader_read_ctx(ant_reader *reader, void *buf, size_t size, ant_ctx *ctx)
{
    int err = reader && (buf || size == 0) ? check(reader->buf, ctx) : -EINVAL;

    if (err || size == 0)
        return err;
    return read_some(reader, buf, size, ctx);
}

ssize_t ant_reader_read(ant_reader *reader, void *buf, size_t size)
{
    return ant_reader_read_ctx(reader, buf, size, NULL);
}

ssize_t ant_reader_read_full_ctx(ant_reader *reader, void *buf, size_t size, ant_ctx *ctx)
{
    ssize_t n = reader && (buf || size == 0) ? check(reader->buf, ctx) : -EINVAL;
    size_t done = 0;

    if (n)
        return n;
    while (done < size && (n = read_some(reader, (char *)buf + done, size - done, ctx)) > 0)
        done += (size_t)n;
    return done > 0 ? (ssize_t)done : n;
}

ssize_t ant_reader_read_full(ant_reader *reader, void *buf, size_t size)
{
    return ant_reader_read_full_ctx(reader, buf, size, NULL);
}

ssize_t ant_reader_peek_ctx(ant_reader *reader, size_t n, const void **ret_bytes, ant_ctx *ctx)
{
    ssize_t more = reader && ret_bytes && n > 0 ? check(reader->buf, ctx) : -EINVAL;

    if (more)
        return more;
    if (n > reader->size)
        return -EMSGSIZE;
    while (buffered(reader) < n && (more = fill(reader, ctx)) > 0)
        continue;
    if (more < 0)
        return more;
    *ret_bytes = reader->buf + reader->begin;
    return (ssize_t)(buffered(reader) < n ? buffered(reader) : n);
}

ssize_t ant_reader_peek(ant_reader *reader, size_t n, const void **ret_bytes)
{
    return ant_reader_peek_ctx(reader, n, ret_bytes, NULL);
}

/* ---- writing ---- */

int ant_writer_init(ant_writer *writer, ant_io io, void *buf, size_t size)
{
    if (!writer || !buf || size < 2)
        return -EINVAL;
    *writer = (ant_writer){.io = io, .buf = buf, .size = size};
    return 0;
}

static ssize_t write_out(ant_writer *w, const void *bytes, size_t size, ant_ctx *ctx)
{
    ssize_t n = w->err ? w->err : ant_write_ctx(w->io, bytes, size, ctx);

    if (n == 0)
        n = -EIO; /* a device that takes nothing: there is no sense in trying again */
    if (n < 0 && is_final(n))
        w->err = (int)n;
    return n;
}

static int flush(ant_writer *w, ant_ctx *ctx)
{
    while (w->used > 0) {
        ssize_t n = write_out(w, w->buf, w->used, ctx);

        if (n < 0)
            return (int)n;
        w->used -= (size_t)n;
        memmove(w->buf, w->buf + n, w->used);
    }
    return w->err;
}

int ant_writer_flush_ctx(ant_writer *writer, ant_ctx *ctx)
{
    int err = writer ? check(writer->buf, ctx) : -EINVAL;

    return err ? err : flush(writer, ctx);
}

int ant_writer_flush(ant_writer *writer)
{
    return ant_writer_flush_ctx(writer, NULL);
}

static size_t add_bytes(ant_writer *w, const void *bytes, size_t size)
{
    size_t n = w->size - w->used < size ? w->size - w->used : size;

    memcpy(w->buf + w->used, bytes, n);
    w->used += n;
    return n;
}

/* Some bytes, at least one. */
static ssize_t write_some(ant_writer *w, const void *bytes, size_t size, ant_ctx *ctx)
{
    int err = w->err;

    if (!err && w->used == w->size)
        err = flush(w, ctx);
    if (err)
        return err;
    if (w->used == 0 && size >= w->size)
        return write_out(w, bytes, size, ctx);
    return (ssize_t)add_bytes(w, bytes, size);
}

ssize_t ant_writer_write_ctx(ant_writer *writer, const void *bytes, size_t size, ant_ctx *ctx)
{
    ssize_t n = writer && (bytes || size == 0) ? check(writer->buf, ctx) : -EINVAL;
    size_t done = 0;

    if (n)
        return n;
    while (done < size &&
           (n = write_some(writer, (const char *)bytes + done, size - done, ctx)) > 0)
        done += (size_t)n;
    return done > 0 ? (ssize_t)done : n;
}

ssize_t ant_writer_write(ant_writer *writer, const void *bytes, size_t size)
{
    return ant_writer_write_ctx(writer, bytes, size, NULL);
}

struct text {
    char *to;
    size_t room;
    const char *format;
    va_list args;
    int length;
};

/* libc's needs more stack than a goroutine may have. */
static void format_text(void *arg)
{
    struct text *t = arg;
    int saved = ant__errno();

    t->length = vsnprintf(t->to, t->room, t->format, t->args);
    ant__errno_set(saved);
}

/* Behind what is buffered; returns the length, also of what has no room there. */
static int add_text(ant_writer *w, const char *format, va_list args)
{
    struct text t = {.to = w->buf + w->used, .room = w->size - w->used, .format = format};

    va_copy(t.args, args);
    ant__with_room(format_text, &t);
    va_end(t.args);
    if (t.length >= 0 && (size_t)t.length < t.room)
        w->used += (size_t)t.length;
    return t.length;
}

static ssize_t print(ant_writer *w, ant_ctx *ctx, const char *format, va_list args)
{
    size_t used;
    int length, err = w && format ? check(w->buf, ctx) : -EINVAL;

    if (!err)
        err = w->err;
    if (err)
        return err;
    used = w->used;
    length = add_text(w, format, args);
    if (length < 0)
        return -EINVAL;
    if ((size_t)length >= w->size)
        return -EMSGSIZE;
    if (length == 0 || w->used > used)
        return length;
    err = flush(w, ctx);
    if (err)
        return err;
    length = add_text(w, format, args);
    return w->used > 0 ? length : -EMSGSIZE; /* what is printed has changed meanwhile */
}

ssize_t ant_writer_printf_ctx(ant_writer *writer, ant_ctx *ctx, const char *format, ...)
{
    va_list args;
    ssize_t n;

    va_start(args, format);
    n = print(writer, ctx, format, args);
    va_end(args);
    return n;
}

ssize_t ant_writer_printf(ant_writer *writer, const char *format, ...)
{
    va_list args;
    ssize_t n;

    va_start(args, format);
    n = print(writer, NULL, format, args);
    va_end(args);
    return n;
}
