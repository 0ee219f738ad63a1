/* two_places.h - a getaddrinfo for which every name stands for the same addresses of the own machine,
 * two ports in turn. For tests marked ALONE. */
#ifndef ANT_TESTS_TWO_PLACES_H
#define ANT_TESTS_TWO_PLACES_H

#include <netdb.h>
#include <netinet/in.h>

#include "net_help.h"

enum { PLACES = 2 };

static struct sockaddr_in places[PLACES];

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                struct addrinfo **res)
{
    static struct addrinfo list[PLACES];

    if (hints->ai_flags & AI_NUMERICHOST)
        return EAI_NONAME;
    for (int i = 0; i < PLACES; i++)
        list[i] = (struct addrinfo){.ai_family = AF_INET,
                                    .ai_addr = (struct sockaddr *)&places[i],
                                    .ai_addrlen = sizeof places[i],
                                    .ai_next = i + 1 < PLACES ? &list[i + 1] : NULL};
    *res = list;
    return 0;
}

void freeaddrinfo(struct addrinfo *res)
{
}

/* A socket of the own machine, at which places[i] is. */
static inline int open_place(int i, bool listens)
{
    socklen_t size = sizeof places[i];
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    places[i] =
        (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    CHECK_INT(bind(fd, (struct sockaddr *)&places[i], size), 0);
    if (listens)
        CHECK_INT(listen(fd, 16), 0);
    CHECK_INT(getsockname(fd, (struct sockaddr *)&places[i], &size), 0);
    return fd;
}

#endif
