/* timekeeper.pml - one of the sleeping Ms sleeps only until the next timer.
 *
 * Models src/runtime/timer.c and its use in src/runtime/sched.c.
 *   arm:       if the new timer is the P's earliest, store the P's next-timer word; FENCE; if there
 *              is a timekeeper that sleeps longer, wake it; if there is none, wake() as if work had
 *              come.
 *   idle M:    after its last look, at which a due timer counts as work, it enters the idle list
 *              and tries to become timekeeper. If another one is and sleeps too long, wake that
 *              one; sleep. (The model holds without this wake-up too: whoever armed the timer did
 *              the same.)
 *   keeper:    sleep_until = the earliest of all next-timer words, which may be never; FENCE; read
 *              the words again and start over if one is earlier; sleep until then.
 *   woken:     with a P handed over: resign, search. Without: compute anew. At the deadline: resign
 *              and only then take an idle P; with one search, spinning; without one sleep on,
 *              because whoever releases a P looks at the timers after that.
 * What happens to the timers when a timekeeper has got a P and goes to endless user code? It was
 * counted as spinning, so it called wake(), and the M woken by that or whoever spins finds the
 * office free before it sleeps. A P must therefore never be handed to a timekeeper that is not
 * counted as spinning, unless wake() is called as well.
 *
 * Abstracted: times are 1, 2 and never; the clock may reach the next pending one at any moment. A
 * P's heap is a set of times. Work is a count in the global queue. Of the parking protocol only
 * what matters here is kept: nmspinning, the cascade, the last look; wake() and the last look are
 * one step each (parking.pml has their races). An M in user code arms timers, ends, or never ends
 * and keeps its P. A run is dropped where C would make another thread because all NM are in use.
 *
 * Memory: stores of next-timer words and of sleep_until wait in a store buffer of one entry for
 * each M until it drains by itself, or by a fence, lock or read-modify-write of that M. If a fence
 * is the next thing the M does, store and fence are one step: nobody can tell the difference. For
 * the same reason timekeeper = nobody is stored at once, a lock follows.
 *
 * Checked, whenever nothing but the clock and foreign threads can move: if a timer is pending and a
 * P is idle, some M sleeps with a deadline not after that timer; if work is queued no P is idle;
 * nobody is counted as spinning.
 *
 * Sizes: NM, NF, ARMS.
 *
 * Mutations that must fail
 *   -DNO_FENCE_ARM      no fence between the next-timer word and the look at the timekeeper
 *   -DNO_FENCE_KEEPER   no fence between sleep_until and the second look at the words
 *   -DNO_REREAD         no second look
 *   -DNO_ARM_WAKE       arm without a timekeeper wakes nobody
 *   -DKEEP_OFFICE       a timekeeper with a P does not resign
 *   -DRESIGN_LATE       at the deadline it resigns after looking for an idle P
 *   -DNO_SPIN           at the deadline it searches without being counted as spinning
 *   -DNO_CASCADE        a spinner that found work wakes nobody
 */

#define NP 2
#ifndef NM
#define NM 3
#endif
#ifndef NF
#define NF 0 /* pieces of work from a foreign thread */
#endif
#ifndef ARMS
#define ARMS 2 /* timers armed by user code */
#endif
#define NEVER 3
#define NOBODY NM
#define NONE 255

byte now;
byte next_timer[NP] = NEVER; /* the words */
bool at1[NP];                /* the heaps: a timer at 1, at 2 */
bool at2[NP];
byte sleep_until = NEVER;
byte timekeeper = NOBODY;
byte deadline[NM] = NEVER; /* of an M that sleeps as timekeeper */

byte globq;
byte nmspinning;
byte npidle;
bool pidle[NP];
bool midle[NM];
byte nextp[NM] = NONE;
bool note[NM];
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

byte buf[NM]; /* which variable waits in the buffer */
byte val[NM]; /* for which value */

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
    :: atomic {
           !spinning && 2 * nmspinning < NP - npidle ->
           nmspinning++;
           spinning = true;
           drain(me)
       }
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
    :: state[me] = LOST; false
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
