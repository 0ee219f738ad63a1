/* mutex.pml - the mutex: no lost wake-up, no two holders, and no touch after it was freed.
 *
 * Models src/sync/mutex.c: one word (LOCKED, WAITERS, STARVING, BUSY) and a queue that only who set
 * BUSY touches.
 *   lock:    takes it in passing if neither LOCKED, STARVING nor BUSY is set. Else sets BUSY; if it
 *            is free now takes it, else joins the queue, at the head if it has waited before, and
 *            then perhaps sets STARVING; lets go of BUSY, with WAITERS as the queue is, and sleeps.
 *            Woken, it has been handed the lock, or tries again, but not in passing: as long as it
 *            has not been at the queue WAITERS may be missing.
 *   unlock:  clears LOCKED by one step if nothing else is set. Else sets BUSY; if STARVING hands the
 *            lock to the first in the queue, else takes the first and stores 0, without WAITERS;
 *            only then it wakes the one it took.
 *   giving up: a locker with a context may be taken by that instead (`taken` decides); it then takes
 *            its record out of the queue under BUSY and returns without the lock.
 *
 * NL lockers, the first of which locks twice, the last of which may give up. Each locker counts
 * itself off in its last turn, under the lock; the one that finds it is the last frees the mutex when
 * its unlock has let go. One that gave up counts itself off by a turn of its own.
 *
 * Abstracted: spinning is blocking or trying again; the millisecond after which one starves is a
 * choice; sleeping is a flag. Memory is sequentially consistent: the queue is ordered by BUSY
 * (acquire, release).
 *
 * Checked: one holder at a time; nobody sleeps for ever (no invalid end state); nobody touches the
 * mutex once it is freed, nor a record that is gone.
 *
 * Mutations that must fail
 *   -DPASS_BUSY      taking in passing does not mind BUSY
 *   -DCLEAR_FIRST    unlock clears LOCKED before it looks at the queue
 *   -DWOKEN_PASSES   one that was woken takes the lock in passing
 *   -DKEEP_STARVING  STARVING stays set when the queue becomes empty
 *   -DLEAVE_RECORD   who gives up leaves its record in the queue
 *   -DWAKE_MANY      unlock does not mind whom it wakes: takes a waiter without asking `taken`
 */

#ifndef NL
#define NL 3
#endif

/* The word and the queue. */
bool locked, waiters, starving, busy;
byte queue[NL];
byte queued;

/* Of each locker. */
bool taken[NL], awake[NL], handed[NL], canceled[NL];
bool has_waited[NL];
bool in_queue[NL];

/* Ghosts. */
byte holders;
byte users = NL;
bool freed;
bool asleep[NL];

inline touch()
{
    assert(!freed)
}

inline make_busy()
{
    atomic { !busy -> touch(); busy = true }
}

/* The store at the end of every change of the queue. */
inline end_busy()
{
    touch();
    waiters = (queued > 0);
#ifndef KEEP_STARVING
    starving = (starving && queued > 0);
#endif
    busy = false
}

inline push(i, at_head)
{
    d_step {
        if
        :: at_head ->
           k = queued;
           do
           :: k > 0 -> queue[k] = queue[k - 1]; k--
           :: else -> break
           od;
           queue[0] = i
        :: else -> queue[queued] = i
        fi;
        queued++;
        in_queue[i] = true;
        k = 0
    }
}

inline remove(i)
{
    d_step {
        k = 0;
        do
        :: k < queued && queue[k] != i -> k++
        :: else -> break
        od;
        if
        :: k < queued ->
           queued--;
           do
           :: k < queued -> queue[k] = queue[k + 1]; k++
           :: else -> break
           od;
           queue[queued] = 0
        :: else
        fi;
        in_queue[i] = false;
        k = 0
    }
}

/* The first that can be taken: w, or NL. */
inline take_first()
{
    w = NL;
    do
    :: w == NL && queued > 0 ->
       atomic {
           w = queue[0];
           assert(asleep[w]);
           remove(w);
#ifndef WAKE_MANY
           if
           :: taken[w] -> w = NL
           :: else -> taken[w] = true
           fi
#endif
       }
    :: else -> break
    od
}

inline lock(i, may_give_up)
{
    woken = false;
    gave_up = false;
    do
    :: atomic {
#ifdef PASS_BUSY
           !woken && !locked && !starving ->
#elif defined(WOKEN_PASSES)
           !locked && !starving && !busy ->
#else
           !woken && !locked && !starving && !busy ->
#endif
           touch();
           locked = true
       };
       break
    :: make_busy();
       if
       :: !locked && !starving ->
          atomic { locked = true; end_busy() };
          break
       :: else
       fi;
       taken[i] = false;
       awake[i] = false;
       handed[i] = false;
       canceled[i] = false;
       push(i, has_waited[i]);
       if
       :: has_waited[i] -> starving = true
       :: true
       fi;
       has_waited[i] = true;
       atomic {
           asleep[i] = true;
           end_busy()
       };
       if
       :: awake[i]
       :: atomic { may_give_up && !taken[i] -> taken[i] = true; canceled[i] = true }
       fi;
       if
       :: canceled[i] ->
          make_busy();
#ifndef LEAVE_RECORD
          remove(i);
#endif
          atomic { asleep[i] = false; end_busy() };
          gave_up = true;
          break
       :: else
       fi;
       asleep[i] = false;
       if
       :: handed[i] -> break
       :: else -> woken = true
       fi
    od;
    has_waited[i] = false;
    if
    :: gave_up
    :: else -> atomic { holders++; assert(holders == 1) }
    fi
}

inline unlock(frees)
{
    holders--;
    w = NL;
    if
    :: atomic {
           locked && !starving && !busy && !waiters ->
           touch();
           locked = false;
           freed = frees
       }
    :: (starving || busy || waiters) ->
#ifdef CLEAR_FIRST
       atomic { !busy -> touch(); locked = false; freed = frees };
#endif
       make_busy();
       if
       :: starving ->
          take_first();
          if
          :: w == NL -> locked = false
          :: else ->
             handed[w] = true;
             if
             :: starving = false
             :: true
             fi
          fi;
          atomic { end_busy(); freed = frees }
       :: else ->
          take_first();
          atomic { touch(); locked = false; waiters = false; busy = false; freed = frees }
       fi;
       if
       :: w != NL -> assert(asleep[w]); awake[w] = true
       :: else
       fi
    fi
}

inline turn(i, may_give_up, last)
{
    lock(i, may_give_up);
    if
    :: !gave_up ->
       if
       :: last -> users--; frees = (users == 0)
       :: else
       fi;
       unlock(frees)
    :: else
    fi
}

proctype locker(byte i)
{
    byte k, w;
    bool woken, gave_up, frees;

    if
    :: i == 0 -> turn(i, false, false)
    :: else
    fi;
    if
    :: i == NL - 1 ->
       turn(i, true, true);
       if
       :: gave_up -> turn(i, false, true)
       :: else
       fi
    :: else -> turn(i, false, true)
    fi
}

init
{
    byte i;

    atomic {
        for (i : 0 .. NL - 1) {
            run locker(i)
        }
    }
    _nr_pr == 1;
    assert(freed && !locked && !busy && !waiters && queued == 0)
}
