/* chan.h - channels: values handed from one goroutine or thread to another, in order.
 *
 * All calls may come from goroutines and from plain threads, on both ends. A goroutine that waits
 * parks; a thread sleeps. A NULL channel is one that nobody ever sends on or receives from: sending
 * and receiving wait for ever.
 */
#ifndef ANTHILL_CHAN_H
#define ANTHILL_CHAN_H

#include <stdbool.h>
#include <stddef.h>

#include <anthill/version.h>

ANT_BEGIN_DECLS

typedef struct ant_chan ant_chan;

/* Makes a channel for elements of elem_size bytes (0: it only signals) that holds up to capacity of
 * them; with 0 a send waits until its element has been received. Any thread; does not block.
 * Returns 0; -EINVAL if ret_chan is NULL or the sizes are absurd; -ENOMEM. */
ANT_API int ant_chan_new(ant_chan **ret_chan, size_t elem_size, size_t capacity);

/* Frees c; NULL is no error. Any thread; does not block. Returns 0, or -EBUSY, and nothing is done,
 * if anybody waits in a send or receive. Undefined if somebody calls with c meanwhile or later. */
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

/* No more will be sent: receivers get what is in c and then false; those that wait are woken;
 * senders that wait panic. Any thread; does not block. Panics if c is NULL or closed. */
ANT_API void ant_chan_close(ant_chan *c);

/* How many elements lie in c, and how many can. Any thread; do not block. 0 for NULL. The length
 * may have changed when you look at it. */
ANT_API size_t ant_chan_len(const ant_chan *c);
ANT_API size_t ant_chan_cap(const ant_chan *c);

ANT_END_DECLS

#endif
