/* idle_stack.c - the idle workers of a shard, the most recently used on top.
 *
 * Last in, first out: the worker whose record is still in the cache works next, and those at the
 * bottom grow old and are retired. So a pool shrinks to what it needs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/sys.h"
#include "pool/idle.h"

enum { FIRST_SLOTS = 16 };

int ant__idle_stack_init(struct ant__idle *idle, size_t size)
{
    *idle = (struct ant__idle){.slots = size};
    return size ? ant__alloc((void **)&idle->items, size * sizeof *idle->items) : 0;
}

static int grow(struct ant__idle *idle)
{
    size_t slots = idle->slots ? 2 * idle->slots : FIRST_SLOTS;
    void *items;
    int err = ant__pool_alloc(&items, slots * sizeof *idle->items);

    if (err)
        return err;
    if (idle->len)
        memcpy(items, idle->items, idle->len * sizeof *idle->items);
    free(idle->items);
    idle->items = items;
    idle->slots = slots;
    return 0;
}

int ant__idle_stack_push(struct ant__idle *idle, struct ant__worker *w)
{
    if (ant__unlikely(idle->len == idle->slots)) {
        int err = grow(idle);

        if (err)
            return err;
    }
    idle->items[idle->len++] = w;
    return 0;
}

struct ant__worker *ant__idle_stack_cut(struct ant__idle *idle, size_t n)
{
    struct ant__worker *first = NULL;

    for (size_t i = n; i-- > 0;) {
        idle->items[i]->next = first;
        first = idle->items[i];
    }
    idle->len -= n;
    if (n)
        memmove(idle->items, idle->items + n, idle->len * sizeof *idle->items);
    return first;
}

void ant__idle_stack_split(struct ant__idle *from, struct ant__idle *to)
{
    size_t n = from->len - from->len / 2;

    while (to->slots < n) {
        if (grow(to) != 0)
            n = to->slots;
    }
    if (n)
        memcpy(to->items, from->items + from->len - n, n * sizeof *to->items);
    from->len -= n;
    to->len = n;
}
