/* parking.pml - going to sleep without losing a wake-up.
 *
 * Models the idle protocol of src/runtime/sched.c and search.c.
 *   submit:  publish work; FENCE; wake().
 *   wake():  if no P is idle or somebody spins, return; CAS nmspinning 0 -> 1; under the lock give
 *            an idle P to an idle M, which starts out spinning.
 *   search:  own ring, global queue; perhaps become spinning; spinning: the rings of the other Ps.
 *            A spinner that finds something leaves the spinning count and calls wake(), so that
 *            wake-ups cascade.
 *   retire:  under the lock look into the global queue and release the P; leave the spinning count;
 *            FENCE; look at every queue, whether it was spinning or not; if there is something take
 *            an idle P and search on, spinning; else sleep. Without an idle P sleep as well:
 *            whoever has the Ps looks again before it sleeps.
 * Two details carry the proof beside the fences:
 *   - wake() that finds no idle P takes back its 1 in nmspinning before it unlocks. Others see the
 *     1 and return, trusting in a spinner. That is right only while no P is idle: then whoever
 *     releases the next one looks at the queues after them.
 *   - Work on its way from the global queue to a ring is in no queue for a moment, and a retiring M
 *     may look just then. So an M that moves a batch without being a spinner calls wake(), too.
 *
 * Abstracted: work is only counted. Ring and runnext are one queue, taken from in one step
 * (runq.pml has the steps). A critical section is one step wherever outsiders see only one of its
 * stores. "At most half of the busy Ps spin" is left open: an M becomes spinning or not. An M that
 * user code keeps for ever keeps its P as well (seizure is another protocol). A run is dropped
 * where C would make another thread because all NM are in use.
 *
 * Memory: the plain stores that the argument is about wait in a store buffer until it drains by
 * itself or its writer executes a fence, a lock or another read-modify-write. They are the tail of
 * a ring, which its owner sees at once, and npidle, written under the lock, which the next holder
 * of the lock sees and a reader outside may not. If a fence is the next thing its writer does, a
 * store and the fence are one step: nobody can tell the difference.
 *
 * Checked, when nothing can move any more: if work is queued then no P is idle. So not all Ms sleep
 * over work, and no work waits behind endless user code while a P is free. And nobody is counted as
 * spinning any more.
 *
 * Sizes: NP, NM, NF, SPAWNS. LIST_EARLY=1 is the protocol with an M entering the idle list in the
 * critical section that releases its P, before its last look. There is an idle M for each idle P
 * then, so NM = NP is enough and no thread need be made; this is asserted, and no run is dropped.
 *
 * Mutations that must fail
 *   -DNO_FENCE          neither of the two fences
 *   -DNO_FENCE_SUBMIT   no fence between publishing and reading npidle and nmspinning
 *   -DNO_FENCE_RETIRE   no fence between releasing the P and the last look
 *   -DUNDO_UNLOCKED     wake() that finds no idle P unlocks before it takes back its 1
 *   -DNO_CASCADE        a spinner that found work wakes nobody
 *   -DNO_BATCH_WAKE     a batch from the global queue enters the ring without a wake()
 *   -DSPINNERS_LOOK     only a retiring spinner takes the last look
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
#define NM 3
#endif
#ifndef NF
#define NF 2 /* foreign threads, one piece of work each */
#endif
#ifndef SPAWNS
#define SPAWNS 1 /* pieces of work that running work makes */
#endif
#ifndef LIST_EARLY
#define LIST_EARLY 0
#endif
#define NONE 255

byte ring[NP];         /* as everybody sees it */
byte ring_store[NP];   /* on top of that: published, but still in the owner's store buffer */
byte globq;            /* written under the lock */
byte nmspinning;       /* read-modify-write only */
byte npidle;           /* as seen under the lock */
byte npidle_seen;      /* as seen without it */
byte npidle_by = NONE; /* in whose store buffer the difference is */
bool pidle[NP];        /* the idle lists, under the lock */
bool midle[NM];
byte nextp[NM] = NONE; /* the P handed to a sleeping M, which wakes up */
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

/* The owner of q stores its tail. The fence is the one of wake(). */
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
    drain_npidle() /* the fence before the last look */
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

/* Looking at nmspinning and trying the CAS are one step: a 0 seen and lost is like a 1 seen. */
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
                 :: y == NONE -> assert(!LIST_EARLY); dropped = true; false
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
    /* An own ring that is empty stays so: looking into it and the critical section are one step. */
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

in_hand:
    /* One to run and x more, which are in no queue just now. */
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
           x--;
           i = 0;
           goto in_hand
       }
    :: i == NP -> i = 0; break
    od;

retire:
    atomic {
        lock(me, p);
        if
        :: globq > 0 -> globq--; goto found
        :: else ->
           put_idle_p(me, p);
#if LIST_EARLY
           midle[me] = true
#endif
        fi
    }
#ifdef SPINNERS_LOOK
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
#if LIST_EARLY
           if
           :: !midle[me] -> goto asleep /* a P was handed over meanwhile */
           :: else
           fi;
#endif
           take_idle_p(me, p);
           midle[me] = (p == NONE);
           if
           :: p == NONE -> goto asleep
           :: else
           fi
       }
       atomic { nmspinning++; spinning = true; fence(me, p) }
       goto search
    :: else
    fi;

stop:
#if LIST_EARLY
    skip;
#else
    atomic { lock(me, p); midle[me] = true }
#endif

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
