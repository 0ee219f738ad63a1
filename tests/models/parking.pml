/* parking.pml - going to sleep without losing a wake-up.
 *
 * Models the idle protocol of src/runtime/sched.c.
 *   submit:  publish work; FENCE; if no P is idle or somebody spins, return; CAS nmspinning 0 -> 1; under the
 *            lock give an idle P to an idle M, which starts out spinning.
 *   search:  own ring, global queue; perhaps become spinning; spinning: the rings of the other Ps. A spinner
 *            that finds something leaves the spinning count and calls submit's second half, so that wake-ups
 *            cascade.
 *   retire:  under the lock look into the global queue and release the P; leave the spinning count; FENCE;
 *            look at every queue; if there is something take an idle P and search on, else sleep.
 * Two details carry the proof beside the fences:
 *   - wake() that finds no idle P takes back its 1 in nmspinning before it unlocks. While it stands, others
 *     return trusting in a spinner; it may only stand while no P is idle, because then whoever releases the
 *     next P looks at the queues after them.
 *   - Work that moves from the global queue to a ring is in no queue for a moment, and a retiring M may look
 *     just then. So who moves some without being a spinner calls wake() as well.
 *
 * Abstracted: work is only counted; ring and runnext are one queue, taken from in one step (runq.pml has the
 * steps). A critical section is one step wherever outsiders can see only one of its stores. "At most half of
 * the busy Ps spin" is left open: an M may become spinning or not. An M that user code keeps for ever keeps
 * its P too (seizure is another protocol). If all Ms are in use where C makes a new thread, the run is dropped.
 *
 * Memory: each plain store that the argument is about waits in a store buffer until it drains by itself or
 * its writer executes a fence, a lock or another read-modify-write: the tail of a ring (its owner sees it at
 * once) and npidle (written under the lock, read outside; the next holder of the lock sees it).
 *
 * Checked, when nothing can move any more: if work is queued then no P is idle. So not all Ms sleep over
 * work, and no work waits behind endless user code while a P is free. And no spinner is counted any more.
 *
 * Mutations that must fail
 *   -DNO_FENCE          neither of the two fences
 *   -DNO_FENCE_SUBMIT   none between publishing and reading npidle, nmspinning
 *   -DNO_FENCE_RETIRE   none between releasing the P and the last look
 *   -DUNDO_UNLOCKED     wake() that finds no idle P unlocks and then takes back its 1
 *   -DNO_CASCADE        a spinner that found work wakes nobody
 *   -DNO_BATCH_WAKE     a batch from the global queue enters the ring without a wake()
 *   -DSPINNERS_RESCAN   only a retiring spinner takes the last look
 *   -DLOOK_FIRST        a retiring spinner looks before it leaves the count
 */

#ifdef NO_FENCE
#define NO_FENCE_SUBMIT
#define NO_FENCE_RETIRE
#endif

#ifndef NP
#define NP 2
#endif
#ifndef NM
#define NM 4
#endif
#ifndef NF
#define NF 2 /* foreign threads, one piece of work each */
#endif
#ifndef SPAWNS
#define SPAWNS 2 /* pieces of work that running work makes */
#endif
#define NONE 255

byte ring[NP];        /* as everybody sees it */
byte ring_store[NP];  /* on top of that: what the owner published, still in its store buffer */
byte globq;           /* under the lock; read without it */
byte nmspinning;      /* read-modify-write only */
byte npidle;          /* under the lock */
byte npidle_seen;     /* as read without it */
byte npidle_by = NONE; /* in whose store buffer the difference is */
bool pidle[NP];
bool midle[NM];
byte nextp[NM] = NONE;
byte spawns = SPAWNS;
bool dropped;

/* ---- memory ---- */

inline drain_ring(q)
{
    ring[q] = ring[q] + ring_store[q];
    ring_store[q] = 0
}

inline drain_npidle()
{
    npidle_seen = npidle;
    npidle_by = NONE
}

/* A fence or read-modify-write of `me`, which owns `q` or NONE. */
inline fence(me, q)
{
    if
    :: q != NONE -> drain_ring(q)
    :: else
    fi;
    if
    :: npidle_by == me -> drain_npidle()
    :: else
    fi
}

/* The owner of q stores its tail; a fence comes before its next load, so it may as well come at once. */
inline publish(q, count)
{
    drain_ring(q);
    ring_store[q] = count;
#ifndef NO_FENCE_SUBMIT
    drain_ring(q)
#endif
}

/* Entering the critical section shows what the last holder did in it. */
inline lock(me, q)
{
    fence(me, q);
    drain_npidle()
}

proctype bus()
{
    do
    :: d_step { npidle_by != NONE -> drain_npidle() }
    :: d_step { ring_store[0] > 0 -> drain_ring(0) }
#if NP > 1
    :: d_step { ring_store[1] > 0 -> drain_ring(1) }
#endif
#if NP > 2
    :: d_step { ring_store[2] > 0 -> drain_ring(2) }
#endif
    od
}

/* ---- idle lists, under the lock ---- */

inline put_idle_p(me, q)
{
    pidle[q] = true;
    npidle++;
    npidle_by = me;
    q = NONE;
#ifndef NO_FENCE_RETIRE
    drain_npidle() /* as in publish() */
#endif
}

inline take_idle_p(me, q)
{
    q = 0;
    do
    :: q < NP && !pidle[q] -> q++
    :: else -> break
    od;
    if
    :: q < NP -> pidle[q] = false; npidle--; npidle_by = me
    :: else -> q = NONE
    fi
}

inline take_idle_m(m)
{
    m = 0;
    do
    :: m < NM && !midle[m] -> m++
    :: else -> break
    od;
    if
    :: m < NM -> midle[m] = false
    :: else -> m = NONE
    fi
}

/* ---- waking ---- */

/* A fence and the load after it are one step: the buffer might as well have drained just before. */
inline wake(me, q)
{
    atomic {
#ifndef NO_FENCE_SUBMIT
        fence(me, q);
#endif
        go_on = (npidle_by == me -> npidle : npidle_seen) != 0
    }
    if
    :: !go_on
    :: atomic {
           go_on ->
           go_on = false;
           if
           :: nmspinning == 0 -> nmspinning = 1; fence(me, q); x = 0
           :: else -> x = NONE
           fi
       }
       if
       :: x == NONE -> x = 0
       :: else ->
          atomic {
              lock(me, q);
              take_idle_p(me, x);
              if
              :: x == NONE ->
#ifndef UNDO_UNLOCKED
                 nmspinning--;
                 x = 0
#endif
              :: else ->
                 take_idle_m(y);
                 if
                 :: y == NONE -> dropped = true; false
                 :: else -> nextp[y] = x
                 fi;
                 y = 0;
                 x = 0
              fi
          }
#ifdef UNDO_UNLOCKED
          if
          :: atomic { x == NONE -> nmspinning--; fence(me, q); x = 0 }
          :: else
          fi
#endif
       fi
    fi
}

proctype foreign(byte me)
{
    byte x, y;
    bool go_on;

    if
    :: atomic { lock(me, NONE); globq++ }
       wake(me, NONE)
    :: true /* does not come */
    fi
}

proctype M(byte me; byte p)
{
    byte x, y, i;
    bool spinning, go_on;

    if
    :: p != NONE -> goto user /* the main goroutine */
    :: else -> goto asleep
    fi;

search:
    /* An own ring that is empty stays so, whence the look into it and the critical section are one step. */
    atomic {
        fence(me, p);
        if
        :: ring[p] > 0 -> ring[p]--; goto found
        :: else
        fi;
        lock(me, p);
        if
        :: globq > 0 ->
           x = (globq > globq / NP + 1 -> globq / NP + 1 : globq);
           globq = globq - x;
           x--
        :: else -> goto others
        fi
    }
    if
    :: x == 0 -> goto found
    :: else -> atomic { publish(p, x); x = 0 }
    fi;
#ifndef NO_BATCH_WAKE
    if
    :: !spinning -> wake(me, p)
    :: else /* a spinner does so anyway */
    fi;
#endif
    goto found;

others:
    if
    :: spinning
    :: atomic { !spinning -> nmspinning++; spinning = true; fence(me, p) }
    :: !spinning -> goto retire /* enough others spin */
    fi;
    do
    :: i < NP && ring[i] == 0 -> i++
    :: atomic {
           i < NP && ring[i] > 0 ->
           x = ring[i] - ring[i] / 2;
           ring[i] = ring[i] - x;
           publish(p, x - 1);
           x = 0;
           i = 0;
           goto found
       }
    :: i == NP -> i = 0; break
    od;

retire:
    atomic {
        lock(me, p);
        if
        :: globq > 0 -> globq--; goto found
        :: else -> put_idle_p(me, p)
        fi
    }
#ifdef SPINNERS_RESCAN
    if
    :: !spinning -> goto stop
    :: else
    fi;
#endif
#ifndef LOOK_FIRST
    if
    :: atomic { spinning -> nmspinning--; spinning = false; fence(me, p) }
    :: else
    fi;
#endif
    do
    :: atomic {
           i < NP ->
           if
           :: ring[i] == 0 -> i++
           :: else -> break
           fi
       }
    :: i == NP -> break
    od;
    atomic { go_on = (i < NP || globq > 0); i = 0 }
#ifdef LOOK_FIRST
    if
    :: atomic { spinning -> nmspinning--; spinning = false; fence(me, p) }
    :: else
    fi;
#endif
    if
    :: atomic {
           go_on ->
           go_on = false;
           lock(me, p);
           take_idle_p(me, p);
           if
           :: p == NONE -> midle[me] = true; goto asleep
           :: else
           fi
       }
       atomic { nmspinning++; spinning = true; fence(me, p) }
       goto search
    :: else
    fi;

stop:
    atomic { lock(me, p); midle[me] = true }

asleep:
    atomic { nextp[me] != NONE -> p = nextp[me]; nextp[me] = NONE; spinning = true; goto search }

found:
    if
    :: atomic { spinning -> nmspinning--; spinning = false; fence(me, p) }
#ifndef NO_CASCADE
       wake(me, p)
#endif
    :: else
    fi;

user:
    do
    :: atomic { spawns > 0 -> spawns--; publish(p, 1) }
       wake(me, p)
    :: goto search
    :: true -> false /* user code that never ends */
    od
}

/* ---- start and end ---- */

proctype monitor()
{
    byte i, work;

    do
    :: timeout ->
       d_step {
           work = globq;
           for (i : 0 .. NP - 1) {
               work = work + ring[i]
           }
           assert(dropped || work == 0 || npidle == 0);
           assert(dropped || nmspinning == 0);
           work = 0;
           i = 0
       }
    od
}

init
{
    byte i;

    atomic {
        for (i : 1 .. NP - 1) {
            pidle[i] = true
        }
        npidle = NP - 1;
        npidle_seen = NP - 1;
        for (i : 1 .. NM - 1) {
            midle[i] = true;
            run M(i, NONE)
        }
        run M(0, 0);
        for (i : 1 .. NF) {
            run foreign(NM + i)
        }
        run bus();
        run monitor()
    }
}
