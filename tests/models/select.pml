/* select.pml - sleepers that wait in the queues of two channels at once.
 *
 * Models src/sync/select.c and sleep.h on two unbuffered channels.
 *   select:  locks both channels by rising number. If a sender waits in one, takes it from its
 *            queue, unlocks and wakes it. If one is closed, unlocks. Else puts a record into the
 *            queue of receivers of each and parks. The commit of the parking is done by whoever runs
 *            next on that thread (a process of its own here): it unlocks the channels in order, and
 *            reads that order from the sleeper's stack. When woken, it locks each channel but the
 *            one that woke it, takes its record out of there, and returns: the records are gone.
 *   send:    locks the channel. Takes receivers out of its queue until it wins `taken` of one; does
 *            that one's part, unlocks, wakes it. If there is none, waits in the queue of senders.
 *   close:   locks, takes all receivers whose `taken` it wins, unlocks, wakes them.
 *
 * NR receivers that select, each once; a sender for each of them, by turns on channel 0 and 1. With
 * CLOSES channel 1 has no senders but is closed at some time, as the done channel of a context is,
 * and the senders, all on channel 0, only try.
 *
 * Abstracted: a lock is a flag that is waited for. Memory is sequentially consistent: what the
 * records hold is ordered by the locks and by the wake-up, `taken` is one exchange.
 *
 * Checked: no deadlock, nobody sleeps for ever (no invalid end state); a receiver is woken only when
 * it is off its stack, and served once; nobody touches a record after its owner has returned; in the
 * end the queues are empty.
 *
 * Mutations that must fail
 *   -DNO_TAKEN        who finds a record takes its sleeper without asking
 *   -DTAKE_LATE       `taken` is set after the unlock
 *   -DLEAVE_RECORDS   a woken sleeper returns without taking its records out of the other queue
 *   -DNO_RELOCK       it takes them out without the lock
 *   -DUNLOCK_EARLY    a sleeper unlocks before it is off its stack
 *   -DUNORDERED       every other sleeper locks by falling number
 */

#ifndef NR
#define NR 2
#endif
#ifndef CLOSES
#define CLOSES 0
#endif

bool locked[2];
bool closed;                          /* channel 1 */
chan receivers0 = [NR] of { byte };   /* their queues */
chan receivers1 = [NR] of { byte };
chan senders0 = [NR] of { byte };
chan senders1 = [NR] of { byte };

/* Of each receiver. */
bool taken[NR];
bool woken[NR];
byte woken_by[NR];
bool off_stack[NR];

/* Of each sender. */
bool sent[NR];

/* Ghosts. */
bool gone[NR];    /* a receiver's records do not exist any more */
bool served[NR];

#define first(i) (UNORDERED_ && (i) % 2)
#ifdef UNORDERED
#define UNORDERED_ 1
#else
#define UNORDERED_ 0
#endif

inline lock(c)
{
    atomic { !locked[c] -> locked[c] = true }
}

inline unlock(c)
{
    locked[c] = false
}

inline take(c, i)
{
    assert(!gone[i]);
#ifdef NO_TAKEN
    won = true;
#else
    atomic { won = !taken[i]; taken[i] = true }
#endif
    if
    :: won -> assert(!served[i]); served[i] = true; woken_by[i] = c
    :: else
    fi
}

inline wake(i)
{
    atomic { assert(!gone[i] && off_stack[i]); woken[i] = true }
}

/* What the thread does once the receiver is off its stack. */
proctype commit(byte i)
{
    assert(!gone[i]); /* the order is read from its stack */
    unlock(first(i));
    assert(!gone[i]);
    unlock(1 - first(i))
}

proctype receiver(byte i)
{
    byte s, other;

    lock(first(i));
    lock(1 - first(i));
    if
    :: nempty(senders0) -> senders0?s; unlock(0); unlock(1); sent[s] = true
    :: nempty(senders1) -> senders1?s; unlock(0); unlock(1); sent[s] = true
    :: closed -> unlock(0); unlock(1)
    :: empty(senders0) && empty(senders1) && !closed ->
       receivers0!i;
       receivers1!i;
#ifdef UNLOCK_EARLY
       unlock(0);
       unlock(1);
       off_stack[i] = true;
#else
       off_stack[i] = true;
       run commit(i);
#endif
       woken[i];
       other = 1 - woken_by[i];
#ifndef LEAVE_RECORDS
#ifndef NO_RELOCK
       lock(other);
#endif
       if
       :: other == 0 && receivers0??[eval(i)] -> receivers0??eval(i)
       :: other == 1 && receivers1??[eval(i)] -> receivers1??eval(i)
       :: else
       fi;
#ifndef NO_RELOCK
       unlock(other)
#endif
#endif
    fi;
    gone[i] = true
}

proctype sender(byte s; byte c)
{
    byte i;
    bool won;

    lock(c);
    do
    :: c == 0 && nempty(receivers0) -> receivers0?i;
#ifdef TAKE_LATE
       break
#else
       take(c, i);
       if
       :: won -> break
       :: else
       fi
#endif
    :: c == 1 && nempty(receivers1) -> receivers1?i;
#ifdef TAKE_LATE
       break
#else
       take(c, i);
       if
       :: won -> break
       :: else
       fi
#endif
    :: (c == 0 && empty(receivers0)) || (c == 1 && empty(receivers1)) ->
       if
       :: CLOSES -> unlock(c); goto end_sender /* it only tried */
       :: !CLOSES && c == 0 -> senders0!s
       :: !CLOSES && c == 1 -> senders1!s
       fi;
       unlock(c);
       sent[s];
       goto end_sender
    od;
    unlock(c);
#ifdef TAKE_LATE
    take(c, i);
    won;
#endif
    wake(i);
end_sender:
    skip
}

proctype closer()
{
    byte i;
    bool won;
    chan found = [NR] of { byte };

    lock(1);
    closed = true;
    do
    :: nempty(receivers1) ->
       receivers1?i;
       take(1, i);
       if
       :: won -> found!i
       :: else
       fi
    :: empty(receivers1) -> break
    od;
    unlock(1);
    do
    :: nempty(found) -> found?i; wake(i)
    :: empty(found) -> break
    od
}

init
{
    byte i;

    atomic {
        for (i : 0 .. NR - 1) {
            run receiver(i);
            run sender(i, (CLOSES -> 0 : i % 2))
        }
        if
        :: CLOSES -> run closer()
        :: else
        fi
    }
    _nr_pr == 1;
    assert(empty(receivers0) && empty(receivers1) && empty(senders0) && empty(senders1));
    assert(!locked[0] && !locked[1])
}
