/* chan.h - channels: values handed from one goroutine or thread to another, in order.
 *
 * All calls may come from goroutines and from plain threads, on both ends. A goroutine that waits
 * parks; a thread sleeps. A NULL channel is one that nobody ever sends on or receives from: sending
 * and receiving wait for ever. A channel on which goroutines wait when the runtime is stopped must
 * not be used by threads meanwhile, nor after that; ant_chan_destroy refuses it.
 */
#ifndef ANTHILL_CHAN_H
#define ANTHILL_CHAN_H

#include <stdbool.h>
#include <stddef.h>

#include <anthill/version.h>

ANT_BEGIN_DECLS

typedef struct ant_chan ant_chan;
typedef struct ant_ctx ant_ctx; /* context.h */

/* Makes a channel for elements of elem_size bytes (0: it only signals) that holds up to capacity of
 * them; with 0 a send waits until its element has been received. Any thread; does not block.
 * Returns 0; -EINVAL if ret_chan is NULL or the sizes are absurd; -ENOMEM. */
ANT_API int ant_chan_new(ant_chan **ret_chan, size_t elem_size, size_t capacity);

/* Frees c; NULL is no error. Any thread; does not block. Returns 0, or -EBUSY, and nothing is done,
 * if anybody waits in a send or receive. Undefined if somebody calls with c meanwhile or later; but
 * a call that has had its effect, such as the send of what you received, does not touch c any
 * more. (A select does, until it returns, also those of its channels that were not chosen.) */
ANT_API int ant_chan_destroy(ant_chan *c);

/* Sends *elem, waiting while the channel is full or nobody receives. Any thread. Suspends. Panics
 * if c is closed, or is closed while this waits. */
ANT_API void ant_chan_send(ant_chan *c, const void *elem);

/* Receives into *ret_elem, waiting while there is nothing; ret_elem may be NULL, then the element
 * is dropped. Any thread. Suspends. Returns true; or false if c is closed and empty, with *ret_elem
 * zero-filled. */
ANT_API bool ant_chan_recv(ant_chan *c, void *ret_elem);

/* The same without waiting. Any thread; do not block. Return 0; -EAGAIN if they would have to wait;
 * ANT_ECLOSED if c is closed, for the receiving one: and empty. */
ANT_API int ant_chan_try_send(ant_chan *c, const void *elem);
ANT_API int ant_chan_try_recv(ant_chan *c, void *ret_elem);

/* The same, waiting until ctx is done at most (NULL: for ever). Any thread. Suspend. Return 0;
 * ANT_ECLOSED as above; ANT_ECANCELED or ANT_ETIMEOUT when ctx is done, and then nothing was sent
 * or received: what ctx says comes first if both are so. */
ANT_API int ant_chan_send_ctx(ant_chan *c, const void *elem, ant_ctx *ctx);
ANT_API int ant_chan_recv_ctx(ant_chan *c, void *ret_elem, ant_ctx *ctx);

/* No more will be sent: receivers get what is in c and then false; those that wait are woken;
 * senders that wait panic. Any thread; does not block. Panics if c is NULL or closed. */
ANT_API void ant_chan_close(ant_chan *c);

/* How many elements lie in c, and how many can. Any thread; do not block. 0 for NULL. The length
 * may have changed when you look at it. */
ANT_API size_t ant_chan_len(const ant_chan *c);
ANT_API size_t ant_chan_cap(const ant_chan *c);

/* ---- select: the first of several sends and receives that is possible ----
 *
 *     ant_case cases[] = {ANT_RECV(jobs, &job), ANT_SEND(results, &result), ANT_DEFAULT};
 *
 *     switch (ant_select(cases, 3)) {
 *     case 0: ... got a job, or jobs was closed: see cases[0].received
 */

enum ant_case_kind { ANT_CASE_RECV = 1, ANT_CASE_SEND, ANT_CASE_DEFAULT };

typedef struct ant_case {
    ant_chan *chan; /* NULL: never possible */
    void *elem;     /* as for ant_chan_send and ant_chan_recv */
    enum ant_case_kind kind;
    bool received; /* set for the chosen receive: false if the channel was closed and empty */
} ant_case;

/* Initialisers for the elements of an array of cases. */
#define ANT_RECV(channel, ret_elem)                                                                \
    {                                                                                              \
        (channel), (ret_elem), ANT_CASE_RECV, false                                                \
    }
#define ANT_SEND(channel, element)                                                                 \
    {                                                                                              \
        (channel), (void *)(element), ANT_CASE_SEND, false                                         \
    }
#define ANT_DEFAULT                                                                                \
    {                                                                                              \
        0, 0, ANT_CASE_DEFAULT, false                                                              \
    }

/* Does one of n cases, one that is possible now or else the first that becomes so; among several
 * the choice is random. With a default case it does not wait: if nothing is possible at this
 * moment, that one is chosen. The same channel may come several times. Without cases it waits for
 * ever. Any thread. Suspends. Allocates only for more than 16 cases. Returns the index of the
 * chosen case; -EINVAL if cases is NULL and n is not 0, n is negative, a kind is none or there are
 * two defaults; -ENOMEM. Panics if a send is chosen whose channel is closed. */
ANT_API int ant_select(ant_case *cases, int n);

/* The same until ctx is done (NULL: for ever). Then returns ANT_ECANCELED or ANT_ETIMEOUT, and does
 * nothing; also if a case is possible. */
ANT_API int ant_select_ctx(ant_case *cases, int n, ant_ctx *ctx);

ANT_END_DECLS

/* ---- channels of one type: values travel without a variable to point to, and are checked by the
 * compiler ----
 *
 *     ANT_CHAN_DEFINE(int_chan, int);
 *
 *     int_chan *c;
 *     int_chan_new(&c, 10);
 *     int_chan_send(c, 42);
 *
 * The functions are those above with name_ for ant_chan_; name_any gives the ant_chan, for
 * select. */
#define ANT_CHAN_DEFINE(name, T)                                                                   \
    typedef struct name name;                                                                      \
    ANT_INLINE ant_chan *name##_any(const name *c)                                                 \
    {                                                                                              \
        return (ant_chan *)c;                                                                      \
    }                                                                                              \
    ANT_INLINE int name##_new(name **ret_chan, size_t capacity)                                    \
    {                                                                                              \
        return ant_chan_new((ant_chan **)ret_chan, sizeof(T), capacity);                           \
    }                                                                                              \
    ANT_INLINE int name##_destroy(name *c)                                                         \
    {                                                                                              \
        return ant_chan_destroy(name##_any(c));                                                    \
    }                                                                                              \
    ANT_INLINE void name##_send(name *c, T elem)                                                   \
    {                                                                                              \
        ant_chan_send(name##_any(c), &elem);                                                       \
    }                                                                                              \
    ANT_INLINE bool name##_recv(name *c, T *ret_elem)                                              \
    {                                                                                              \
        return ant_chan_recv(name##_any(c), ret_elem);                                             \
    }                                                                                              \
    ANT_INLINE int name##_try_send(name *c, T elem)                                                \
    {                                                                                              \
        return ant_chan_try_send(name##_any(c), &elem);                                            \
    }                                                                                              \
    ANT_INLINE int name##_try_recv(name *c, T *ret_elem)                                           \
    {                                                                                              \
        return ant_chan_try_recv(name##_any(c), ret_elem);                                         \
    }                                                                                              \
    ANT_INLINE int name##_send_ctx(name *c, T elem, ant_ctx *ctx)                                  \
    {                                                                                              \
        return ant_chan_send_ctx(name##_any(c), &elem, ctx);                                       \
    }                                                                                              \
    ANT_INLINE int name##_recv_ctx(name *c, T *ret_elem, ant_ctx *ctx)                             \
    {                                                                                              \
        return ant_chan_recv_ctx(name##_any(c), ret_elem, ctx);                                    \
    }                                                                                              \
    ANT_INLINE void name##_close(name *c)                                                          \
    {                                                                                              \
        ant_chan_close(name##_any(c));                                                             \
    }                                                                                              \
    ANT_INLINE size_t name##_len(const name *c)                                                    \
    {                                                                                              \
        return ant_chan_len(name##_any(c));                                                        \
    }                                                                                              \
    ANT_INLINE size_t name##_cap(const name *c)                                                    \
    {                                                                                              \
        return ant_chan_cap(name##_any(c));                                                        \
    }                                                                                              \
    typedef name name##_defined_ /* takes the semicolon */

#endif
