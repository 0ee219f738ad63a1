/* Dialing a name with several addresses: those that refuse are passed over at once, one that does not
 * answer does not keep the next from being tried, the families alternate, and only one connection is
 * left in the end. The names are answered by a getaddrinfo of our own, and a connect of our own notes
 * whom it was called for.
 *
 * Catches: waiting for an address that never answers (then this takes minutes), the wrong error, a
 * connection that is left over, addresses of one family that are all tried before the other's. */
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <anthill.h>

#include "check.h"

enum { MOST = 8, TRIES = 10 };

struct place {
    int family;
    int port;
};

static struct place answers[MOST]; /* what the name stands for */
static int answers_n;

static void answer(int n, const struct place *places)
{
    memcpy(answers, places, (size_t)n * sizeof *places);
    answers_n = n;
}

/* The own machine, of that family, as a socket's address. */
union address {
    struct sockaddr any;
    struct sockaddr_in in;
    struct sockaddr_in6 in6;
};

static socklen_t address_of(struct place at, union address *ret)
{
    memset(ret, 0, sizeof *ret);
    ret->any.sa_family = (sa_family_t)at.family;
    if (at.family == AF_INET) {
        ret->in.sin_port = htons((uint16_t)at.port);
        ret->in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return sizeof ret->in;
    }
    ret->in6.sin6_port = htons((uint16_t)at.port);
    ret->in6.sin6_addr = in6addr_loopback;
    return sizeof ret->in6;
}

static int port_of(const union address *address)
{
    return ntohs(address->any.sa_family == AF_INET ? address->in.sin_port : address->in6.sin6_port);
}

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                struct addrinfo **res)
{
    struct addrinfo *list = NULL;

    if (hints->ai_flags & AI_NUMERICHOST)
        return EAI_NONAME;
    for (int i = answers_n - 1; i >= 0; i--) {
        struct addrinfo *entry;

        if (hints->ai_family != AF_UNSPEC && hints->ai_family != answers[i].family)
            continue;
        entry = calloc(1, sizeof *entry + sizeof(union address));
        entry->ai_family = answers[i].family;
        entry->ai_addr = (struct sockaddr *)(entry + 1);
        entry->ai_addrlen = address_of(answers[i], (union address *)(entry + 1));
        entry->ai_next = list;
        list = entry;
    }
    *res = list;
    return list ? 0 : EAI_NONAME;
}

void freeaddrinfo(struct addrinfo *res)
{
    while (res) {
        struct addrinfo *next = res->ai_next;

        free(res);
        res = next;
    }
}

/* ---- whom it was called for ---- */

static _Atomic int tried[MOST]; /* ports */
static _Atomic int tried_n;

int connect(int fd, const struct sockaddr *addr, socklen_t len)
{
    union address to;
    int i = atomic_fetch_add(&tried_n, 1);

    memcpy(&to, addr, len);
    if (i < MOST)
        atomic_store(&tried[i], port_of(&to));
    return (int)syscall(SYS_connect, fd, addr, len);
}

/* ---- sockets without Anthill, open until the end ---- */

static int own[64], own_n;

static int own_socket(int family, int flags)
{
    CHECK(own_n < 64);
    return own[own_n++] = socket(family, SOCK_STREAM | flags, 0);
}

static void close_own(void)
{
    while (own_n > 0)
        CHECK_INT(close(own[--own_n]), 0);
}

/* Bound, so that nobody else gets the port, but it does not listen: backlog < 0. */
static struct place place_with(int family, int backlog)
{
    union address at;
    socklen_t size = address_of((struct place){family, 0}, &at);
    int fd = own_socket(family, 0);

    CHECK_INT(bind(fd, &at.any, size), 0);
    if (backlog >= 0)
        CHECK_INT(listen(fd, backlog), 0);
    CHECK_INT(getsockname(fd, &at.any, &size), 0);
    return (struct place){family, port_of(&at)};
}

static struct place good_one(int family)
{
    return place_with(family, 16);
}

static struct place refusing(int family)
{
    return place_with(family, -1);
}

/* One that answers no more: its backlog is full. */
static struct place full_one(int family)
{
    struct place at = place_with(family, 0);
    union address to;
    socklen_t size = address_of(at, &to);

    for (int i = 0; i < 4; i++)
        (void)connect(own_socket(family, SOCK_NONBLOCK), &to.any, size);
    return at;
}

static bool has_ipv6(void)
{
    union address at;
    socklen_t size = address_of((struct place){AF_INET6, 0}, &at);
    int fd = socket(AF_INET6, SOCK_STREAM, 0);
    bool has = fd >= 0 && bind(fd, &at.any, size) == 0;

    if (fd >= 0)
        close(fd);
    return has;
}

/* ---- dialing ---- */

static void dial_and_check(const char *network, struct place good)
{
    char text[ANT_ADDR_TEXT], expected[ANT_ADDR_TEXT];
    ant_addr peer;
    ant_io io;

    CHECK_INT(ant_dial(&io, network, "somewhere:1"), 0);
    CHECK_INT(ant_peer_addr(io, &peer), 0);
    CHECK(ant_addr_text(&peer, text, sizeof text) > 0);
    snprintf(expected, sizeof expected, good.family == AF_INET ? "127.0.0.1:%d" : "[::1]:%d",
             good.port);
    CHECK_STR(text, expected);
    CHECK_INT(ant_close(io), 0);
}

static void *dial_from_thread(void *arg)
{
    dial_and_check("tcp", *(struct place *)arg);
    return NULL;
}

/* ---- one family ---- */

static void check_family(int family)
{
    const char *network = family == AF_INET ? "tcp4" : "tcp6";
    struct place good = good_one(family), full = full_one(family), none = refusing(family);
    pthread_t thread;
    ant_ctx *ctx;
    ant_io io;

    answer(2, (struct place[]){none, good});
    dial_and_check(network, good);
    CHECK_INT(pthread_create(&thread, NULL, dial_from_thread, &good), 0);
    CHECK_INT(pthread_join(thread, NULL), 0);

    answer(2, (struct place[]){full, good}); /* no answer: after a while the next is tried */
    dial_and_check(network, good);

    answer(2, (struct place[]){none, none});
    CHECK_INT(ant_dial(&io, network, "somewhere:1"), -ECONNREFUSED);

    answer(3, (struct place[]){full, full, full});
    CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, 300 * ANT_MILLISECOND), 0);
    CHECK_INT(ant_dial_ctx(&io, network, "somewhere:1", ctx), ANT_ETIMEOUT);
    ant_ctx_unref(ctx);
}

/* ---- both ---- */

static void *dial_in_vain(void *arg)
{
    ant_io io;

    atomic_store(&tried_n, 0);
    CHECK_INT(ant_dial(&io, "tcp", "somewhere:1"), -ECONNREFUSED);
    return NULL;
}

static bool is_order(const struct place *places, int n)
{
    CHECK_INT(atomic_load(&tried_n), n);
    for (int i = 0; i < n; i++) {
        if (atomic_load(&tried[i]) != places[i].port)
            return false;
    }
    return true;
}

/* Whichever family comes first. If the machine is busy an attempt may be overtaken by the one that
 * begins 250 ms after it: so more than once. */
static void check_order(int first, int second)
{
    struct place a = refusing(first), b = refusing(first), c = refusing(first);
    struct place x = refusing(second), y = refusing(second);
    const struct place expected[] = {a, x, b, y, c};
    bool ordered = false;
    pthread_t thread;

    answer(5, (struct place[]){a, b, c, x, y});
    for (int i = 0; i < TRIES && !ordered; i++) {
        dial_in_vain(NULL);
        ordered = is_order(expected, 5);
    }
    CHECK(ordered);
    CHECK_INT(pthread_create(&thread, NULL, dial_in_vain, NULL), 0);
    CHECK_INT(pthread_join(thread, NULL), 0);
    CHECK(is_order(expected, 5));
}

static void check_other_family(int first, int second)
{
    struct place good = good_one(second), full = full_one(first), none = refusing(first);

    answer(4, (struct place[]){none, none, none, good});
    dial_and_check("tcp", good);
    answer(4, (struct place[]){full, full, full, good});
    dial_and_check("tcp", good);
}

static int run(void *arg)
{
    int before = test_resources_now().fds;

    check_family(AF_INET);
    if (has_ipv6()) {
        check_family(AF_INET6);
        check_order(AF_INET, AF_INET6);
        check_order(AF_INET6, AF_INET);
        check_other_family(AF_INET, AF_INET6);
        check_other_family(AF_INET6, AF_INET);
    } else {
        fprintf(stderr, "no ::1 on this machine: only IPv4 was tested\n");
    }
    close_own();
    while (ant_count() > 1)
        ant_yield();
    CHECK_INT(test_resources_now().fds, before + 2); /* the poller's */
    return 0;
}

TEST(net_happy_eyeballs)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
