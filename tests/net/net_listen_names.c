/* Listening at a name that stands for several addresses: at the first one, in the order of the resolver,
 * that this machine has. The names are answered by a getaddrinfo of our own.
 *
 * Catches: an address of IPv6 that is taken though it comes second, and an error though a later address
 * would do (localhost as ::1 and 127.0.0.1, where IPv6 is switched off). */
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>

#include "net_help.h"

struct answer {
    struct addrinfo info;
    struct sockaddr_storage addr;
};

static struct addrinfo *answer(const char *host, struct addrinfo *next)
{
    struct answer *a = calloc(1, sizeof *a);
    struct sockaddr_in *four = (struct sockaddr_in *)&a->addr;
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)&a->addr;

    a->info = (struct addrinfo){
        .ai_socktype = SOCK_STREAM, .ai_addr = (struct sockaddr *)&a->addr, .ai_next = next};
    if (inet_pton(AF_INET, host, &four->sin_addr) == 1) {
        a->info.ai_family = four->sin_family = AF_INET;
        a->info.ai_addrlen = sizeof *four;
    } else {
        CHECK_INT(inet_pton(AF_INET6, host, &six->sin6_addr), 1);
        a->info.ai_family = six->sin6_family = AF_INET6;
        a->info.ai_addrlen = sizeof *six;
    }
    return &a->info;
}

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                struct addrinfo **res)
{
    if (hints->ai_flags & AI_NUMERICHOST || !node)
        return EAI_NONAME;
    if (strcmp(node, "four-first") == 0)
        *res = answer("127.0.0.1", answer("::1", NULL));
    else if (strcmp(node, "second-is-here") == 0) /* the first is for documentation only */
        *res = answer("2001:db8::1", answer("127.0.0.1", NULL));
    else if (strcmp(node, "none-is-here") == 0)
        *res = answer("2001:db8::1", answer("203.0.113.1", NULL));
    else
        return EAI_NONAME;
    return 0;
}

void freeaddrinfo(struct addrinfo *list)
{
    while (list) {
        struct addrinfo *next = list->ai_next;

        free(list);
        list = next;
    }
}

static void check_listens(const char *where)
{
    char address[ANT_ADDR_TEXT];
    ant_io io = listen_at("tcp", where, NULL, address);

    CHECK_HAS(address, "127.0.0.1:");
    CHECK_INT(ant_close(io), 0);
}

static int run(void *arg)
{
    ant_io io;
    int err;

    check_listens("four-first:0");
    check_listens("second-is-here:0");
    err = ant_listen(&io, "tcp", "none-is-here:0", NULL);
    CHECK(err == -EADDRNOTAVAIL || err == -EAFNOSUPPORT);
    return 0;
}

TEST(net_listen_names)
{
    return run_and_check_leaks(run);
}
