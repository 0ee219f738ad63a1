/* mutex.c - a lock for goroutines and threads.
 *
 * One word and a queue of those that wait. LOCKED and nothing else, or nothing, is the common case:
 * one compare-and-swap each to lock and to unlock. The other bits:
 *   WAITERS   the queue is not empty.
 *   WOKEN     one that waited was woken and has not yet tried its luck: nobody else need be woken.
 *   STARVING  somebody waited too long: nobody may lock in passing, unlock hands over.
 *   BUSY      somebody is changing queue and word: nobody else touches either.
 *
 * Normally a woken waiter competes with those that come by, which have the advantage of running
 * already: that is fast, since a lock that is taken in short turns rarely waits for a switch. A
 * waiter that lost goes back to the head of the queue, and when it has waited for a millisecond it
 * sets STARVING. Then unlock leaves LOCKED set and gives the lock to the first in the queue, until
 * the queue is empty or one gets it that has not waited so long.
 *
 * The memory may go as soon as the one that unlocked last has let go. So the last that unlock does
 * to the mutex is the store, or compare-and-swap, that frees it, and the waiter is woken after that,
 * by its own record.
 *
 * BUSY is held from entering the queue until the goroutine is off its stack, some ten nanoseconds;
 * others spin meanwhile. Who takes it is inside the runtime (ant__enter), so that it cannot be made
 * to wait there.
 */
#include <errno.h>

#include "sync/mutex.h"

enum {
    LOCKED = 1,
    WAITERS = 2,
    WOKEN = 4,
    STARVING = 8,
    BUSY = 16,

    SPINS = 6,
    PAUSES = 30, /* between two looks: about a microsecond where a pause takes long */
    TOO_LONG = ANT_MILLISECOND,
};

/* One that wants the lock and did not get it at once. */
struct locker {
    struct ant__waiting base;
    ant_mutex *mutex;
    bool woken;     /* WOKEN is ours */
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

static void end_busy(ant_mutex *mutex, uint32_t word)
{
    word = queue_of(mutex)->head ? word | WAITERS : word & ~(uint32_t)(WAITERS | STARVING);
    ant__store_release(word_of(mutex), word);
}

/* ---- locking ---- */

/* Takes the lock if it is free for all. */
static inline bool take_in_passing(ant_mutex *mutex, uint32_t clear)
{
    uint32_t word = ant__load_relaxed(word_of(mutex));

    while (!(word & (LOCKED | STARVING | BUSY))) {
        if (atomic_compare_exchange_weak_explicit(word_of(mutex), &word, (word | LOCKED) & ~clear,
                                                  memory_order_acquire, memory_order_relaxed))
            return true;
    }
    return false;
}

/* Who holds it is most likely running on another CPU, and about to let go. To look seldom lets it,
 * and others on that CPU, take many turns with the cache line at home. */
static bool spin(const struct ant__m *m, struct locker *l)
{
    if (m && ant__load_relaxed(&ant__sched.procs) == 1)
        return false;
    for (int i = 0; i < SPINS; i++) {
        for (int k = 0; k < PAUSES; k++)
            ant__pause();
        if (take_in_passing(l->mutex, l->woken ? WOKEN : 0))
            return true;
        if (ant__load_relaxed(word_of(l->mutex)) & STARVING)
            break;
    }
    return false;
}

/* What to make of the word when l goes back to wait or gives up: WOKEN is no longer its own. */
static uint32_t without_woken(const struct locker *l, uint32_t word)
{
    return l->woken ? word & ~(uint32_t)WOKEN : word;
}

static void unlock(struct ant__waiting *base)
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

    l->word = without_woken(l, word);
    if (!(word & (LOCKED | STARVING))) {
        end_busy(l->mutex, l->word | LOCKED);
        return GOT_IT;
    }
    if (!ant__waiting_begin(&l->base, *m, done, unlock)) {
        end_busy(l->mutex, l->word);
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
        if (take_in_passing(mutex, l.woken ? WOKEN : 0) || spin(m, &l))
            outcome = GOT_IT;
        else
            outcome = wait_for_turn(&m, &l, done);
    } while (outcome == TRY_AGAIN);
    ant__leave_any(m);
    return outcome == GOT_IT;
}

/* The look before tells the two cases apart without delaying the first: the branch is predicted. */
static inline bool lock_fast(ant_mutex *mutex)
{
    uint32_t word = ant__load_relaxed(word_of(mutex));

    if (ant__likely(word == 0))
        return atomic_compare_exchange_strong_explicit(word_of(mutex), &word, LOCKED,
                                                       memory_order_acquire, memory_order_relaxed);
    return take_in_passing(mutex, 0);
}

void ant_mutex_lock(ant_mutex *mutex)
{
    if (ant__unlikely(!lock_fast(mutex)))
        lock_slow(mutex, NULL);
}

int ant_mutex_lock_ctx(ant_mutex *mutex, ant_ctx *ctx)
{
    int err = ant_ctx_err(ctx);

    if (err || lock_fast(mutex) || lock_slow(mutex, ant_ctx_done(ctx)))
        return err;
    return ant_ctx_err(ctx);
}

bool ant_mutex_try_lock(ant_mutex *mutex)
{
    return lock_fast(mutex);
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

static struct ant__wait *wake_one(ant_mutex *mutex, uint32_t *word)
{
    struct ant__wait *w = NULL;

    *word &= ~(uint32_t)LOCKED;
    if (!(*word & WOKEN)) {
        w = ant__queue_take(queue_of(mutex));
        if (w)
            *word |= WOKEN;
    }
    return w;
}

static ant__noinline void unlock_slow(struct ant__m *m, ant_mutex *mutex)
{
    uint32_t word = make_busy(mutex);
    struct ant__wait *w;

    if (!(word & LOCKED))
        ant__fatal("ant_mutex_unlock: the mutex is unlocked");
    w = word & STARVING ? hand_over(mutex, &word) : wake_one(mutex, &word);
    end_busy(mutex, word);
    ant__wake(m, w);
}

/* Nobody waits, or somebody is awake and will look. */
static inline bool unlock_fast(ant_mutex *mutex)
{
    uint32_t word = ant__load_relaxed(word_of(mutex));

    if (ant__likely(word == LOCKED))
        return atomic_compare_exchange_strong_explicit(word_of(mutex), &word, 0,
                                                       memory_order_release, memory_order_relaxed);
    while (word == (LOCKED | WAITERS | WOKEN) || word == (LOCKED | WOKEN)) {
        if (atomic_compare_exchange_weak_explicit(word_of(mutex), &word, word & ~(uint32_t)LOCKED,
                                                  memory_order_release, memory_order_relaxed))
            return true;
    }
    return false;
}

void ant__mutex_unlock_inside(struct ant__m *m, ant_mutex *mutex)
{
    if (!unlock_fast(mutex))
        unlock_slow(m, mutex);
}

void ant_mutex_unlock(ant_mutex *mutex)
{
    struct ant__m *m;

    if (ant__likely(unlock_fast(mutex)))
        return;
    m = ant__enter();
    unlock_slow(m, mutex);
    ant__leave_any(m);
}
