/* net.h - sockets: TCP, UDP and Unix, IPv4 and IPv6; names and addresses.
 *
 * A socket is an ant_io: reading, writing, deadlines and closing are in io.h, and what is said there
 * about callers, waiting and errors holds here too.
 *
 * Networks are "tcp", "tcp4", "tcp6", "udp", "udp4", "udp6", "unix", "unixgram" and "unixpacket".
 * Addresses are "host:port" or "[host]:port", host being a name, a number or nothing (any, or the
 * own machine when dialing), port a number or the name of a service; for the unix networks a path, or
 * "@name" for one without a file. */
#ifndef ANTHILL_NET_H
#define ANTHILL_NET_H

#include <anthill/io.h>

ANT_BEGIN_DECLS

/* A struct sockaddr_in, sockaddr_in6 or sockaddr_un lies in the first len bytes. */
typedef struct ant_addr {
    uint64_t bytes[16];
    uint32_t len;
} ant_addr;

typedef struct ant_listen_options {
    int backlog;     /* connections that wait to be accepted; 0: as many as the system allows */
    bool reuse_port; /* several may listen on the same port, and share what comes */
    bool ipv6_only;  /* "tcp" and "udp" on no particular host serve both otherwise; "tcp6" and
                        "udp6" never do */
} ant_listen_options;

/* Listens, or for packet networks binds, at an address; options may be NULL. A Unix socket's path must
 * not exist (-EADDRINUSE), and is removed by nobody. Waits only for a name to be resolved: see
 * ant_resolve for the errors. -EAFNOSUPPORT for an unknown network, -ENAMETOOLONG for a path that is;
 * -EMFILE, -ENOMEM, -ENOSPC, -EACCES, -EADDRNOTAVAIL. */
ANT_API int ant_listen(ant_io *ret_io, const char *network, const char *address,
                       const ant_listen_options *options);
ANT_API int ant_listen_ctx(ant_io *ret_io, const char *network, const char *address,
                           const ant_listen_options *options, ant_ctx *ctx);

/* Waits for the next connection. Errors that concern only the one that was to be accepted are passed
 * over; -EMFILE and the like are returned, and the connection waits; -ENOMEM and -ENOSPC, and it is
 * closed. -ENOTSOCK, -EINVAL, -EOPNOTSUPP: it does not listen.
 * Of TCP connections, dialed or accepted, Nagle's delay is off (TCP_NODELAY). One that was dialed, or
 * accepted from what ant_listen made, and on which nothing comes for 15 s is asked whether the other side
 * is still there, every 15 s and as often as the system is set to; then it ends with -ETIMEDOUT.
 * (ant_io_fd and setsockopt are for who wants it otherwise.) */
ANT_API int ant_accept(ant_io listener, ant_io *ret_io);
ANT_API int ant_accept_ctx(ant_io listener, ant_io *ret_io, ant_ctx *ctx);

/* Connects. Waits. If the name has several addresses they are tried in turn, those of IPv6 and IPv4
 * alternating, each 250 ms after the one before it or when that has failed; the first that answers
 * is taken; by a thread that is no goroutine, one after the other. The error is that of the last one
 * to fail; -EAGAIN for a Unix socket at which too many wait already; -EAFNOSUPPORT for an unknown
 * network; those of ant_resolve; -EMFILE, -ENOMEM, -ENOSPC. For packet networks: sets whom to talk to,
 * and does not wait beyond the name. */
ANT_API int ant_dial(ant_io *ret_io, const char *network, const char *address);
ANT_API int ant_dial_ctx(ant_io *ret_io, const char *network, const char *address, ant_ctx *ctx);

/* Packets with their sender or receiver; addresses may be NULL: nobody is told, or whom ant_dial set. A
 * packet that is longer than size is cut off when received. Wait until there is one, or room for one;
 * who sends to the address of a Unix socket is not told of room by the system, and tries every 2 ms.
 * Return its length, which may be 0; -ENOTCONN or -EDESTADDRREQ without an address, -EMSGSIZE. */
ANT_API ssize_t ant_recv_from(ant_io io, void *buf, size_t size, ant_addr *ret_from);
ANT_API ssize_t ant_recv_from_ctx(ant_io io, void *buf, size_t size, ant_addr *ret_from,
                                  ant_ctx *ctx);
ANT_API ssize_t ant_send_to(ant_io io, const void *buf, size_t size, const ant_addr *to);
ANT_API ssize_t ant_send_to_ctx(ant_io io, const void *buf, size_t size, const ant_addr *to,
                                ant_ctx *ctx);

/* As shutdown(2): SHUT_RD, SHUT_WR, SHUT_RDWR. Does not wait. -ENOTCONN, -ENOTSOCK. */
ANT_API int ant_shutdown(ant_io io, int how);

/* The two ends of a socket. Do not wait. -ENOTSOCK; -ENOTCONN if there is no other end. */
ANT_API int ant_local_addr(ant_io io, ant_addr *ret_addr);
ANT_API int ant_peer_addr(ant_io io, ant_addr *ret_addr);

/* As text, in the form that ant_dial takes. Returns its length, or -ENOSPC if size is too small
 * (ANT_ADDR_TEXT is always enough), -EAFNOSUPPORT. Does not wait, and needs no runtime. */
#define ANT_ADDR_TEXT 128
ANT_API int ant_addr_text(const ant_addr *addr, char *text, size_t size);

/* The addresses that an address of that network stands for, up to n of them; returns how many. Names
 * are looked up by getaddrinfo in a blocking section (go.h), of which at most 32 run at once for
 * goroutines, so that a slow name server does not keep all threads; numbers are not looked up. Waits; a
 * context ends the wait for one's turn, but not while the name server is being asked. ANT_ENOTFOUND: no
 * such name or service; -EAGAIN: the name server failed for now; -EINVAL: no "host:port", or n < 1;
 * -EAFNOSUPPORT: an unknown network; -ENAMETOOLONG; -ENOMEM. */
ANT_API int ant_resolve(const char *network, const char *address, ant_addr *ret_addrs, int n);
ANT_API int ant_resolve_ctx(const char *network, const char *address, ant_addr *ret_addrs, int n,
                            ant_ctx *ctx);

ANT_END_DECLS

#endif
