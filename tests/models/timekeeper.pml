/* timekeeper.pml - one of the sleeping Ms sleeps only until the next timer.
 *
 * Models src/runtime/timer.c and its use in sched.c.
 *   arm:      store the P's next-timer word if the new timer is the earliest there; FENCE; if there is a
 *             timekeeper that sleeps longer, wake it; if there is none, wake() as after a submission.
 *   idle M:   after its last look at the queues (a due timer counts as work) it puts itself on the idle list
 *             and tries to become timekeeper. The timekeeper stores sleep_until = the earliest of all
 *             next-timer words; FENCE; reads the words again, and starts over if one is earlier; sleeps until
 *             then. Who finds another timekeeper that sleeps longer than it should wakes that one; sleeps.
 *   woken timekeeper: with a P handed to it: resigns and searches. Without: computes anew. At the deadline:
 *             resigns, and only then looks for an idle P; with one it searches, spinning; without it sleeps on,
 *             because whoever releases a P takes its last look at the timers after that.
 *
 * Abstracted: times are 1, 2 and never; the clock may advance at any moment and may stop at any moment. A P's
 * heap is a set of times under its lock. Work is a count in the global queue; of the parking protocol only
 * what matters here is kept: nmspinning, the cascade, the last look; wake() is one step (parking.pml has its
 * races). An M in user code may arm timers, end, or never end, keeping its P.
 *
 * Memory: stores of the next-timer words, of sleep_until and of timekeeper = 0 wait in a store buffer of one
 * entry for each M until it drains by itself, or by a fence, lock or read-modify-write of that M.
 *
 * Checked, when nothing but the clock could move: if a timer is pending and a P is idle, some M sleeps with a
 * deadline not after that timer. And no work is left while a P is idle.
 *
 * Mutations that must fail
 *   -DNO_FENCE_ARM      no fence between next-timer word and the look at the timekeeper
 *   -DNO_FENCE_KEEPER   no fence between sleep_until and the second look at the words
 *   -DNO_REREAD         no second look
 *   -DNO_ARM_WAKE       arm without a timekeeper wakes nobody
 *   -DKEEP_OFFICE       a timekeeper with a P does not resign
 *   -DRESIGN_LATE       at the deadline the timekeeper resigns after it found no idle P
 *   -DNO_SPIN           at the deadline the timekeeper searches without being counted as spinning
 *   -DNO_CASCADE        a spinner that found work wakes nobody
 */

#ifndef NP
#define NP 2
#endif
#ifndef NM
#define NM 3
#endif
#ifndef NF
#define NF 1 /* pieces of work from a foreign thread */
#endif
#ifndef ARMS
#define ARMS 2
#endif
#define NEVER 3
#define NOBODY NM
#define NONE 255

byte now;
byte next_timer[NP] = NEVER;
byte sleep_until = NEVER;
byte timekeeper = NOBODY;
bool at1[NP]; /* the heaps */
bool at2[NP];

byte globq;
byte nmspinning;
byte npidle;
bool pidle[NP];
bool midle[NM];
byte nextp[NM] = NONE;
bool note[NM];
byte deadline[NM] = NEVER; /* of those asleep */
byte arms = ARMS;
byte state[NM];
bool dropped;

#define AWAKE 0
#define ASLEEP 1
#define LOST 2 /* in user code for ever */

/* ---- memory ---- */

#define EMPTY 0
#define SLEEP_UNTIL 1
#define NEXT_TIMER 2 /* + number of the P */

byte buf[NM]; /* which variable */
byte val[NM];

inline drain(m)
{
    if
    :: buf[m] == SLEEP_UNTIL -> sleep_until = val[m]
    :: buf[m] >= NEXT_TIMER -> next_timer[buf[m] - NEXT_TIMER] = val[m]
    :: else
    fi;
    buf[m] = EMPTY;
    val[m] = 0
}

inline store(m, variable, value)
{
    drain(m);
    buf[m] = variable;
    val[m] = value
}

proctype bus()
{
    do
    :: atomic { buf[0] != EMPTY -> drain(0) }
    :: atomic { buf[1] != EMPTY -> drain(1) }
#if NM > 2
    :: atomic { buf[2] != EMPTY -> drain(2) }
#endif
#if NM > 3
    :: atomic { buf[3] != EMPTY -> drain(3) }
#endif
    od
}

/* From one pending time to the next; in between nothing differs. */
proctype clock()
{
    do
    :: now < 1 && (at1[0] || at1[1]) -> now = 1
    :: now < 2 && (at2[0] || at2[1]) -> now = 2
    od
}

/* ---- parking, in short ---- */

inline take_idle_p(q)
{
    q = 0;
    do
    :: q < NP && !pidle[q] -> q++
    :: else -> break
    od;
    if
    :: q < NP -> pidle[q] = false; npidle--
    :: else -> q = NONE
    fi
}

/* Called within an atomic; uses x and y. */
inline wake()
{
    if
    :: npidle > 0 && nmspinning == 0 ->
       nmspinning = 1;
       take_idle_p(x);
       y = 0;
       do
       :: y < NM && !midle[y] -> y++
       :: else -> break
       od;
       if
       :: y == NM -> dropped = true; false
       :: else -> midle[y] = false; nextp[y] = x; note[y] = true
       fi;
       x = 0;
       y = 0
    :: else
    fi
}

proctype foreign()
{
    byte todo = NF, x, y;

    do
    :: atomic { todo > 0 -> todo--; globq++; wake() }
    :: todo == 0 -> break
    od
}

/* ---- timers ---- */

#define EARLIEST(q) (at1[q] -> 1 : (at2[q] -> 2 : NEVER))

/* Within an atomic: the due timers of P q fire. The heap's lock orders the stores of its word. */
inline fire(q)
{
    y = 0;
    do
    :: y < NM ->
       if
       :: buf[y] == NEXT_TIMER + q -> drain(y)
       :: else
       fi;
       y++
    :: else -> break
    od;
    y = 0;
    if
    :: now >= 1 -> at1[q] = false
    :: else
    fi;
    if
    :: now >= 2 -> at2[q] = false
    :: else
    fi;
    next_timer[q] = EARLIEST(q)
}

inline arm()
{
    atomic {
        if
        :: w == 1 -> at1[p] = true
        :: else -> at2[p] = true
        fi;
        if
        :: EARLIEST(p) == w ->
           store(me, NEXT_TIMER + p, w);
#ifndef NO_FENCE_ARM
           drain(me)
#endif
        :: else -> w = 0
        fi
    }
    if
    :: w == 0 /* another one is earlier */
    :: else ->
       y = timekeeper;
       if
       :: y != NOBODY ->
          atomic {
              if
              :: w < sleep_until -> note[y] = true
              :: else
              fi;
              w = 0;
              y = 0
          }
       :: else ->
          atomic {
              w = 0;
              y = 0;
#ifndef NO_ARM_WAKE
              drain(me);
              wake()
#endif
          }
       fi
    fi
}

inline find_due()
{
    do
    :: i < NP && next_timer[i] > now -> i++
    :: else -> break
    od
}

inline earliest_word()
{
    do
    :: i < NP -> min = (next_timer[i] < min -> next_timer[i] : min); i++
    :: else -> i = 0; break
    od
}

proctype M(byte me; byte p)
{
    byte w, x, y, i;
    byte min = NEVER;
    bool spinning;

    if
    :: p != NONE -> goto user
    :: else -> goto asleep
    fi;

search:
    atomic {
        drain(me);
        if
        :: next_timer[p] <= now -> fire(p); goto found
        :: globq > 0 -> globq--; goto found
        :: else
        fi
    }
    if
    :: spinning
    :: atomic { !spinning && 2 * nmspinning < NP - npidle -> nmspinning++; spinning = true; drain(me) }
    :: else -> goto retire
    fi;
    atomic {
        find_due();
        if
        :: i < NP -> fire(i); i = 0; goto found
        :: else -> i = 0
        fi
    }

retire:
    atomic {
        drain(me);
        if
        :: globq > 0 -> globq--; goto found
        :: else
        fi;
        pidle[p] = true;
        npidle++;
        p = NONE;
        if
        :: spinning -> nmspinning--; spinning = false
        :: else
        fi
    }
    atomic {
        find_due(); /* the last look */
        if
        :: i < NP || globq > 0 ->
           i = 0;
           take_idle_p(p);
           if
           :: p == NONE -> midle[me] = true; state[me] = ASLEEP; goto asleep
           :: else -> nmspinning++; spinning = true; goto search
           fi
        :: else -> i = 0; midle[me] = true
        fi
    }

elect:
    if
    :: atomic { timekeeper == NOBODY -> drain(me); timekeeper = me }
       goto compute
    :: else
    fi;
    atomic { earliest_word(); y = timekeeper }
    atomic {
        if
        :: y != NOBODY && min < sleep_until -> note[y] = true
        :: else
        fi;
        min = NEVER;
        y = 0;
        state[me] = ASLEEP
    }

asleep:
    atomic {
        note[me] ->
        note[me] = false;
        state[me] = AWAKE;
        if
        :: nextp[me] == NONE -> goto elect
        :: else -> goto handed
        fi
    }

compute:
    atomic { min = NEVER; earliest_word() }
    atomic {
        store(me, SLEEP_UNTIL, min);
#ifndef NO_FENCE_KEEPER
        drain(me)
#endif
    }
#ifndef NO_REREAD
    do
    :: atomic {
           i < NP ->
           if
           :: next_timer[i] < min -> i = 0; goto compute
           :: else -> i++
           fi
       }
    :: i == NP -> break
    od;
#endif
    atomic { i = 0; deadline[me] = min; min = NEVER; state[me] = ASLEEP }
    if
    :: atomic {
           note[me] ->
           note[me] = false;
           deadline[me] = NEVER;
           state[me] = AWAKE;
           if
           :: nextp[me] == NONE -> goto compute
           :: else
           fi;
#ifndef KEEP_OFFICE
           drain(me);
           timekeeper = NOBODY;
#endif
           goto handed
       }
    :: atomic {
           deadline[me] <= now ->
           deadline[me] = NEVER;
           state[me] = AWAKE;
#ifndef RESIGN_LATE
           drain(me);
           timekeeper = NOBODY
#endif
       }
    fi;

    /* The deadline has come. */
    atomic {
        drain(me);
        if
        :: !midle[me] -> note[me] = false /* just now a P was handed over */
        :: else ->
           take_idle_p(p);
           midle[me] = (p == NONE);
#ifndef NO_SPIN
           if
           :: p != NONE -> nmspinning++; spinning = true
           :: else
           fi
#endif
        fi
    }
#ifdef RESIGN_LATE
    atomic { drain(me); timekeeper = NOBODY }
#endif
    if
    :: p != NONE -> goto search
    :: nextp[me] != NONE -> goto handed
    :: else -> state[me] = ASLEEP; goto asleep
    fi;

handed:
    atomic { p = nextp[me]; nextp[me] = NONE; spinning = true; goto search }

found:
    if
    :: atomic {
           spinning ->
           nmspinning--;
           spinning = false;
           drain(me);
#ifndef NO_CASCADE
           wake()
#endif
       }
    :: else
    fi;

user:
    do
    :: atomic { arms > 0 -> arms--; w = 1 }
       arm()
    :: atomic { arms > 0 -> arms--; w = 2 }
       arm()
    :: goto search
    :: atomic { true -> state[me] = LOST }
       false
    od
}

/* ---- start and end ---- */

#define SLEEPS(m) (state[m] == ASLEEP && !note[m] && deadline[m] > now)
#define QUIET(m) (buf[m] == EMPTY && (state[m] == LOST || SLEEPS(m)))

#if NM == 2
#define ALL_QUIET (QUIET(0) && QUIET(1))
#elif NM == 3
#define ALL_QUIET (QUIET(0) && QUIET(1) && QUIET(2))
#else
#define ALL_QUIET (QUIET(0) && QUIET(1) && QUIET(2) && QUIET(3))
#endif

proctype monitor()
{
    byte i, first = NEVER, covered = NEVER;

    do
    :: dropped
    :: d_step {
           !dropped && ALL_QUIET ->
           for (i : 0 .. NP - 1) {
               first = (EARLIEST(i) < first -> EARLIEST(i) : first)
           }
           for (i : 0 .. NM - 1) {
               covered = (deadline[i] < covered -> deadline[i] : covered)
           }
           assert(npidle == 0 || covered <= first);
           assert(npidle == 0 || globq == 0);
           assert(nmspinning == 0);
           first = NEVER;
           covered = NEVER;
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
        for (i : 1 .. NM - 1) {
            midle[i] = true;
            state[i] = ASLEEP;
            run M(i, NONE)
        }
        run M(0, 0);
        run foreign();
        run clock();
        run bus();
        run monitor()
    }
}
