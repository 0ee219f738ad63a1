/* log.c - see log.h. */
#include "base/log.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/errno.h"
#include "base/room.h"

enum { LINE = 1024 };

static bool wait_writable(int fd)
{
    return poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1) >= 0 || ant__errno() == EINTR;
}

static int write_all(int fd, const char *text, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, text, len);

        if (n < 0 && ant__errno() == EINTR)
            continue;
        if (n < 0 && ant__errno() == EAGAIN && wait_writable(fd))
            continue;
        if (n < 0)
            return -ant__errno();
        text += n;
        len -= (size_t)n;
    }
    return 0;
}

struct line {
    int fd;
    const char *prefix, *format, *suffix;
    va_list args;
    int err;
};

static void print_line(void *arg)
{
    struct line *l = arg;
    char text[LINE];
    int n = snprintf(text, sizeof text, "%s", l->prefix);

    /* glibc's vsnprintf neither allocates nor locks for the conversions we use. */
    n += vsnprintf(text + n, sizeof text - (size_t)n, l->format, l->args);
    if (n > LINE - 2)
        n = LINE - 2;
    n += snprintf(text + n, sizeof text - (size_t)n, "%s", l->suffix);
    l->err = write_all(l->fd, text, (size_t)n);
}

static int vprint(int fd, const char *prefix, const char *format, va_list args, const char *suffix)
{
    struct line l = {.fd = fd, .prefix = prefix, .format = format, .suffix = suffix};
    int saved = ant__errno();

    va_copy(l.args, args);
    ant__in_room(ANT__ROOM_FOR_LIBC, print_line, &l);
    va_end(l.args);
    ant__errno_set(saved);
    return l.err;
}

int ant__print(int fd, const char *format, ...)
{
    va_list args;
    int err;

    va_start(args, format);
    err = vprint(fd, "", format, args, "");
    va_end(args);
    return err;
}

int ant__out_flush(struct ant__out *out)
{
    int saved = ant__errno();

    if (!out->err)
        out->err = write_all(out->fd, out->text, (size_t)out->len);
    out->len = 0;
    ant__errno_set(saved);
    return out->err;
}

/* How many bytes it takes, which may be more than there was room for. */
static int append(struct ant__out *out, const char *format, va_list args)
{
    return vsnprintf(out->text + out->len, sizeof out->text - (size_t)out->len, format, args);
}

void ant__out_print(struct ant__out *out, const char *format, ...)
{
    const int room = (int)sizeof out->text - 1;
    va_list args, again;
    int n;

    va_start(args, format);
    va_copy(again, args);
    n = append(out, format, args);
    if (n > room - out->len) {
        ant__out_flush(out);
        n = append(out, format, again);
    }
    out->len += n < room ? n : room;
    va_end(again);
    va_end(args);
}

bool ant__log_has_room(void)
{
    int saved = ant__errno();
    bool has = poll(&(struct pollfd){.fd = STDERR_FILENO, .events = POLLOUT}, 1, 0) == 1;

    ant__errno_set(saved);
    return has;
}

void ant__log(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vprint(STDERR_FILENO, "anthill: ", format, args, "\n");
    va_end(args);
}

void ant__fatal(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vprint(STDERR_FILENO, "anthill: ", format, args, "\n");
    va_end(args);
    abort();
}
