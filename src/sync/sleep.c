/* sleep.c - see sleep.h. */
#include "sync/sleep.h"

void ant__woken_add(struct ant__woken *woken, struct ant__sleeper *s)
{
    if (!s->g) {
        s->thread.next = woken->threads;
        woken->threads = &s->thread;
        return;
    }
    s->g->next = NULL;
    if (woken->last_g)
        woken->last_g->next = s->g;
    else
        woken->gs = s->g;
    woken->last_g = s->g;
}

void ant__wake_all(struct ant__m *m, struct ant__woken *woken)
{
    ant__wake_threads(woken->threads);
    ant__wake_gs(m, woken->gs);
}
