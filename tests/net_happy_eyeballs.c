/* Dialing a name with several addresses: those that refuse are passed over at once, one that does not
 * answer does not keep the next from being tried, the families alternate, and only one connection is
 * left in the end. The names are answered by a getaddrinfo of our own.
 *
 * Catches: waiting for an address that never answers (then this takes minutes), the wrong error, a
 * connection that is left over. */
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>

#include <anthill.h>

#include "check.h"

enum { MOST = 4 };

static const char *answers[MOST]; /* what the name stands for */
static int ports[MOST];
static int answers_n;

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                struct addrinfo **res)
{
    struct addrinfo *list = NULL;

    if (hints->ai_flags & AI_NUMERICHOST)
        return EAI_NONAME;
    for (int i = answers_n - 1; i >= 0; i--) {
        struct addrinfo *entry = calloc(1, sizeof *entry + sizeof(struct sockaddr_in));
        struct sockaddr_in *in = (struct sockaddr_in *)(entry + 1);

        in->sin_family = AF_INET;
        in->sin_port = htons((uint16_t)ports[i]);
        inet_pton(AF_INET, answers[i], &in->sin_addr);
        entry->ai_family = AF_INET;
        entry->ai_addr = (struct sockaddr *)in;
        entry->ai_addrlen = sizeof *in;
        entry->ai_next = list;
        list = entry;
    }
    *res = list;
    return 0;
}

void freeaddrinfo(struct addrinfo *res)
{
    while (res) {
        struct addrinfo *next = res->ai_next;

        free(res);
        res = next;
    }
}

/* A listening socket without Anthill; *ret_port is its port. */
static int listen_plain(int backlog, int *ret_port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    CHECK_INT(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
    CHECK_INT(listen(fd, backlog), 0);
    CHECK_INT(getsockname(fd, (struct sockaddr *)&at, &size), 0);
    *ret_port = ntohs(at.sin_port);
    return fd;
}

/* A socket that answers no more: its backlog is full. */
static int listen_full(int *ret_port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = listen_plain(0, ret_port);

    at.sin_port = htons((uint16_t)*ret_port);
    for (int i = 0; i < 4; i++) {
        int other = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);

        (void)connect(other, (struct sockaddr *)&at, sizeof at); /* stays open */
    }
    return fd;
}

static int refused_port(void)
{
    int port;

    close(listen_plain(1, &port));
    return port;
}

static void dial_and_check(int good_port)
{
    char text[ANT_ADDR_TEXT], expected[ANT_ADDR_TEXT];
    ant_addr peer;
    ant_io io;

    CHECK_INT(ant_dial(&io, "tcp4", "somewhere:1"), 0);
    CHECK_INT(ant_peer_addr(io, &peer), 0);
    CHECK(ant_addr_text(&peer, text, sizeof text) > 0);
    snprintf(expected, sizeof expected, "127.0.0.1:%d", good_port);
    CHECK_STR(text, expected);
    CHECK_INT(ant_close(io), 0);
}

static void *dial_from_thread(void *arg)
{
    dial_and_check(*(int *)arg);
    return NULL;
}

static int run(void *arg)
{
    int good, full, before;
    int good_fd = listen_plain(16, &good), full_fd = listen_full(&full);
    pthread_t thread;
    ant_ctx *ctx;
    ant_io io;

    for (int i = 0; i < MOST; i++)
        answers[i] = "127.0.0.1";
    before = test_resources_now().fds;

    ports[0] = refused_port();
    ports[1] = good;
    answers_n = 2;
    dial_and_check(good);
    CHECK_INT(pthread_create(&thread, NULL, dial_from_thread, &good), 0);
    CHECK_INT(pthread_join(thread, NULL), 0);

    ports[0] = full; /* no answer: after a while the next is tried */
    dial_and_check(good);

    ports[0] = ports[1] = refused_port();
    CHECK_INT(ant_dial(&io, "tcp4", "somewhere:1"), -ECONNREFUSED);

    ports[0] = ports[1] = ports[2] = full;
    answers_n = 3;
    CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, 300 * ANT_MILLISECOND), 0);
    CHECK_INT(ant_dial_ctx(&io, "tcp4", "somewhere:1", ctx), ANT_ETIMEOUT);
    ant_ctx_unref(ctx);

    while (ant_count() > 1)
        ant_yield();
    CHECK_INT(test_resources_now().fds, before + 2); /* the poller's */
    close(good_fd);
    close(full_fd);
    return 0;
}

int main(void)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
