/* resolve.c - addresses as text, and what they stand for. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/un.h>

#include "net/net.h"

enum { LOOKUPS = 32, HOST = 256, SERVICE = 64 };

static struct ant__turns lookups = {.n = LOOKUPS};

/* ---- networks ---- */

const struct ant__network *ant__network_find(const char *name)
{
    static const struct ant__network networks[] = {
        {"tcp", AF_UNSPEC, SOCK_STREAM},         {"tcp4", AF_INET, SOCK_STREAM},
        {"tcp6", AF_INET6, SOCK_STREAM},         {"udp", AF_UNSPEC, SOCK_DGRAM},
        {"udp4", AF_INET, SOCK_DGRAM},           {"udp6", AF_INET6, SOCK_DGRAM},
        {"unix", AF_UNIX, SOCK_STREAM},          {"unixgram", AF_UNIX, SOCK_DGRAM},
        {"unixpacket", AF_UNIX, SOCK_SEQPACKET},
    };

    for (size_t i = 0; name && i < sizeof networks / sizeof networks[0]; i++) {
        if (strcmp(networks[i].name, name) == 0)
            return &networks[i];
    }
    return NULL;
}

/* ---- paths ---- */

static ant__noinline int resolve_path(const char *path, ant_addr *ret_addr)
{
    struct sockaddr_un un = {.sun_family = AF_UNIX};
    size_t length = strlen(path);

    if (length == 0)
        return -EINVAL;
    if (length >= sizeof un.sun_path)
        return -ENAMETOOLONG;
    memcpy(un.sun_path, path, length);
    if (path[0] == '@') /* a name without a file */
        un.sun_path[0] = '\0';
    *ret_addr = (ant_addr){0};
    memcpy(ret_addr->bytes, &un, sizeof un);
    ret_addr->len = (uint32_t)(offsetof(struct sockaddr_un, sun_path) + length + (path[0] != '@'));
    return 1;
}

/* ---- host and port ---- */

/* "host:port" or "[host]:port" in two. */
static int split(const char *address, char host[HOST], char service[SERVICE])
{
    const char *colon = strrchr(address, ':'), *from = address;
    size_t length;

    if (!colon || strlen(colon + 1) >= SERVICE || colon[1] == '\0')
        return -EINVAL;
    length = (size_t)(colon - address);
    if (address[0] == '[') {
        if (length < 2 || colon[-1] != ']')
            return -EINVAL;
        from++;
        length -= 2;
    } else if (memchr(address, ':', length)) {
        return -EINVAL; /* an address of IPv6 without brackets */
    }
    if (length >= HOST)
        return -EINVAL;
    memcpy(host, from, length);
    host[length] = '\0';
    strcpy(service, colon + 1);
    return 0;
}

/* getaddrinfo takes any number, and uses its lower bits. */
static bool is_port_or_name(const char *service)
{
    uint32_t n = 0;

    if (strchr("+- ", service[0]))
        return false;
    for (; *service >= '0' && *service <= '9' && n <= UINT16_MAX; service++)
        n = 10 * n + (uint32_t)(*service - '0');
    return n <= UINT16_MAX;
}

struct lookup {
    const char *address;
    struct addrinfo hints;
    struct addrinfo *list;
    bool is_unknown; /* the resolver does not know the name */
    int err;
};

static int error_of(int result)
{
    switch (result) {
    case 0:
        return 0;
    case EAI_AGAIN:
        return -EAGAIN;
    case EAI_MEMORY:
        return -ENOMEM;
    case EAI_SYSTEM:
        return ant__errno() ? -ant__errno() : -EIO;
    default:
        return ANT_ENOTFOUND;
    }
}

static void look_up(void *arg)
{
    struct lookup *l = arg;
    char host[HOST], service[SERVICE];
    int result;

    l->err = split(l->address, host, service);
    if (!l->err && !is_port_or_name(service))
        l->err = ANT_ENOTFOUND;
    if (l->err)
        return;
    result = getaddrinfo(host[0] ? host : NULL, service, &l->hints, &l->list);
    l->is_unknown = result == EAI_NONAME;
    l->err = error_of(result); /* here, since errno is this thread's */
}

static void look_up_with_room(void *arg)
{
    ant__with_room(look_up, arg); /* these frames are large, and the resolver's are larger */
}

/* Numbers need no looking up, and so no section. */
static int get_addresses(struct lookup *l, ant_ctx *ctx)
{
    int flags = l->hints.ai_flags, err;

    l->hints.ai_flags |= AI_NUMERICHOST | AI_NUMERICSERV;
    look_up_with_room(l);
    if (!l->is_unknown)
        return l->err;
    l->hints.ai_flags = flags;
    err = ant__turn_take(&lookups, ctx);
    if (err)
        return err;
    ant_blocking(look_up_with_room, l);
    ant__turn_give(&lookups);
    return l->err;
}

static int copy_addresses(const struct addrinfo *list, ant_addr *ret_addrs, int n)
{
    int found = 0;

    for (; list && found < n; list = list->ai_next) {
        if (list->ai_addrlen > sizeof ret_addrs->bytes)
            continue;
        ret_addrs[found] = (ant_addr){.len = list->ai_addrlen};
        memcpy(ret_addrs[found].bytes, list->ai_addr, list->ai_addrlen);
        found++;
    }
    return found;
}

int ant__resolve(const struct ant__network *net, const char *address, bool for_listening,
                 ant_addr *ret_addrs, int n, ant_ctx *ctx)
{
    struct lookup l = {.address = address,
                       .hints = {.ai_family = net->family, .ai_socktype = net->type}};
    int saved = ant__errno(), err;

    if (net->family == AF_UNIX)
        return resolve_path(address, ret_addrs);
    l.hints.ai_flags = for_listening ? AI_PASSIVE : 0;
    err = get_addresses(&l, ctx);
    if (!err) {
        err = copy_addresses(l.list, ret_addrs, n);
        freeaddrinfo(l.list);
    }
    ant__errno_set(saved);
    return err;
}

int ant_resolve_ctx(const char *network, const char *address, ant_addr *ret_addrs, int n,
                    ant_ctx *ctx)
{
    const struct ant__network *net = ant__network_find(network);
    int err = ant_ctx_err(ctx);

    if (!address || !ret_addrs || n <= 0)
        return -EINVAL;
    if (!net)
        return -EAFNOSUPPORT;
    if (err || ant_procs() == 0)
        return err ? err : ANT_ENOTRUNNING;
    return ant__resolve(net, address, false, ret_addrs, n, ctx);
}

int ant_resolve(const char *network, const char *address, ant_addr *ret_addrs, int n)
{
    return ant_resolve_ctx(network, address, ret_addrs, n, NULL);
}

/* ---- as text ---- */

static int text_of_ip4(const ant_addr *addr, char *text, size_t size)
{
    char host[INET_ADDRSTRLEN];
    struct sockaddr_in in;

    memcpy(&in, addr->bytes, sizeof in);
    inet_ntop(AF_INET, &in.sin_addr, host, sizeof host);
    return snprintf(text, size, "%s:%u", host, ntohs(in.sin_port));
}

static int text_of_ip6(const ant_addr *addr, char *text, size_t size)
{
    char host[INET6_ADDRSTRLEN];
    struct sockaddr_in6 in;

    memcpy(&in, addr->bytes, sizeof in);
    inet_ntop(AF_INET6, &in.sin6_addr, host, sizeof host);
    if (in.sin6_scope_id)
        return snprintf(text, size, "[%s%%%u]:%u", host, in.sin6_scope_id, ntohs(in.sin6_port));
    return snprintf(text, size, "[%s]:%u", host, ntohs(in.sin6_port));
}

static int text_of_path(const ant_addr *addr, char *text, size_t size)
{
    int length = (int)addr->len - (int)offsetof(struct sockaddr_un, sun_path);
    struct sockaddr_un un;

    memcpy(&un, addr->bytes, sizeof un);
    if (length <= 0) /* one that has no name */
        return snprintf(text, size, "%s", "");
    if (un.sun_path[0] == '\0')
        return snprintf(text, size, "@%.*s", length - 1, un.sun_path + 1);
    return snprintf(text, size, "%.*s", length, un.sun_path);
}

struct writing {
    const ant_addr *addr;
    char *text;
    size_t size;
    int n; /* bytes, or -errno */
};

static void write_text(void *arg)
{
    struct writing *w = arg;

    switch (ant__addr_family(w->addr)) {
    case AF_INET:
        w->n = text_of_ip4(w->addr, w->text, w->size);
        break;
    case AF_INET6:
        w->n = text_of_ip6(w->addr, w->text, w->size);
        break;
    case AF_UNIX:
        w->n = text_of_path(w->addr, w->text, w->size);
        break;
    default:
        w->n = -EAFNOSUPPORT;
    }
}

int ant_addr_text(const ant_addr *addr, char *text, size_t size)
{
    struct writing w = {.addr = addr, .text = text, .size = size};
    int saved = ant__errno();

    if (!addr || !text)
        return -EINVAL;
    ant__with_room(write_text, &w); /* snprintf needs more than a KB */
    ant__errno_set(saved);
    return w.n >= 0 && (size_t)w.n >= size ? -ENOSPC : w.n;
}
