/* socket.c - sockets: listening, accepting, dialing, packets. */
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/net.h"

enum { ADDRESSES = 16, KEEP_ALIVE = 15 /* s */ };

static const struct sockaddr *sockaddr_of(const ant_addr *addr)
{
    return (const struct sockaddr *)addr->bytes;
}

static void set_option(int fd, int level, int name, int value)
{
    setsockopt(fd, level, name, &value, sizeof value);
}

/* So that a connection whose other side is gone without a word ends some day. */
static void keep_alive(int fd)
{
    set_option(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
    set_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, KEEP_ALIVE);
    set_option(fd, IPPROTO_TCP, TCP_KEEPINTVL, KEEP_ALIVE);
}

static enum ant__file_kind kind_of(int family, int type)
{
    if (type != SOCK_STREAM)
        return ANT__FILE_PACKETS;
    return family == AF_UNIX ? ANT__FILE_SOCKET : ANT__FILE_TCP;
}

/* fd becomes *ret_io, or is closed. */
static int adopt(ant_io *ret_io, int fd, int family, int type)
{
    int err = ant__file_new(ret_io, fd, kind_of(family, type));

    if (err)
        close(fd);
    return err;
}

/* ---- listening ---- */

static int bind_and_listen(int fd, const ant_addr *addr, const struct ant__network *net,
                           const ant_listen_options *o)
{
    int family = ant__addr_family(addr);

    if (family != AF_UNIX && net->type == SOCK_STREAM) {
        set_option(fd, SOL_SOCKET, SO_REUSEADDR, 1);
        keep_alive(fd); /* who is accepted inherits it */
    }
    if (o->reuse_port)
        set_option(fd, SOL_SOCKET, SO_REUSEPORT, 1);
    if (family == AF_INET6)
        set_option(fd, IPPROTO_IPV6, IPV6_V6ONLY, o->ipv6_only || net->family == AF_INET6);
    if (bind(fd, sockaddr_of(addr), addr->len) != 0)
        return -ant__errno();
    if (net->type != SOCK_DGRAM && listen(fd, o->backlog > 0 ? o->backlog : SOMAXCONN) != 0)
        return -ant__errno();
    return 0;
}

static int listen_at(ant_io *ret_io, const ant_addr *addr, const struct ant__network *net,
                     const ant_listen_options *o)
{
    int err, fd = ant__socket(ant__addr_family(addr), net->type);

    if (fd < 0)
        return fd;
    err = bind_and_listen(fd, addr, net, o);
    if (err) {
        close(fd);
        return err;
    }
    return adopt(ret_io, fd, ant__addr_family(addr), net->type);
}

/* Without a host: of both families, by a socket of IPv6, so that comes first. */
static void put_ipv6_first(ant_addr *addrs, int n)
{
    for (int i = 1; i < n; i++) {
        if (ant__addr_family(&addrs[i]) == AF_INET6) {
            ant_addr first = addrs[i];

            addrs[i] = addrs[0];
            addrs[0] = first;
            return;
        }
    }
}

/* The first of them that this machine has: IPv6 may be switched off. */
static int listen_at_first(ant_io *ret_io, const ant_addr *addrs, int n,
                           const struct ant__network *net, const ant_listen_options *o)
{
    int err = -EADDRNOTAVAIL;

    for (int i = 0; i < n && (err == -EADDRNOTAVAIL || err == -EAFNOSUPPORT); i++)
        err = listen_at(ret_io, &addrs[i], net, o);
    return err;
}

/* Not on the stack, which may have 2 KB. Whoever gets them frees them. */
static ant__noinline int addresses_of(ant_addr **ret_addrs, const struct ant__network *net,
                                      const char *address, bool for_listening, ant_ctx *ctx)
{
    void *memory;
    int n = ant__alloc(&memory, ADDRESSES * sizeof(ant_addr));

    if (n < 0)
        return n;
    *ret_addrs = memory;
    n = ant__resolve(net, address, for_listening, *ret_addrs, ADDRESSES, ctx);
    if (n < 0)
        free(memory);
    return n;
}

int ant_listen_ctx(ant_io *ret_io, const char *network, const char *address,
                   const ant_listen_options *options, ant_ctx *ctx)
{
    const struct ant__network *net = ant__network_find(network);
    const ant_listen_options defaults = {0}, *o = options ? options : &defaults;
    ant_addr *addrs;
    int saved = ant__errno(), n, err = ant_ctx_err(ctx);

    if (!ret_io || !address || o->backlog < 0)
        return -EINVAL;
    if (!net)
        return -EAFNOSUPPORT;
    if (err || ant_procs() == 0)
        return err ? err : ANT_ENOTRUNNING;
    n = addresses_of(&addrs, net, address, true, ctx);
    if (n < 0)
        return n;
    if (address[0] == ':')
        put_ipv6_first(addrs, n);
    err = listen_at_first(ret_io, addrs, n, net, o);
    free(addrs);
    ant__errno_set(saved);
    return err;
}

int ant_listen(ant_io *ret_io, const char *network, const char *address,
               const ant_listen_options *options)
{
    return ant_listen_ctx(ret_io, network, address, options, NULL);
}

/* ---- accepting ---- */

struct accepting {
    struct ant__op op;
    ant_io *ret_io;
    enum ant__file_kind kind; /* the listener's */
};

/* What happened to the one that was to be accepted, and not to the listener. */
static bool concerns_one(int err)
{
    return err == -ECONNABORTED || err == -EPROTO || err == -ENETDOWN || err == -ENOPROTOOPT ||
           err == -EHOSTDOWN || err == -ENONET || err == -EHOSTUNREACH || err == -ENETUNREACH;
}

/* Adopts it here, so that no descriptor is in nobody's hands when the goroutine is abandoned. */
static ssize_t call_accept(struct ant__op *op, int listener)
{
    struct accepting *a = ant__container_of(op, struct accepting, op);
    int fd, err;

    do
        fd = ant__accept(listener);
    while (concerns_one(fd));
    if (fd < 0)
        return fd;
    if (a->kind == ANT__FILE_TCP)
        set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
    err = ant__file_new(a->ret_io, fd, a->kind);
    if (err)
        close(fd);
    return err;
}

int ant_accept_ctx(ant_io listener, ant_io *ret_io, ant_ctx *ctx)
{
    struct accepting a = {.op = {.call = call_accept, .ctx = ctx}, .ret_io = ret_io};
    struct ant__file *f;
    int err = ret_io ? ant__file_ref(listener, &f) : -EINVAL;

    if (err)
        return err;
    a.kind = f->kind;
    err = (int)ant__file_try(f, &a.op);
    ant__file_unref(f);
    return err;
}

int ant_accept(ant_io listener, ant_io *ret_io)
{
    return ant_accept_ctx(listener, ret_io, NULL);
}

/* ---- dialing ---- */

static int error_of_socket(int fd)
{
    int err = 0;
    socklen_t size = sizeof err;

    return getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &size) != 0 ? ant__errno() : err;
}

/* Whether the connection is made: not until the system says who the other side is. */
static ssize_t call_connected(struct ant__op *op, int fd)
{
    struct sockaddr_storage peer;
    socklen_t size = sizeof peer;
    int err = error_of_socket(fd);

    if (err)
        return err == EINPROGRESS || err == EALREADY ? -EAGAIN : -err;
    return getpeername(fd, (struct sockaddr *)&peer, &size) == 0 ? 0 : -EAGAIN;
}

/* 1: the connection is not made yet, for which finish_dial waits. */
static ant__noinline int begin_dial(ant_io *ret_io, const ant_addr *addr, int type)
{
    int err, fd = ant__socket(ant__addr_family(addr), type);
    bool waits;

    if (fd < 0)
        return fd;
    err = connect(fd, sockaddr_of(addr), addr->len) == 0 ? 0 : -ant__errno();
    waits = err == -EINPROGRESS || err == -EINTR;
    if (err && !waits) {
        close(fd);
        return err;
    }
    if (ant__addr_family(addr) != AF_UNIX && type == SOCK_STREAM) {
        set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
        keep_alive(fd);
    }
    err = adopt(ret_io, fd, ant__addr_family(addr), type);
    return err ? err : waits;
}

static ant__noinline int finish_dial(ant_io io, ant_ctx *ctx)
{
    struct ant__op op = {.call = call_connected, .out = true, .ctx = ctx};
    int err = (int)ant__io_do(io, &op);

    if (err)
        ant_close(io);
    return err;
}

static int dial_one(ant_io *ret_io, const ant_addr *addr, int type, ant_ctx *ctx)
{
    int begun = begin_dial(ret_io, addr, type);

    return begun == 1 ? finish_dial(*ret_io, ctx) : begun;
}

/* ---- dialing one of several addresses (RFC 8305) ---- */

#define HEAD_START (250 * ANT_MILLISECOND)

struct attempt {
    ant_addr addr;
    int type;
    ant_ctx *ctx;
    ant_chan *results;
};

struct result {
    int err;
    ant_io io;
};

static void attempt(void *arg)
{
    struct attempt *a = arg;
    struct result r = {0};

    r.err = dial_one(&r.io, &a->addr, a->type, a->ctx);
    ant_chan_send(a->results, &r); /* there is room for all */
}

/* Families in turn, each in its own order, beginning with that of the first. */
static ant__noinline void interleave(ant_addr *addrs, int n)
{
    for (int i = 1; i < n; i++) {
        for (int j = i; j < n; j++) {
            ant_addr next = addrs[j];

            if (ant__addr_family(&next) == ant__addr_family(&addrs[i - 1]))
                continue;
            for (; j > i; j--)
                addrs[j] = addrs[j - 1];
            addrs[i] = next;
            break;
        }
    }
}

struct race {
    const ant_addr *addrs;
    int n, type;
    int begun, ended;
    ant_ctx *ctx;
    ant_chan *results;
    struct result best;
};

static int begin_next(struct race *r)
{
    struct attempt a = {
        .addr = r->addrs[r->begun], .type = r->type, .ctx = r->ctx, .results = r->results};
    int err = ant_go_copy(attempt, &a, sizeof a);

    r->begun += !err;
    return err;
}

/* None has succeeded yet. Waits for the next result, up to the head start of the attempt that began
 * last. */
static void take_result(struct race *r)
{
    struct result result;
    ant_ctx *patience = NULL;
    bool last = r->begun == r->n;

    if (!last && ant_ctx_with_timeout(&patience, r->ctx, HEAD_START) != 0)
        last = true;
    if (ant_chan_recv_ctx(r->results, &result, last ? NULL : patience) == 0) {
        r->ended++;
        r->best = result;
    }
    ant_ctx_cancel(patience);
    ant_ctx_unref(patience);
}

/* Those that lose are canceled, and are waited for, as they use what is ours. */
static int run_race(struct race *r, ant_ctx *ctx)
{
    int err = 0;

    while (r->best.err && !err && (r->begun < r->n || r->ended < r->begun)) {
        if (r->begun < r->n)
            err = begin_next(r);
        if (r->begun > r->ended)
            take_result(r);
        if (ant_ctx_err(ctx))
            break;
    }
    ant_ctx_cancel(r->ctx);
    while (r->ended < r->begun) {
        struct result late;

        ant_chan_recv(r->results, &late);
        r->ended++;
        if (!late.err && r->best.err)
            r->best = late;
        else if (!late.err)
            ant_close(late.io);
    }
    return err;
}

/* For a thread that is no goroutine: it would wait for goroutines, which may never come to their end
 * if the runtime is stopped meanwhile. */
static int dial_in_turn(ant_io *ret_io, const ant_addr *addrs, int n, int type, ant_ctx *ctx)
{
    int err = -ENOENT;

    for (int i = 0; i < n && err && !ant_ctx_err(ctx); i++)
        err = dial_one(ret_io, &addrs[i], type, ctx);
    return err && ant_ctx_err(ctx) ? ant_ctx_err(ctx) : err;
}

static ant__noinline int dial_any(ant_io *ret_io, const ant_addr *addrs, int n, int type,
                                  ant_ctx *ctx)
{
    struct race r = {.addrs = addrs, .n = n, .type = type, .best.err = -ENOENT};
    int err = ant_ctx_with_cancel(&r.ctx, ctx);

    if (err)
        return err;
    err = ant_chan_new(&r.results, sizeof(struct result), (size_t)n);
    if (!err) {
        err = run_race(&r, ctx);
        ant_chan_destroy(r.results);
    }
    ant_ctx_cancel(r.ctx);
    ant_ctx_unref(r.ctx);
    if (err && r.best.err)
        return err;
    if (r.best.err)
        return ant_ctx_err(ctx) ? ant_ctx_err(ctx) : r.best.err;
    *ret_io = r.best.io;
    return 0;
}

/* Frees the addresses before it waits, as the goroutine may be abandoned meanwhile. */
static ant__noinline int dial_first(ant_io *ret_io, ant_addr *addrs, int type, ant_ctx *ctx)
{
    int begun = begin_dial(ret_io, &addrs[0], type);

    free(addrs);
    return begun == 1 ? finish_dial(*ret_io, ctx) : begun;
}

/* Frees addrs. */
static int dial(ant_io *ret_io, ant_addr *addrs, int n, int type, ant_ctx *ctx)
{
    int err = 0;

    interleave(addrs, n);
    if (n == 1 || (n > 1 && type == SOCK_DGRAM))
        return dial_first(ret_io, addrs, type, ctx);
    if (n > 1)
        err = ant_id() == 0 ? dial_in_turn(ret_io, addrs, n, type, ctx)
                            : dial_any(ret_io, addrs, n, type, ctx);
    free(addrs);
    return err;
}

int ant_dial_ctx(ant_io *ret_io, const char *network, const char *address, ant_ctx *ctx)
{
    const struct ant__network *net = ant__network_find(network);
    ant_addr *addrs;
    int saved = ant__errno(), n, err = ant_ctx_err(ctx);

    if (!ret_io || !address)
        return -EINVAL;
    if (!net)
        return -EAFNOSUPPORT;
    if (err || ant_procs() == 0)
        return err ? err : ANT_ENOTRUNNING;
    n = addresses_of(&addrs, net, address, false, ctx);
    if (n < 0)
        return n;
    err = dial(ret_io, addrs, n, net->type, ctx);
    ant__errno_set(saved);
    return err;
}

int ant_dial(ant_io *ret_io, const char *network, const char *address)
{
    return ant_dial_ctx(ret_io, network, address, NULL);
}

/* ---- packets ---- */

struct packet {
    struct ant__op op;
    union {
        void *in;
        const void *out;
    } buf;
    size_t size;
    ant_addr *ret_from;
    const ant_addr *to;
};

static ssize_t call_recv_from(struct ant__op *op, int fd)
{
    struct packet *p = ant__container_of(op, struct packet, op);
    ant_addr from = {.len = sizeof from.bytes};
    ssize_t n = recvfrom(fd, p->buf.in, p->size, 0, (struct sockaddr *)from.bytes, &from.len);

    if (n < 0)
        return -ant__errno();
    if (p->ret_from)
        *p->ret_from = from;
    return n;
}

static ssize_t call_send_to(struct ant__op *op, int fd)
{
    struct packet *p = ant__container_of(op, struct packet, op);
    const struct sockaddr *to = p->to ? sockaddr_of(p->to) : NULL;
    ssize_t n = sendto(fd, p->buf.out, p->size, MSG_NOSIGNAL, to, p->to ? p->to->len : 0);

    return n < 0 ? -ant__errno() : n;
}

ssize_t ant_recv_from_ctx(ant_io io, void *buf, size_t size, ant_addr *ret_from, ant_ctx *ctx)
{
    struct packet p = {.op = {.call = call_recv_from, .ctx = ctx},
                       .buf.in = buf,
                       .size = size,
                       .ret_from = ret_from};

    return !buf && size ? -EINVAL : ant__io_do(io, &p.op);
}

ssize_t ant_recv_from(ant_io io, void *buf, size_t size, ant_addr *ret_from)
{
    return ant_recv_from_ctx(io, buf, size, ret_from, NULL);
}

ssize_t ant_send_to_ctx(ant_io io, const void *buf, size_t size, const ant_addr *to, ant_ctx *ctx)
{
    struct packet p = {.op = {.call = call_send_to, .out = true, .ctx = ctx},
                       .buf.out = buf,
                       .size = size,
                       .to = to};

    /* The receiver's queue may be full, of which the system does not tell the end; and a try that fails
     * for it looks like room here, so that the poller would have it tried again at once, for ever. */
    p.op.no_event = to && ant__addr_family(to) == AF_UNIX;
    return !buf && size ? -EINVAL : ant__io_do(io, &p.op);
}

ssize_t ant_send_to(ant_io io, const void *buf, size_t size, const ant_addr *to)
{
    return ant_send_to_ctx(io, buf, size, to, NULL);
}

/* ---- about a socket ---- */

int ant_shutdown(ant_io io, int how)
{
    struct ant__file *f;
    int saved = ant__errno(), err = ant__file_ref(io, &f);

    if (err)
        return err;
    err = shutdown(f->fd, how) == 0 ? 0 : -ant__errno();
    ant__errno_set(saved);
    ant__file_unref(f);
    return err;
}

static int address_of(ant_io io, ant_addr *ret_addr,
                      int (*get)(int fd, struct sockaddr *addr, socklen_t *len))
{
    struct ant__file *f;
    int saved = ant__errno(), err = ret_addr ? ant__file_ref(io, &f) : -EINVAL;

    if (err)
        return err;
    *ret_addr = (ant_addr){.len = sizeof ret_addr->bytes};
    err = get(f->fd, (struct sockaddr *)ret_addr->bytes, &ret_addr->len) == 0 ? 0 : -ant__errno();
    ant__errno_set(saved);
    ant__file_unref(f);
    return err;
}

int ant_local_addr(ant_io io, ant_addr *ret_addr)
{
    return address_of(io, ret_addr, getsockname);
}

int ant_peer_addr(ant_io io, ant_addr *ret_addr)
{
    return address_of(io, ret_addr, getpeername);
}
