/* The _ctx forms: canceled before, canceled while one waits, and with a timeout; after that the
 * descriptor is as it was.
 *
 * Catches: a context that is not looked at before, one that does not wake, a waiter left in the
 * queue. */
#include "net_help.h"

static ant_ctx *canceled(void)
{
    ant_ctx *ctx;

    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    ant_ctx_cancel(ctx);
    return ctx;
}

static void check_before(ant_io ends[2])
{
    ant_ctx *ctx = canceled();
    char address[ANT_ADDR_TEXT], c;
    ant_io listener = listen_tcp(address), io;
    ant_addr addr;

    CHECK_INT(ant_read_ctx(ends[0], &c, 1, ctx), ANT_ECANCELED);
    CHECK_INT(ant_write_ctx(ends[0], "x", 1, ctx), ANT_ECANCELED);
    CHECK_INT(ant_accept_ctx(listener, &io, ctx), ANT_ECANCELED);
    CHECK_INT(ant_dial_ctx(&io, "tcp", address, ctx), ANT_ECANCELED);
    CHECK_INT(ant_listen_ctx(&io, "tcp4", "127.0.0.1:0", NULL, ctx), ANT_ECANCELED);
    CHECK_INT(ant_resolve_ctx("tcp", "localhost:1", &addr, 1, ctx), ANT_ECANCELED);
    CHECK_INT(ant_poll_ctx(ant_io_fd(ends[0]), 1 /* POLLIN */, ctx), ANT_ECANCELED);
    CHECK_INT(ant_poll_ctx(ant_io_fd(ends[0]), 4 /* POLLOUT */, ctx), 4);
    ant_ctx_unref(ctx);
    CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, ANT_MILLISECOND), 0);
    CHECK_INT(ant_accept_ctx(listener, &io, ctx), ANT_ETIMEOUT);
    CHECK_INT(ant_listen_ctx(&io, "tcp4", "127.0.0.1:0", NULL, ctx), ANT_ETIMEOUT);
    ant_ctx_unref(ctx);
    CHECK_INT(ant_listen_ctx(&io, "tcp4", "127.0.0.1:0", NULL, NULL), 0);
    CHECK_INT(ant_close(io), 0);
    CHECK_INT(ant_close(listener), 0);
}

static void check_while_waiting(ant_io ends[2])
{
    struct reader r, other;
    ant_ctx *ctx;

    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    reader_start(&r, ends[0], ctx);
    reader_start(&other, ends[0], NULL);
    await_waiters(2);
    ant_ctx_cancel(ctx);
    CHECK_INT(reader_end(&r), ANT_ECANCELED);
    ant_ctx_unref(ctx);
    CHECK_INT(ant_write(ends[1], "x", 1), 1); /* is the other one's */
    CHECK_INT(reader_end(&other), 1);

    CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, 2 * ANT_MILLISECOND), 0);
    reader_start(&r, ends[0], ctx);
    CHECK_INT(reader_end(&r), ANT_ETIMEOUT);
    CHECK_INT(ant_read_ctx(ends[0], &r.byte, 1, ctx), ANT_ETIMEOUT);
    ant_ctx_unref(ctx);
    CHECK_INT(ant_write(ends[1], "x", 1), 1);
    CHECK_INT(ant_read(ends[0], &r.byte, 1), 1);
}

static void check_write(void)
{
    ant_io ends[2];
    ant_ctx *ctx;

    unix_pair(ends);
    fill_up(ends[0]);
    CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, ANT_MILLISECOND), 0);
    CHECK_INT(ant_write_ctx(ends[0], "x", 1, ctx), ANT_ETIMEOUT);
    ant_ctx_unref(ctx);
    close_pair(ends);
}

static void *thread(void *arg)
{
    ant_io ends[2];
    ant_ctx *ctx;
    char c;

    tcp_pair(ends);
    CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, ANT_MILLISECOND), 0);
    CHECK_INT(ant_read_ctx(ends[0], &c, 1, ctx), ANT_ETIMEOUT);
    ant_ctx_unref(ctx);
    close_pair(ends);
    return NULL;
}

static int run(void *arg)
{
    pthread_t other;
    ant_io ends[2];

    tcp_pair(ends);
    check_before(ends);
    check_while_waiting(ends);
    check_write();
    close_pair(ends);
    CHECK_INT(pthread_create(&other, NULL, thread, NULL), 0);
    pthread_join(other, NULL);
    return 0;
}

TEST(io_ctx)
{
    return run_and_check_leaks(run);
}
