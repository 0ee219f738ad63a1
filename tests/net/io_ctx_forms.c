/* Every _ctx form that moves bytes, as a goroutine and as a thread: with a context that is done before,
 * canceled while it waits, whose time runs out, and with none. One that gives up has moved nothing;
 * what was moved before that counts, and the next call tells.
 *
 * Catches: a form that does not hand its context on, or looks at it only when it has to wait. */
#include <sys/uio.h>

#include "net_help.h"

static ant_io file; /* of a few bytes, none of which is 0 */

static char in[8];
static const char out[1] = "x";

static ssize_t call_read(ant_io io, ant_ctx *ctx)
{
    return ant_read_ctx(io, in, 1, ctx);
}

static ssize_t call_readv(ant_io io, ant_ctx *ctx)
{
    return ant_readv_ctx(io, &(struct iovec){in, 1}, 1, ctx);
}

static ssize_t call_read_full(ant_io io, ant_ctx *ctx)
{
    return ant_read_full_ctx(io, in, 1, ctx);
}

static ssize_t call_recv_from(ant_io io, ant_ctx *ctx)
{
    return ant_recv_from_ctx(io, in, 1, NULL, ctx);
}

static ssize_t call_write(ant_io io, ant_ctx *ctx)
{
    return ant_write_ctx(io, out, 1, ctx);
}

static ssize_t call_writev(ant_io io, ant_ctx *ctx)
{
    return ant_writev_ctx(io, &(struct iovec){(void *)out, 1}, 1, ctx);
}

static ssize_t call_send_to(ant_io io, ant_ctx *ctx)
{
    return ant_send_to_ctx(io, out, 1, NULL, ctx);
}

static ssize_t call_sendfile(ant_io io, ant_ctx *ctx)
{
    off_t offset = 1;
    ssize_t n = ant_sendfile_ctx(io, file, &offset, 1, ctx);

    CHECK_INT(offset, n == 1 ? 2 : 1);
    return n;
}

static ssize_t call_pread(ant_io io, ant_ctx *ctx)
{
    return ant_pread_ctx(file, in, 1, 0, ctx);
}

static ssize_t call_pwrite(ant_io io, ant_ctx *ctx)
{
    return ant_pwrite_ctx(file, out, 1, 0, ctx);
}

struct form {
    ssize_t (*call)(ant_io io, ant_ctx *ctx);
    int socket;
    bool out;
    bool never_waits;
};

static const struct form forms[] = {
    {.call = call_read, .socket = SOCK_STREAM},
    {.call = call_readv, .socket = SOCK_STREAM},
    {.call = call_read_full, .socket = SOCK_STREAM},
    {.call = call_recv_from, .socket = SOCK_DGRAM},
    {.call = call_write, .socket = SOCK_STREAM, .out = true},
    {.call = call_writev, .socket = SOCK_STREAM, .out = true},
    {.call = call_send_to, .socket = SOCK_DGRAM, .out = true},
    {.call = call_sendfile, .socket = SOCK_STREAM, .out = true},
    {.call = call_pread, .socket = SOCK_STREAM, .never_waits = true},
    {.call = call_pwrite, .socket = SOCK_STREAM, .never_waits = true},
};

/* ---- a call made by another ---- */

struct caller {
    const struct form *form;
    ant_io io;
    ant_ctx *ctx;
    ssize_t result;
    bool thread;
    pthread_t id;
    ant_waitgroup done;
};

static void make_call(void *arg)
{
    struct caller *c = arg;

    c->result = c->form->call(c->io, c->ctx);
    ant_waitgroup_done(&c->done);
}

static void *make_call_in_thread(void *arg)
{
    make_call(arg);
    return NULL;
}

/* Makes the call, and comes back when it waits. */
static void caller_start(struct caller *c)
{
    ant_waitgroup_add(&c->done, 1);
    if (c->thread)
        CHECK_INT(pthread_create(&c->id, NULL, make_call_in_thread, c), 0);
    else
        CHECK_INT(ant_go(make_call, c), 0);
    await_waiters(1);
}

static ssize_t caller_end(struct caller *c)
{
    ant_waitgroup_wait(&c->done);
    if (c->thread)
        pthread_join(c->id, NULL);
    return c->result;
}

/* ---- what is checked of each ---- */

static size_t drain(ant_io io)
{
    static char bytes[4096];
    size_t total = 0;
    ssize_t n;

    while ((n = recv(ant_io_fd(io), bytes, sizeof bytes, MSG_DONTWAIT)) > 0)
        total += (size_t)n;
    return total;
}

static void pair_of(const struct form *form, ant_io ret_ends[2])
{
    int fds[2];

    CHECK_INT(socketpair(AF_UNIX, form->socket | SOCK_CLOEXEC, 0, fds), 0);
    CHECK_INT(ant_io_from_fd(&ret_ends[0], fds[0]), 0);
    CHECK_INT(ant_io_from_fd(&ret_ends[1], fds[1]), 0);
}

/* The call could be made at once, but is not. */
static void check_before(const struct form *form)
{
    ant_ctx *canceled, *late;
    ant_io ends[2];

    pair_of(form, ends);
    CHECK_INT(ant_ctx_with_cancel(&canceled, NULL), 0);
    ant_ctx_cancel(canceled);
    CHECK_INT(ant_ctx_with_timeout(&late, NULL, 0), 0);
    CHECK_INT(ant_write(ends[1], "x", 1), 1);
    CHECK_INT(form->call(ends[0], canceled), ANT_ECANCELED);
    CHECK_INT(form->call(ends[0], late), ANT_ETIMEOUT);
    CHECK_INT(drain(ends[0]), 1);
    CHECK_INT(drain(ends[1]), 0);
    ant_ctx_unref(canceled);
    ant_ctx_unref(late);
    close_pair(ends);
}

static void check_canceled(const struct form *form, bool thread)
{
    struct caller c = {.form = form, .thread = thread};
    ant_io ends[2];

    pair_of(form, ends);
    if (form->out)
        fill_up(ends[0]);
    c.io = ends[0];
    CHECK_INT(ant_ctx_with_cancel(&c.ctx, NULL), 0);
    caller_start(&c);
    ant_ctx_cancel(c.ctx);
    CHECK_INT(caller_end(&c), ANT_ECANCELED);
    ant_ctx_unref(c.ctx);
    CHECK_INT(ant_ctx_with_timeout(&c.ctx, NULL, ANT_MILLISECOND), 0);
    CHECK_INT(form->call(ends[0], c.ctx), ANT_ETIMEOUT);
    ant_ctx_unref(c.ctx);
    close_pair(ends);
}

/* With a context that stays as it is, and with none. */
static void check_done(const struct form *form, bool thread, bool with_ctx)
{
    struct caller c = {.form = form, .thread = thread};
    ant_io ends[2];

    pair_of(form, ends);
    c.io = ends[0];
    if (with_ctx)
        CHECK_INT(ant_ctx_with_cancel(&c.ctx, NULL), 0);
    if (form->out)
        fill_up(ends[0]);
    memset(in, 0, sizeof in);
    caller_start(&c);
    if (form->out)
        drain(ends[1]);
    else
        CHECK_INT(ant_write(ends[1], "y", 1), 1);
    CHECK_INT(caller_end(&c), 1);
    CHECK_INT(in[0], form->out ? 0 : 'y');
    ant_ctx_unref(c.ctx);
    close_pair(ends);
}

/* ---- bytes before the end ---- */

static ssize_t call_read_eight(ant_io io, ant_ctx *ctx)
{
    return ant_read_full_ctx(io, in, 8, ctx);
}

static void check_part_read(void)
{
    struct caller c = {.form = &(struct form){.call = call_read_eight}};
    ant_io ends[2];

    unix_pair(ends);
    c.io = ends[0];
    CHECK_INT(ant_ctx_with_cancel(&c.ctx, NULL), 0);
    CHECK_INT(ant_write(ends[1], "abc", 3), 3);
    caller_start(&c);
    ant_ctx_cancel(c.ctx);
    CHECK_INT(caller_end(&c), 3);
    CHECK(!memcmp(in, "abc", 3));
    CHECK_INT(ant_read_full_ctx(ends[0], in, 8, c.ctx), ANT_ECANCELED);
    ant_ctx_unref(c.ctx);
    close_pair(ends);
}

enum { LARGE = 4 << 20 };

static ant_io large;
static off_t large_offset;

static ssize_t call_send_large(ant_io io, ant_ctx *ctx)
{
    return ant_sendfile_ctx(io, large, &large_offset, LARGE, ctx);
}

static void check_part_sent(void)
{
    struct caller c = {.form = &(struct form){.call = call_send_large}};
    ant_io ends[2];
    ssize_t n;

    unix_pair(ends);
    c.io = ends[0];
    large_offset = 0;
    CHECK_INT(ant_ctx_with_cancel(&c.ctx, NULL), 0);
    caller_start(&c);
    ant_ctx_cancel(c.ctx);
    n = caller_end(&c);
    CHECK(n > 0 && n < LARGE);
    CHECK_INT(large_offset, n);
    CHECK_INT(call_send_large(ends[0], c.ctx), ANT_ECANCELED);
    CHECK_INT(large_offset, n);
    CHECK_INT(drain(ends[1]), n);
    ant_ctx_unref(c.ctx);
    close_pair(ends);
}

static ant_io make_file(off_t size)
{
    char name[64];
    ant_io io;

    snprintf(name, sizeof name, "/tmp/anthill-ctx-forms-%d", getpid());
    CHECK_INT(ant_open(&io, name, O_RDWR | O_CREAT | O_EXCL, 0600), 0);
    CHECK_INT(unlink(name), 0);
    CHECK_INT(ftruncate(ant_io_fd(io), size), 0);
    CHECK_INT(ant_pwrite_ctx(io, "12345678", 8, 0, NULL), 8);
    CHECK_INT(ant_pread_ctx(io, in, 8, 0, NULL), 8);
    CHECK(!memcmp(in, "12345678", 8));
    return io;
}

static int run(void *arg)
{
    file = make_file(8);
    large = make_file(LARGE);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        check_before(&forms[i]);
        for (int k = 0; k < 4 && !forms[i].never_waits; k++) {
            check_canceled(&forms[i], k & 1);
            check_done(&forms[i], k & 1, k & 2);
        }
    }
    check_part_read();
    check_part_sent();
    CHECK_INT(ant_pread(file, in, 8, 0), 8);
    CHECK(!memcmp(in, "12345678", 8)); /* nothing was written there */
    CHECK_INT(ant_close(file), 0);
    CHECK_INT(ant_close(large), 0);
    return 0;
}

TEST(io_ctx_forms)
{
    return run_and_check_leaks(run);
}
