/* buffer.h - buffered reading and writing: lines, texts up to a delimiter, formatted output.
 *
 *     char memory[4096], *line;
 *     ant_reader reader;
 *     size_t length;
 *
 *     ant_reader_init(&reader, io, memory, sizeof memory);
 *     while ((err = ant_reader_read_line(&reader, &line, &length)) > 0)
 *         puts(line);
 *
 * The memory is the caller's, and lives as long as the reader or writer; no call allocates. A
 * reader or writer belongs to one goroutine or thread at a time; a reader and a writer of the same
 * descriptor are independent. None of them closes the descriptor, and there is nothing to be freed.
 * What a reader has buffered is lost to those who read from the descriptor itself.
 *
 * Callers, waiting and errors are those of io.h. All calls also return -EINVAL for a NULL and for
 * what was never initialised. The _ctx forms give up with ctx, and do nothing if it is done before,
 * even if they need not wait.
 *
 * After an error. ANT_ETIMEOUT and ANT_ECANCELED leave all as it was: no byte is lost, and the call
 * can be made again, with another deadline or context. Any other error of the descriptor is final:
 * every later call returns it that needs the descriptor. What was read before it can still be taken
 * by calls that need no more. The end of a file is final too. */
#ifndef ANTHILL_BUFFER_H
#define ANTHILL_BUFFER_H

#include <anthill/io.h>

ANT_BEGIN_DECLS

/* ---- reading ---- */

/* Its fields are Anthill's. A value must not be copied while it is in use. */
typedef struct ant_reader {
    ant_io io;
    char *buf;
    size_t size;
    size_t begin, end; /* of what is buffered */
    int err;           /* the final error */
    bool ended;
    bool cut;
} ant_reader;

/* Makes a reader of io. Its buffer is the size bytes at buf, at least 2. Does not wait. Returns 0;
 * -EINVAL. */
ANT_API int ant_reader_init(ant_reader *reader, ant_io io, void *buf, size_t size);

/* Takes the next line, up to a newline, which is taken too but does not belong to it; nor does a
 * '\r' just before. *ret_line points into the buffer, and *ret_length, which may be NULL, is the
 * length; a zero byte follows. It may be changed, and stays until the next call with the reader.
 * Waits.
 *
 * Returns 1: there is a line, which may be empty; 0: the end. Bytes between the last newline and
 * the end are a line as well, see ant_reader_was_cut. -EMSGSIZE if the line has as many bytes as
 * the buffer or more, its newline not counted: so the buffer's size is the limit. Nothing is taken
 * then, the next call says the same, and ant_reader_read can take the bytes. */
ANT_API int ant_reader_read_line(ant_reader *reader, char **ret_line, size_t *ret_length);
ANT_API int ant_reader_read_line_ctx(ant_reader *reader, char **ret_line, size_t *ret_length,
                                     ant_ctx *ctx);

/* The same up to any byte. A '\r' is nothing special. */
ANT_API int ant_reader_read_until(ant_reader *reader, char delimiter, char **ret_text,
                                  size_t *ret_length);
ANT_API int ant_reader_read_until_ctx(ant_reader *reader, char delimiter, char **ret_text,
                                      size_t *ret_length, ant_ctx *ctx);

/* Whether the last line or text was ended by the end of the file and not by its delimiter: of a
 * connection that broke off it may be a part. Does not wait. */
ANT_API bool ant_reader_was_cut(const ant_reader *reader);

/* Takes what is buffered, up to size bytes; if nothing is, reads what is there, and waits while
 * there is nothing. 0: the end, or size is 0. Large reads go past the buffer. */
ANT_API ssize_t ant_reader_read(ant_reader *reader, void *buf, size_t size);
ANT_API ssize_t ant_reader_read_ctx(ant_reader *reader, void *buf, size_t size, ant_ctx *ctx);

/* Takes size bytes; waits for them. Less only if the end came first, or an error after some bytes:
 * the next call will tell it. */
ANT_API ssize_t ant_reader_read_full(ant_reader *reader, void *buf, size_t size);
ANT_API ssize_t ant_reader_read_full_ctx(ant_reader *reader, void *buf, size_t size, ant_ctx *ctx);

/* Shows the next n bytes without taking them; waits for them. *ret_bytes points into the buffer and
 * stays until the next call with the reader. Returns how many there are, less than n only at the
 * end; 0: there are none. -EINVAL if n is 0; -EMSGSIZE if n is more than the buffer's size. */
ANT_API ssize_t ant_reader_peek(ant_reader *reader, size_t n, const void **ret_bytes);
ANT_API ssize_t ant_reader_peek_ctx(ant_reader *reader, size_t n, const void **ret_bytes,
                                    ant_ctx *ctx);

/* ---- writing ---- */

/* Its fields are Anthill's. A value must not be copied while it is in use. */
typedef struct ant_writer {
    ant_io io;
    char *buf;
    size_t size;
    size_t used; /* bytes that are not written yet */
    int err;     /* the final error */
} ant_writer;

/* Makes a writer to io. Its buffer is the size bytes at buf, at least 2. Does not wait. Returns 0;
 * -EINVAL. */
ANT_API int ant_writer_init(ant_writer *writer, ant_io io, void *buf, size_t size);

/* Takes size bytes, to be written when the buffer is full, or by ant_writer_flush. Waits if it has
 * to write and there is no room. Returns size; less only if an error came after some bytes were
 * taken: the next call will tell it. */
ANT_API ssize_t ant_writer_write(ant_writer *writer, const void *bytes, size_t size);
ANT_API ssize_t ant_writer_write_ctx(ant_writer *writer, const void *bytes, size_t size,
                                     ant_ctx *ctx);

/* The same for formatted text, which is taken as a whole or not at all. Returns its length;
 * -EMSGSIZE if it has as many bytes as the buffer or more; -EINVAL for a format that libc refuses.
 * They take 160 bytes of stack more than ANT_STACK_CALLS says. */
ANT_API ssize_t ant_writer_printf(ant_writer *writer, const char *format, ...) ANT_PRINTF(2, 3);
ANT_API ssize_t ant_writer_printf_ctx(ant_writer *writer, ant_ctx *ctx, const char *format, ...)
    ANT_PRINTF(3, 4);

/* Writes all that was taken. Waits while there is no room. Returns 0. After ANT_ETIMEOUT or
 * ANT_ECANCELED what was not written is kept, and the next flush goes on with it. */
ANT_API int ant_writer_flush(ant_writer *writer);
ANT_API int ant_writer_flush_ctx(ant_writer *writer, ant_ctx *ctx);

ANT_END_DECLS

#endif
