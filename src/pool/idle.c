/* idle.c - what stack and ring of idle workers have in common. */
#include "pool/idle.h"

#include <stdlib.h>

void ant__idle_free(struct ant__idle *idle)
{
    free(idle->items);
    *idle = (struct ant__idle){0};
}

size_t ant__idle_expired(const struct ant__idle *idle, ant_time cutoff)
{
    size_t low = 0, high = idle->len;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (idle->items[ant__idle_slot(idle, middle)]->last_used <= cutoff)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
