/* net_unixgram_full - packets to the address of a Unix socket whose queue others have filled: the system tells
 * not of room there, but each try to send looks like some. Whoever waits, goroutine or plain thread, sends
 * when there is room, is let go by a deadline, a context and closing, and does not try all the time.
 *
 * Catches: waiting that is a busy loop. */
#include <sys/syscall.h>

#include "net_help.h"

static ant_addr to;

static _Atomic int tries;

/* Instead of libc's. */
ssize_t sendto(int fd, const void *buf, size_t size, int flags, const struct sockaddr *addr,
               socklen_t len)
{
    atomic_fetch_add(&tries, 1);
    return syscall(SYS_sendto, fd, buf, size, flags, addr, len);
}

static ant_io socket_of(const char *name)
{
    char where[64];
    ant_io io;

    snprintf(where, sizeof where, "@anthill-%s-%d", name, getpid());
    CHECK_INT(ant_listen(&io, "unixgram", where, NULL), 0);
    return io;
}

/* By an own socket, so that the senders of the test have nothing in the queue. Returns how many. */
static int fill(ant_io io)
{
    int n = 0;

    while (sendto(ant_io_fd(io), "f", 1, MSG_DONTWAIT, (struct sockaddr *)to.bytes, to.len) == 1)
        n++;
    CHECK_INT(errno, EAGAIN);
    return n;
}

struct sending {
    ant_io io;
    ant_ctx *ctx;
    ssize_t result;
    ant_waitgroup done;
};

static void send_one(void *arg)
{
    struct sending *s = arg;

    s->result = ant_send_to_ctx(s->io, "s", 1, &to, s->ctx);
    ant_waitgroup_done(&s->done);
}

static void *send_in_thread(void *arg)
{
    send_one(arg);
    return NULL;
}

static void begin(struct sending *s, ant_io io, ant_ctx *ctx)
{
    *s = (struct sending){.io = io, .ctx = ctx, .result = 4711};
    ant_waitgroup_add(&s->done, 1);
    CHECK_INT(ant_go(send_one, s), 0);
    ant_sleep(ANT_MILLISECOND); /* so that most often it waits */
}

static ssize_t end(struct sending *s)
{
    ant_waitgroup_wait(&s->done);
    return s->result;
}

static void receive(ant_io io, int n)
{
    char c;

    while (n-- > 0)
        CHECK_INT(ant_recv_from(io, &c, 1, NULL), 1);
}

static void check_room(ant_io server, ant_io filler, ant_io client)
{
    struct sending goroutine, thread = {.io = client};
    int n = fill(filler);
    pthread_t id;

    begin(&goroutine, client, NULL);
    ant_waitgroup_add(&thread.done, 1);
    CHECK_INT(pthread_create(&id, NULL, send_in_thread, &thread), 0);
    receive(server, n);
    CHECK_INT(end(&goroutine), 1);
    CHECK_INT(end(&thread), 1);
    CHECK_INT(pthread_join(id, NULL), 0);
    receive(server, 2);
}

static void check_is_calm(ant_io server, ant_io filler, ant_io client)
{
    struct sending s;
    int n = fill(filler), before;
    ant_time start;

    begin(&s, client, NULL);
    before = atomic_load(&tries);
    start = ant_now();
    ant_sleep(50 * ANT_MILLISECOND);
    CHECK(atomic_load(&tries) - before <= 100 + (ant_now() - start) / ANT_MILLISECOND);
    receive(server, n);
    CHECK_INT(end(&s), 1);
    receive(server, 1);
}

static void check_let_go(ant_io server, ant_io filler, ant_io client)
{
    struct sending s;
    ant_ctx *ctx;
    int n = fill(filler);

    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    begin(&s, client, ctx);
    ant_ctx_cancel(ctx);
    CHECK_INT(end(&s), ANT_ECANCELED);
    ant_ctx_unref(ctx);
    begin(&s, client, NULL);
    CHECK_INT(ant_set_write_deadline(client, 1), 0);
    CHECK_INT(end(&s), ANT_ETIMEOUT);
    CHECK_INT(ant_set_write_deadline(client, 0), 0);
    begin(&s, client, NULL);
    CHECK_INT(ant_close(client), 0);
    CHECK_INT(end(&s), ANT_ECLOSED);
    receive(server, n);
}

static int run(void *arg)
{
    ant_io server = socket_of("server"), filler = socket_of("filler"), client = socket_of("client");

    CHECK_INT(ant_local_addr(server, &to), 0);
    check_room(server, filler, client);
    check_is_calm(server, filler, client);
    check_let_go(server, filler, client);
    CHECK_INT(ant_close(filler), 0);
    CHECK_INT(ant_close(server), 0);
    return 0;
}

TEST(net_unixgram_full)
{
    return run_and_check_leaks(run);
}
