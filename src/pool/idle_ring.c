/* idle_ring.c - the idle workers of a preallocated pool, in a ring with a slot for each.
 *
 * All memory it will ever need is there from the beginning, and the oldest ones are taken out
 * without moving the others. Who works next is the newest one, as with the stack.
 *
 * Rejected: first in, first out, as ants has it. Then all workers get their turns, and as long as
 * there is a steady stream of tasks, however thin, none of them grows old, and the pool does not
 * shrink.
 */
#include <errno.h>

#include "base/sys.h"
#include "pool/idle.h"

int ant__idle_ring_init(struct ant__idle *idle, size_t size)
{
    *idle = (struct ant__idle){.slots = size, .is_ring = true};
    return size ? ant__alloc((void **)&idle->items, size * sizeof *idle->items) : -EINVAL;
}

int ant__idle_ring_push(struct ant__idle *idle, struct ant__worker *w)
{
    if (idle->len == idle->slots)
        return -ENOSPC;
    idle->items[ant__idle_slot(idle, idle->len++)] = w;
    return 0;
}

struct ant__worker *ant__idle_ring_shift(struct ant__idle *idle)
{
    struct ant__worker *w;

    if (idle->len == 0)
        return NULL;
    w = idle->items[idle->first];
    idle->first = ant__idle_slot(idle, 1);
    idle->len--;
    return w;
}

struct ant__worker *ant__idle_ring_cut(struct ant__idle *idle, size_t n)
{
    struct ant__worker *first = NULL, **end = &first;

    while (n-- > 0) {
        *end = ant__idle_ring_shift(idle);
        end = &(*end)->next;
    }
    *end = NULL;
    return first;
}
