/* net.h - what sockets and names share. */
#ifndef ANT_NET_NET_H
#define ANT_NET_NET_H

#include <string.h>
#include <sys/socket.h>

#include "net/io.h"

struct ant__network {
    const char *name;
    int family; /* AF_UNSPEC: both of IP's */
    int type;
};

_Static_assert(sizeof(((ant_addr *)0)->bytes) >= sizeof(struct sockaddr_storage),
               "an address has room for any");

static inline sa_family_t ant__addr_family(const ant_addr *addr)
{
    struct sockaddr any;

    memcpy(&any, addr->bytes, sizeof any);
    return any.sa_family;
}

const struct ant__network *ant__network_find(const char *name); /* or NULL */

/* As ant_resolve_ctx. for_listening: no host means any. */
int ant__resolve(const struct ant__network *net, const char *address, bool for_listening,
                 ant_addr *ret_addrs, int n, ant_ctx *ctx);

#endif
