/* room.h - calling a function where there is stack enough.
 *
 * A goroutine's own stack may have 2 KB, which malloc or printf can exceed. The runtime says how such a
 * function is called then (ant__with_room_for); before it was ever started any stack will do.
 */
#ifndef ANT_BASE_ROOM_H
#define ANT_BASE_ROOM_H

#include <stddef.h>

#include "base/compiler.h"

enum {
    ANT__ROOM_FOR_LIBC = 8 << 10
}; /* bytes, for malloc, also another than libc's, and for a message */

typedef void ant__room_fn(size_t need, void (*fn)(void *), void *arg);
extern _Atomic(ant__room_fn *) ant__room;

/* Calls fn(arg) on a stack of which `need` bytes are free. fn must not suspend. */
static inline void ant__in_room(size_t need, void (*fn)(void *), void *arg)
{
    ant__room_fn *room = ant__load_acquire(&ant__room);

    if (room)
        room(need, fn, arg);
    else
        fn(arg);
}

#endif
