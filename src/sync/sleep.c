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
    ant__woken_add_gs(woken, s->g);
    woken->last_g = s->g;
}

void ant__woken_add_gs(struct ant__woken *woken, struct ant__g *gs)
{
    if (woken->last_g)
        woken->last_g->next = gs;
    else
        woken->gs = gs;
}

void ant__wake_all(struct ant__m *m, struct ant__woken *woken)
{
    ant__wake_threads(woken->threads);
    ant__wake_gs(m, woken->gs);
}
