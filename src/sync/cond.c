/* cond.c - where those wait that hold a mutex and found that something is not yet so.
 *
 * A queue under a lock. A waiter joins it before it unlocks the mutex, so no signal that is given
 * after that is lost, and lets go of the queue's lock when it is off its stack. Only then it wakes
 * whoever waited for the mutex: waking may take long, and nobody does it under a lock.
 *
 * The order of locks: the condition's, the mutex's BUSY, and, when that is let go, the done
 * channel's, which who waits for the mutex takes under BUSY too.
 */
#include "sync/mutex.h"

struct waiting {
    struct ant__waiting base;
    ant_cond *cond;
    struct ant__wait *next_holder; /* of the mutex, to be woken; or NULL */
};

static struct ant__lock *lock_of(ant_cond *cond)
{
    return (struct ant__lock *)&cond->lock;
}

static struct ant__queue *queue_of(ant_cond *cond)
{
    return (struct ant__queue *)cond->waiters;
}

static void unlock(struct ant__m *m, struct ant__waiting *base)
{
    struct waiting *w = ant__container_of(base, struct waiting, base);
    struct ant__wait *next_holder = w->next_holder;

    ant__unlock(lock_of(w->cond));
    ant__wake(m, next_holder);
}

/* False: the context is done. */
static bool wait_for_signal(ant_cond *cond, ant_mutex *mutex, ant_chan *done)
{
    struct ant__m *m = ant__enter();
    struct waiting w = {.cond = cond};
    bool signaled = false;

    ant__waiting_init(&w.base, m, done, unlock);
    ant__lock(lock_of(cond));
    ant__queue_push(queue_of(cond), &w.base.wait);
    w.next_holder = ant__mutex_release(mutex);
    if (ant__waiting_join(&w.base)) {
        signaled = ant__waiting_sleep(&w.base, &m, ANT__WAIT_COND);
        if (!signaled)
            ant__lock(lock_of(cond)); /* now the next holder has been woken, and not before */
        w.next_holder = NULL;
    }
    if (!signaled) {
        ant__queue_remove(&w.base.wait);
        unlock(m, &w.base);
    }
    ant__leave_any(m);
    return signaled;
}

void ant_cond_wait(ant_cond *cond, ant_mutex *mutex)
{
    wait_for_signal(cond, mutex, NULL);
    ant_mutex_lock(mutex);
}

int ant_cond_wait_ctx(ant_cond *cond, ant_mutex *mutex, ant_ctx *ctx)
{
    int err = ant_ctx_err(ctx);

    if (err)
        return err;
    if (!wait_for_signal(cond, mutex, ant_ctx_done(ctx)))
        err = ant_ctx_err(ctx);
    ant_mutex_lock(mutex);
    return err;
}

static void wake(ant_cond *cond, bool all)
{
    struct ant__woken woken = {0};
    struct ant__m *m;
    struct ant__wait *w;

    /* Who waits joined before it unlocked the mutex, so whoever has reason to signal sees it. */
    if (!ant__queue_head(queue_of(cond)))
        return;
    m = ant__enter();
    ant__lock(lock_of(cond));
    while ((w = ant__queue_take(queue_of(cond)))) {
        ant__woken_add(&woken, w->sleeper);
        if (!all)
            break;
    }
    ant__unlock(lock_of(cond));
    ant__wake_all(m, &woken);
    ant__leave_any(m);
}

void ant_cond_signal(ant_cond *cond)
{
    wake(cond, false);
}

void ant_cond_broadcast(ant_cond *cond)
{
    wake(cond, true);
}
