/* wait.c - waiting and waking, for goroutines and plain threads alike.
 *
 * Whoever waits puts itself on a list of the thing it waits for, under that thing's lock: a
 * goroutine its G, linked by next, in the commit of its parking, a thread a record on its own
 * stack. Whoever wakes takes the lists, lets go of the thing, and wakes what was on them without
 * touching it again.
 */
#include "runtime/runtime.h"

void ant__wait_as_thread(struct ant__waiter *w)
{
    atomic_fetch_add(&ant__sched.foreign_waiting, 1);
    while (!ant__load_acquire(&w->word)) /* pairs with the release in ant__wake_threads */
        ant__futex_wait(&w->word, 0, ANT__NEVER);
}

void ant__wake_threads(struct ant__waiter *list)
{
    while (list) {
        struct ant__waiter *w = list;

        list = w->next;
        /* Here, not where it wakes up: from now on it may ready goroutines, and the check for a
         * deadlock must not take it for one that waits. */
        atomic_fetch_add(&ant__sched.foreign_woken, 1);
        atomic_fetch_sub(&ant__sched.foreign_waiting, 1);
        ant__store_release(&w->word, 1);
        ant__futex_wake(&w->word, 1); /* w may be gone by now: only its address is used */
    }
}

static struct ant__glist list_of(struct ant__g *gs)
{
    struct ant__glist list = {.head = gs};

    for (struct ant__g *g = gs; g; g = g->next) {
        ant__store_relaxed(&g->state, ANT__G_RUNNABLE);
        list.tail = g;
        list.n++;
    }
    return list;
}

void ant__wake_gs(struct ant__m *m, struct ant__g *gs)
{
    struct ant__glist list;

    /* If the runtime is gone, its goroutines are too, and are not to be touched. */
    if (!gs || (!m && !ant__foreign_enter()))
        return;
    if (m && !gs->next) {
        ant__ready(m, gs);
        return;
    }
    list = list_of(gs);
    ant__ready_list(m ? m->p : NULL, &list);
    if (!m)
        ant__foreign_leave();
}
