/* cond.c - where those wait that hold a mutex and found that something is not yet so.
 *
 * A queue under a lock. A waiter joins it before it unlocks the mutex, so no signal that is given
 * after that is lost, and lets go of the queue's lock when it is off its stack.
 */
#include "sync/mutex.h"

struct waiting {
    ant_cond *cond;
    ant_chan *done;
};

static struct ant__lock *lock_of(ant_cond *cond)
{
    return (struct ant__lock *)&cond->lock;
}

static struct ant__queue *queue_of(ant_cond *cond)
{
    return (struct ant__queue *)cond->waiters;
}

static bool commit_wait(struct ant__m *m, struct ant__g *g, void *arg)
{
    struct waiting waiting = *(struct waiting *)arg;

    if (waiting.done)
        ant__done_unlock(waiting.done);
    ant__unlock(lock_of(waiting.cond));
    return true;
}

/* False: the context is done. */
static bool wait_for_signal(ant_cond *cond, ant_mutex *mutex, ant_chan *done)
{
    struct waiting waiting = {.cond = cond, .done = done};
    struct ant__m *m = ant__enter();
    struct ant__sleeper s;
    struct ant__wait w, done_wait;

    ant__sleeper_init(&s, m, done != NULL);
    ant__wait_init(&w, &s);
    ant__wait_init(&done_wait, &s);
    ant__lock(lock_of(cond));
    ant__queue_push(queue_of(cond), &w);
    ant__mutex_unlock_inside(m, mutex);
    if (done && !ant__done_join(done, &done_wait)) {
        ant__queue_remove(&w);
        ant__unlock(lock_of(cond));
        ant__leave_any(m);
        return false;
    }
    m = ant__sleep(m, &s, ANT__WAIT_COND, commit_wait, &waiting);
    if (done && s.woken_by == &w) {
        ant__done_quit(done, &done_wait);
    } else if (done) {
        ant__lock(lock_of(cond));
        ant__queue_remove(&w);
        ant__unlock(lock_of(cond));
    }
    ant__leave_any(m);
    return s.woken_by == &w;
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
    if (!__atomic_load_n(&cond->waiters[0], __ATOMIC_RELAXED))
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
