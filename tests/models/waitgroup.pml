/* waitgroup.pml - a wait group that may be gone or used again the moment a wait returns.
 *
 * Models src/sync/waitgroup.c: one word (counter, LOCKED, WAITERS) and a plain list of waiters,
 * whose records lie on the waiters' stacks.
 *   done:  old = fetch_sub(counter 1). If that made the counter 0 and a flag was set, the list
 *          belongs to this done: spin until LOCKED is clear, take the list, store word = 0, and
 *          then wake the waiters one by one through their records. After the store it does not
 *          touch the group, after a wake-up not the record.
 *   wait:  word == 0: return. Counter 0 or LOCKED: look again. Else CAS word -> word | LOCKED |
 *          WAITERS, push the own record, fetch_and(~LOCKED), sleep until woken, return without
 *          touching the group.
 *
 * Two waiters, of which the second may as well not come, and two workers; one worker adds a third
 * piece of work before it is done with its own. Then either the group is freed, as soon as one wait
 * has returned and no other will touch it any more; or the second waiter uses it again at once,
 * while the first may not have woken up yet.
 *
 * Abstracted: spinning is blocking until the word changes; a sleeping waiter is a flag in its
 * record. Memory is sequentially consistent: every access to the list is ordered by the word (in C:
 * fetch_sub acq_rel, CAS and loads acquire, fetch_and and the store of 0 release).
 *
 * Checked: nobody sleeps or spins for ever (no invalid end state); while a wait lasted all work was
 * done at some moment; nobody touches the freed group, nor a record after its owner has returned;
 * in the end the word is 0 and the list empty.
 *
 * Mutations that must fail
 *   -DIGNORE_LOCK      done takes the list while a waiter is still pushing itself
 *   -DWAKE_FIRST       done wakes the waiters and then stores 0
 *   -DTAKE_LATE        done stores 0 and then takes the list
 *   -DNEXT_LATE        done reads a record's link after waking its owner
 *   -DTRUST_ZERO       wait returns when the counter is 0, whatever the flags
 *   -DPUSH_UNLOCKED    wait sets only WAITERS and pushes without the lock
 */

#define WAITERS 2
#define WORKERS 2
#define RECORDS 3 /* one for each wait: 1, 2, and 3 for the second round */

/* The word. */
byte counter = WORKERS;
bool locked;
bool waiters;

/* The list. 0 ends it. */
byte first;
byte next[RECORDS + 1];
bool woken[RECORDS + 1];

/* Ghosts. */
byte work = WORKERS;        /* not yet done */
bool zero[RECORDS + 1];     /* it was 0 since this wait began */
bool gone[RECORDS + 1];     /* the record does not exist any more */
byte touching = WAITERS;    /* waiters that may still touch the group */
bool returned;
bool again;                 /* it is used again, not freed */
bool round2;

#define freed (!again && returned && touching == 0)

inline touch()
{
    assert(!freed)
}

inline worked()
{
    work--;
    if
    :: work == 0 -> zero[1] = true; zero[2] = true; zero[3] = true
    :: else
    fi
}

inline take_list()
{
    atomic {
        touch();
        r = first;
        first = 0;
        n = r;
        do
        :: n != 0 -> touching--; n = next[n]
        :: else -> break
        od
    }
}

inline store_zero()
{
    atomic { touch(); counter = 0; locked = false; waiters = false }
}

inline wake_all()
{
    do
    :: r != 0 ->
#ifdef NEXT_LATE
       atomic { assert(!gone[r]); woken[r] = true }
       atomic { assert(!gone[r]); r = next[r] }
#else
       atomic { assert(!gone[r]); n = next[r] }
       atomic { assert(!gone[r]); woken[r] = true; r = n; n = 0 }
#endif
    :: else -> break
    od
}

inline done()
{
    atomic {
        touch();
        worked();
        counter--;
        last = (counter == 0 && (locked || waiters))
    }
    if
    :: last ->
       last = false;
#ifndef IGNORE_LOCK
       atomic { !locked -> touch() }
#endif
#if defined(WAKE_FIRST)
       take_list();
       wake_all();
       store_zero()
#elif defined(TAKE_LATE)
       store_zero();
       take_list();
       wake_all()
#else
       take_list();
       store_zero();
       wake_all()
#endif
    :: else
    fi
}

inline add()
{
    atomic { touch(); work++; counter++ }
}

proctype worker(byte times)
{
    byte r, n;
    bool last;

    if
    :: times > 1 -> add()
    :: else
    fi;
    do
    :: times > 0 -> done(); times--
    :: else -> break
    od
}

proctype waiter(byte me)
{
    byte c;
    bool l, w;

    if
    :: me == 2 -> goto left
    :: true
    fi;

wait:
    zero[me] = (work == 0);
    do
    :: atomic { touch(); c = counter; l = locked; w = waiters }
       if
#ifdef TRUST_ZERO
       :: c == 0 -> break
#else
       :: c == 0 && !l && !w -> break
#endif
       :: else ->
          if
          :: c == 0 || l -> /* look again when it differs */
             (c != counter || l != locked || w != waiters)
          :: else ->
             atomic {
                 touch();
                 if
                 :: counter == c && locked == l && waiters == w -> /* CAS */
#ifndef PUSH_UNLOCKED
                    locked = true;
#endif
                    waiters = true;
                    goto push
                 :: else
                 fi
             }
          fi
       fi
    od;
    touching--;
    goto back;

push:
    atomic { touch(); c = first }
    next[me] = c;
    atomic { touch(); first = me }
    atomic { touch(); locked = false; c = 0; l = false; w = false }
    woken[me]; /* whoever took the list counted us out of touching */

back:
    atomic { assert(zero[me]); gone[me] = true; returned = true }
    if
    :: again && me == 2 ->
       add();
       atomic { touching++; round2 = true; me = 3; goto wait }
    :: else -> goto out
    fi;

left:
    touching--;
out:
    skip
}

init
{
    atomic {
        if
        :: again = true
        :: again = false
        fi;
        run worker(1);
        run worker(2);
        run waiter(1);
        run waiter(2)
    }
    if
    :: round2 -> run worker(1); _nr_pr == 1
    :: _nr_pr == 1
    fi;
    assert(counter == 0 && !locked && !waiters && first == 0)
}
