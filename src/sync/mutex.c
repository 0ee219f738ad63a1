/* mutex.c - a lock for goroutines and threads.
 *
 * One word and a queue of those that wait. LOCKED and nothing else, or nothing, is the common case:
 * one compare-and-swap each to lock and to unlock (in sync.h). The other bits:
 *   WAITERS   who unlocks must wake one of the queue.
 *   STARVING  somebody waited too long: nobody may lock in passing, unlock hands over.
 *   BUSY      somebody is changing queue and word: nobody else touches either.
 *
 * Normally a woken waiter competes with those that come by, which have the advantage of running
 * already: that is fast, since a lock that is taken in short turns rarely waits for a switch. Until
 * the woken one has had its try nobody else need be woken. So who wakes it clears WAITERS, also if
 * there are more in the queue, and those that run on take their turns by the short way; the woken
 * one sets WAITERS again when it takes the lock or goes back to wait.
 *
 * A waiter that lost goes back to the head of the queue, and when it has waited for a millisecond
 * it sets STARVING. Then unlock leaves LOCKED set and gives the lock to the first in the queue,
 * until the queue is empty or one gets it that has not waited so long.
 *
 * The memory may go as soon as the one that unlocked last has let go. So the last that unlock does
 * to the mutex is the store, or compare-and-swap, that frees it, and the waiter is woken after
 * that, by its own record.
 *
 * BUSY is held from entering the queue until the goroutine is off its stack, some ten nanoseconds;
 * others spin meanwhile. Who takes it is inside the runtime (ant__enter), so that it cannot be made
 * to wait there. (tests/models/mutex.pml)
 */
#include <errno.h>

#include "sync/mutex.h"

enum {
    LOCKED = 1,
    WAITERS = 2,
    STARVING = 4,
    BUSY = 8,

    SPINS = 6,
    PAUSES = 30, /* between two looks: about a microsecond where a pause takes long */
    TOO_LONG = ANT_MILLISECOND,
};

/* One that wants the lock and did not get it at once. */
struct locker {
    struct ant__waiting base;
    ant_mutex *mutex;
    bool woken;     /* we are to see that WAITERS is set again */
    ant_time since; /* 0: it has not waited yet */
    uint32_t word;  /* what the commit of its parking makes of the mutex */
};

static _Atomic uint32_t *word_of(ant_mutex *mutex)
{
    return (_Atomic uint32_t *)&mutex->state;
}

static struct ant__queue *queue_of(ant_mutex *mutex)
{
    return (struct ant__queue *)mutex->waiters;
}

/* Sets BUSY; returns the word without it. */
static uint32_t make_busy(ant_mutex *mutex)
{
    int spins = 0;

    for (;;) {
        uint32_t word = ant__load_relaxed(word_of(mutex));

        if (word & BUSY)
            ant__back_off(&spins);
        else if (atomic_compare_exchange_weak_explicit(word_of(mutex), &word, word | BUSY,
                                                       memory_order_acquire, memory_order_relaxed))
            return word;
    }
}

/* WAITERS and STARVING are as the queue says. */
static void end_busy(ant_mutex *mutex, uint32_t word)
{
    word =
        ant__queue_head(queue_of(mutex)) ? word | WAITERS : word & ~(uint32_t)(WAITERS | STARVING);
    ant__store_release(word_of(mutex), word);
}

/* ---- locking ---- */

static inline bool is_free_for_all(uint32_t word)
{
    return !(word & (LOCKED | STARVING | BUSY));
}

/* Takes the lock if it is free for all. */
static inline bool take_in_passing(ant_mutex *mutex)
{
    uint32_t word = ant__load_relaxed(word_of(mutex));

    while (is_free_for_all(word)) {
        if (atomic_compare_exchange_weak_explicit(word_of(mutex), &word, word | LOCKED,
                                                  memory_order_acquire, memory_order_relaxed))
            return true;
    }
    return false;
}

/* Who holds it is most likely running on another CPU, and about to let go. To look seldom lets it,
 * and others on that CPU, take many turns with the cache line at home. */
static void spin(const struct ant__m *m, ant_mutex *mutex)
{
    if (m && ant__load_relaxed(&ant__sched.procs) == 1)
        return;
    for (int i = 0; i < SPINS; i++) {
        uint32_t word = ant__load_relaxed(word_of(mutex));

        if (is_free_for_all(word) || word & STARVING)
            return;
        for (int k = 0; k < PAUSES; k++)
            ant__pause();
    }
}

static void unlock(struct ant__m *m, struct ant__waiting *base)
{
    struct locker *l = ant__container_of(base, struct locker, base);

    end_busy(l->mutex, l->word);
}

enum outcome { GOT_IT, TRY_AGAIN, GIVE_UP };

/* Waits for a turn, unless the lock is free by now. */
static enum outcome wait_for_turn(struct ant__m **m, struct locker *l, ant_chan *done)
{
    ant_time now = ant__now();
    uint32_t word = make_busy(l->mutex);

    l->word = word;
    if (is_free_for_all(word)) {
        end_busy(l->mutex, word | LOCKED);
        return GOT_IT;
    }
    ant__waiting_init(&l->base, *m, done, unlock);
    if (!ant__waiting_join(&l->base)) {
        end_busy(l->mutex, word);
        return GIVE_UP;
    }
    if (l->since) {
        ant__queue_push_first(queue_of(l->mutex), &l->base.wait);
        if (now - l->since > TOO_LONG)
            l->word |= STARVING;
    } else {
        ant__queue_push(queue_of(l->mutex), &l->base.wait);
        l->since = now;
    }
    if (!ant__waiting_sleep(&l->base, m, ANT__WAIT_MUTEX)) {
        word = make_busy(l->mutex);
        ant__queue_remove(&l->base.wait);
        end_busy(l->mutex, word);
        return GIVE_UP;
    }
    l->woken = !l->base.wait.done;
    return l->woken ? TRY_AGAIN : GOT_IT;
}

/* False: the context was done before we had it. */
static ant__noinline bool lock_slow(ant_mutex *mutex, ant_chan *done)
{
    struct locker l = {.mutex = mutex};
    struct ant__m *m = ant__enter();
    enum outcome outcome;

    do {
        spin(m, mutex);
        if (!l.woken && take_in_passing(mutex))
            outcome = GOT_IT;
        else
            outcome = wait_for_turn(&m, &l, done);
    } while (outcome == TRY_AGAIN);
    ant__leave_any(m);
    return outcome == GOT_IT;
}

static bool lock_or_give_up(ant_mutex *mutex, ant_chan *done)
{
    return take_in_passing(mutex) || lock_slow(mutex, done);
}

void ant_mutex_lock_contended(ant_mutex *mutex)
{
    lock_or_give_up(mutex, NULL);
}

void ant_mutex_lock(ant_mutex *mutex)
{
    lock_or_give_up(mutex, NULL);
}

int ant_mutex_lock_ctx(ant_mutex *mutex, ant_ctx *ctx)
{
    int err = ant_ctx_err(ctx);

    if (err || lock_or_give_up(mutex, ant_ctx_done(ctx)))
        return err;
    return ant_ctx_err(ctx);
}

bool ant_mutex_try_lock(ant_mutex *mutex)
{
    return take_in_passing(mutex);
}

/* ---- unlocking ---- */

/* The one to be handed the lock, NULL: none is left; *word becomes what the mutex is then. */
static struct ant__wait *hand_over(ant_mutex *mutex, uint32_t *word)
{
    struct ant__wait *w = ant__queue_take(queue_of(mutex));
    struct locker *l;

    if (!w) {
        *word &= ~(uint32_t)LOCKED;
        return NULL;
    }
    l = ant__container_of(w, struct locker, base.wait);
    if (ant__now() - l->since < TOO_LONG)
        *word &= ~(uint32_t)STARVING;
    w->done = true;
    return w;
}

static ant__noinline struct ant__wait *release_slow(ant_mutex *mutex)
{
    uint32_t word = make_busy(mutex);
    struct ant__wait *w;

    if (!(word & LOCKED))
        ant__fatal("ant_mutex_unlock: the mutex is unlocked");
    if (word & STARVING) {
        w = hand_over(mutex, &word);
        end_busy(mutex, word);
    } else {
        w = ant__queue_take(queue_of(mutex));
        ant__store_release(word_of(mutex), 0); /* without WAITERS: the woken one sets it */
    }
    return w;
}

static inline bool unlock_fast(ant_mutex *mutex)
{
    uint32_t locked = LOCKED;

    return atomic_compare_exchange_strong_explicit(word_of(mutex), &locked, 0, memory_order_release,
                                                   memory_order_relaxed);
}

struct ant__wait *ant__mutex_release(ant_mutex *mutex)
{
    return unlock_fast(mutex) ? NULL : release_slow(mutex);
}

void ant_mutex_unlock_contended(ant_mutex *mutex)
{
    struct ant__m *m;

    if (unlock_fast(mutex))
        return;
    m = ant__enter();
    ant__wake(m, release_slow(mutex));
    ant__leave_any(m);
}

void ant_mutex_unlock(ant_mutex *mutex)
{
    ant_mutex_unlock_contended(mutex);
}
