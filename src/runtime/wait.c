/* wait.c - waiting and waking, for goroutines and plain threads alike. */
#include "runtime/runtime.h"

void ant__waiter_init(struct ant__waiter *w, struct ant__m *m)
{
    w->next = NULL;
    w->g = m ? m->g : NULL;
    ant__store_relaxed(&w->word, 0);
}

struct unlocking {
    void (*unlock)(void *arg);
    void *arg;
};

static bool commit_unlock(struct ant__m *m, struct ant__g *g, void *arg)
{
    struct unlocking u = *(struct unlocking *)arg; /* on g's stack, which is its own again below */

    u.unlock(u.arg);
    return true;
}

static void wait_as_thread(struct ant__waiter *w)
{
    atomic_fetch_add(&ant__sched.foreign_waiting, 1);
    while (!ant__load_acquire(&w->word)) /* pairs with the release in wake_thread */
        ant__futex_wait(&w->word, 0, ANT__NEVER);
    atomic_fetch_sub(&ant__sched.foreign_waiting, 1);
}

struct ant__m *ant__wait(struct ant__m *m, struct ant__waiter *w, enum ant__reason reason,
                         void (*unlock)(void *arg), void *arg)
{
    struct unlocking u = {unlock, arg};

    if (m)
        return ant__park(m, reason, commit_unlock, &u);
    unlock(arg);
    wait_as_thread(w);
    return NULL;
}

static void wake_thread(struct ant__waiter *w)
{
    ant__store_release(&w->word, 1);
    ant__futex_wake(&w->word, 1); /* the record may be gone by now: only its address is used */
}

static void ready_all(struct ant__m *m, struct ant__glist *list)
{
    if (list->n == 0)
        return;
    if (m && list->n == 1) {
        ant__ready(m, list->head);
    } else if (m) {
        ant__ready_list(m->p, list);
    } else if (ant__foreign_enter()) {
        ant__ready_list(NULL, list);
        ant__foreign_leave();
    }
}

void ant__wake_all(struct ant__m *m, struct ant__waiter *list)
{
    struct ant__glist gs = {0};

    while (list) {
        struct ant__waiter *w = list;

        list = w->next;
        if (!w->g) {
            wake_thread(w);
            continue;
        }
        ant__store_relaxed(&w->g->state, ANT__G_RUNNABLE);
        ant__glist_push(&gs, w->g);
    }
    ready_all(m, &gs);
}
