/* Nobody accepts, and the listener's queue is short: dialers with a timeout time out or get through,
 * and when somebody accepts all that got through are served; nobody hangs.
 *
 * Catches: a dialer that its context does not wake, a connection half made that leaks. */
#include "net_help.h"

enum { DIALERS = 12 };

static char address[ANT_ADDR_TEXT];
static _Atomic int through, timed_out;
static ant_waitgroup wg;

static void dial(void *arg)
{
    ant_ctx *ctx;
    ant_io io;
    int err;

    CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, 30 * ANT_MILLISECOND), 0);
    err = ant_dial_ctx(&io, "tcp", address, ctx);
    if (err)
        CHECK_INT(err, ANT_ETIMEOUT);
    else
        CHECK_INT(ant_close(io), 0);
    atomic_fetch_add(err ? &timed_out : &through, 1);
    ant_ctx_unref(ctx);
    ant_waitgroup_done(&wg);
}

/* Says something: a connection may be made on this side only, when the queue is full and the system
 * uses cookies, and the other side learns of it by what is said. */
static void dial_patiently(void *arg)
{
    ant_io io;
    char c;

    CHECK_INT(ant_dial(&io, "tcp", address), 0);
    CHECK_INT(ant_write(io, "x", 1), 1);
    CHECK_INT(ant_read(io, &c, 1), 1);
    CHECK_INT(ant_close(io), 0);
    ant_waitgroup_done(&wg);
}

static void accept_all(void *arg)
{
    ant_io listener = *(ant_io *)arg, io;
    int err;

    while ((err = ant_accept(listener, &io)) == 0) {
        ant_write(io, "x", 1); /* some have gone */
        CHECK_INT(ant_close(io), 0);
    }
    CHECK_INT(err, ANT_ECLOSED);
}

static void start(void (*fn)(void *))
{
    ant_waitgroup_add(&wg, DIALERS);
    for (int i = 0; i < DIALERS; i++)
        CHECK_INT(ant_go(fn, NULL), 0);
}

static int run(void *arg)
{
    ant_listen_options one = {.backlog = 1};
    ant_io listener = listen_at("tcp4", "127.0.0.1:0", &one, address);

    atomic_store(&through, 0);
    atomic_store(&timed_out, 0);
    start(dial);
    ant_waitgroup_wait(&wg);
    CHECK_INT(atomic_load(&through) + atomic_load(&timed_out), DIALERS);
    CHECK(atomic_load(&timed_out) > 0);
    start(dial_patiently);
    CHECK_INT(ant_go_copy(accept_all, &listener, sizeof listener), 0);
    ant_waitgroup_wait(&wg);
    CHECK_INT(ant_close(listener), 0);
    while (ant_count() > 1)
        ant_yield();
    return 0;
}

TEST(net_backlog)
{
    return run_and_check_leaks(run);
}
