/* ready.c - see ready.h. */
#include "pool/ready.h"

#include <stdlib.h>

enum { FIRST_SLOTS = 16, HANDFUL = 1024 };

int ant__ready_grow(struct ant__ready *ready)
{
    uint32_t slots = ready->items ? 2 * (ready->mask + 1) : FIRST_SLOTS;
    struct ant__ready larger = {.mask = slots - 1};
    int err = ant__pool_alloc((void **)&larger.items, slots * sizeof *larger.items);

    if (err)
        return err;
    while (ready->len)
        ant__ready_push(&larger, ant__ready_pop(ready));
    free(ready->items);
    *ready = larger;
    return 0;
}

void ant__ready_share(struct ant__ready *from, struct ant__ready *to)
{
    uint32_t n = from->len - from->len / 2;

    if (n > HANDFUL)
        n = HANDFUL;
    while (n-- > 0 && (ant__ready_has_room(to) || ant__ready_grow(to) == 0)) {
        ant__ready_push(to, from->items[from->first++ & from->mask]);
        from->len--;
    }
}
