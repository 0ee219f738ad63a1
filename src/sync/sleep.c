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

void ant__waiting_init(struct ant__waiting *w, struct ant__m *m, ant_chan *done,
                       void (*unlock)(struct ant__m *m, struct ant__waiting *w))
{
    w->done = done;
    w->unlock = unlock;
    ant__sleeper_init(&w->sleeper, m, done != NULL);
    ant__wait_init(&w->wait, &w->sleeper);
    ant__wait_init(&w->done_wait, &w->sleeper);
}

bool ant__waiting_join(struct ant__waiting *w)
{
    return !w->done || ant__done_join(w->done, &w->done_wait);
}

/* From the first unlock on the sleeper may be woken, but before it returns it needs the lock that
 * is let go last. */
static bool commit_unlock(struct ant__m *m, struct ant__g *g, void *arg)
{
    struct ant__waiting *w = arg;

    if (w->done)
        ant__done_unlock(w->done);
    w->unlock(m, w);
    return true;
}

bool ant__waiting_sleep(struct ant__waiting *w, struct ant__m **m, enum ant__reason reason)
{
    *m = ant__sleep(*m, &w->sleeper, reason, commit_unlock, w);
    if (w->sleeper.woken_by == &w->done_wait)
        return false;
    if (w->done)
        ant__done_quit(w->done, &w->done_wait);
    return true;
}
