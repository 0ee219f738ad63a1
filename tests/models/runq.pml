/* runq.pml - the run queue of one P.
 *
 * Models src/runtime/runq.c: a ring with free-running head and tail counters and the slot
 * `runnext`. The owner puts (at the tail or into runnext) and gets; two thieves steal half of the
 * ring, or runnext when the ring is empty; a full ring sends half of itself and the new element to
 * the global queue. Thief B also asks whether the queue is empty, as a retiring M does. At first the
 * queue is private: the owner takes by loads and stores, and thieves keep off. At some moment, when the
 * owner is outside of the runtime, it is shared. The owner may also be one whom no pause stops
 * (sysmon, with a P that it has taken), and then takes as if there were thieves.
 *
 * Abstracted
 * - The ring has 4 slots instead of 256 and the counters wrap at 8 instead of 2^32, starting just
 *   before the wrap. Fewer than 8 elements pass through: a thief that sleeps while the counters go
 *   round once is beyond what 32 bits promise, too.
 * - A thief keeps what it stole instead of copying it behind the tail of its own ring, where only
 *   it writes. The global queue is just the fact of having got there.
 * - The queue never looks into an element, so all are alike but one, the marked one. It may be put
 *   at any time, and again once it was taken, as a goroutine that yields is: a thief may meet the
 *   same pointer twice.
 * - Memory is sequentially consistent. The orders that acquire and release buy in C appear as
 *   program order; PUBLISH_EARLY and COMMIT_EARLY break it as their absence would.
 *
 * Checked: the marked element is taken only while it is queued (never twice), and it is not queued
 * any more once the owner has found its queue empty after its last put (never lost); no slot is
 * taken that was never filled; the ring never holds more than its slots; "empty" is answered only
 * if the queue was empty at some moment between question and answer. Order is not checked.
 *
 * Sizes: PUTS, THIEVES.
 *
 * Mutations that must fail
 *   -DPUBLISH_EARLY    tail is stored before the slot (a store of tail that is not a release)
 *   -DCOMMIT_EARLY     a thief advances head before it copies (a CAS of head that is not a release)
 *   -DSTORE_HEAD       a thief stores head instead of comparing and swapping it
 *   -DSTORE_NEXT       the owner takes runnext with a load and a store
 *   -DOVERFLOW_BLIND   a full ring moves head without comparing
 *   -DNO_REREAD        the empty test does not look at tail a second time
 *   -DSHARE_EARLY      the queue is shared while the owner may be inside
 *   -DSTEAL_PRIVATE    thieves do not look whether it is
 *   -DNOT_PAUSED       one whom no pause stops takes by loads and stores
 */

#define RING 4
#define HALF 2
#define WRAP 8 /* a multiple of RING */
#ifndef PUTS
#define PUTS 5 /* < WRAP */
#endif

#ifndef THIEVES
#define THIEVES 2
#endif

#define ADD(counter, n) (((counter) + (n)) % WRAP)
#define SIZE(t, h) (((t) + WRAP - (h)) % WRAP)

#define PLAIN 1
#define MARKED 2

byte head = WRAP - 2;
byte tail = WRAP - 2;
byte slot[RING];
byte runnext; /* 0: none */
bool private = true;
bool inside; /* the owner is, and may be in the middle of something */

/* Ghosts */
bool marked;    /* the marked element is queued */
byte present;   /* elements in ring and runnext */
bool was_empty; /* that was 0 since B asked */

inline leave(x)
{
    assert(x == PLAIN || (x == MARKED && marked));
    assert(present > 0);
    if
    :: x == MARKED -> marked = false
    :: else
    fi;
    present--;
    if
    :: present == 0 -> was_empty = true
    :: else
    fi
}

/* In C a slot keeps what was taken from it. Here it is wiped, so that taking it again is an error
 * whatever it held, and fewer states differ. */
inline clear(counter)
{
    slot[(counter) % RING] = 0
}

/* ---- owner ---- */

inline put_ring(x)
{
    do
    :: h = head;
       if
       :: SIZE(tail, h) < RING -> break
       :: else
       fi;
       b0 = slot[h % RING];
       b1 = slot[ADD(h, 1) % RING];
       atomic {
           if
#ifdef OVERFLOW_BLIND
           :: true ->
#else
           :: head == h ->
#endif
              head = ADD(h, HALF);
              leave(b0);
              leave(b1);
              clear(h);
              clear(h + 1);
              present++; /* x joins them */
              leave(x);
              x = 0;
              break
#ifndef OVERFLOW_BLIND
           :: else /* no longer full */
#endif
           fi
       }
    od;
    if
    :: x == 0
    :: else ->
#ifdef PUBLISH_EARLY
       atomic { tail = ADD(tail, 1); present++ }
       slot[ADD(tail, WRAP - 1) % RING] = x
#else
       slot[tail % RING] = x;
       atomic {
           tail = ADD(tail, 1);
           present++;
           assert(SIZE(tail, head) <= RING)
       }
#endif
    fi;
    atomic { h = 0; b0 = 0; b1 = 0; x = 0 }
}

inline put_next(x)
{
    if
    :: private -> old = runnext
    :: else
    fi;
    atomic {
        if
        :: private
        :: else -> old = runnext
        fi;
        runnext = x;
        x = old;
        old = 0;
        if
        :: x == 0 -> present++
        :: else /* one came, one is in the owner's hand */
        fi
    }
    if
    :: x != 0 -> put_ring(x)
    :: else
    fi
}

inline get()
{
    if
#ifdef STORE_NEXT
    :: atomic { runnext != 0 -> b0 = runnext }
       atomic { runnext = 0; leave(b0); b0 = 0 }
#else
    :: atomic { runnext != 0 && !private -> leave(runnext); runnext = 0 }
    :: atomic { runnext != 0 && private -> b0 = runnext }
       atomic { runnext = 0; leave(b0); b0 = 0 }
#endif
    :: else ->
       do
       :: h = head;
          if
          :: h == tail -> none = true; break
          :: else
          fi;
          b0 = slot[h % RING];
          atomic {
              if
              :: private || head == h -> head = ADD(h, 1); leave(b0); clear(h); break
              :: else
              fi
          }
       od;
       atomic { h = 0; b0 = 0 }
    fi
}

inline take_oldest()
{
    do
    :: h = head;
       if
       :: h == tail -> break
       :: else
       fi;
       b0 = slot[h % RING];
       atomic {
           if
           :: head == h -> head = ADD(h, 1); leave(b0); clear(h); break
           :: else
           fi
       }
    od;
    atomic { h = 0; b0 = 0 }
}

inline get_shared()
{
#ifdef NOT_PAUSED
    get()
#else
    if
    :: atomic { runnext != 0 -> leave(runnext); runnext = 0 }
    :: else -> take_oldest()
    fi
#endif
}

active proctype owner()
{
    byte puts, x, old, h, b0, b1;
    bool none;

    do
    :: puts < PUTS ->
       atomic {
           inside = true;
           puts++;
           if
           :: x = PLAIN
           :: !marked -> x = MARKED; marked = true
           fi
       }
       if
       :: put_ring(x)
       :: put_next(x)
       fi;
       inside = false
    :: inside = true; get(); atomic { none = false; inside = false }
    :: get_shared(); none = false
    :: puts == PUTS -> break
    od;

    /* Only the owner fills the queue: found empty now, it stays so. */
    do
    :: none -> break
    :: else -> inside = true; get(); inside = false
    od;
    _nr_pr == 1; /* the thieves are done */
    assert(!marked && present == 0)
}

/* Who gives the P company. */
active proctype pauser()
{
#ifdef SHARE_EARLY
    private = false
#else
    atomic { !inside -> private = false }
#endif
}

/* ---- thieves ---- */

inline steal()
{
#ifndef STEAL_PRIVATE
    !private;
#endif
    h = head;
    n = SIZE(tail, h) - SIZE(tail, h) / 2;
    if
    :: n == 0 ->
       h = 0;
       b0 = runnext;
       atomic {
           if
           :: b0 != 0 && runnext == b0 -> runnext = 0; leave(b0)
           :: else
           fi;
           b0 = 0
       }
    :: n > HALF -> d_step { h = 0; n = 0 } /* tail moved on after head was read: not a size */
    :: else ->
#ifdef COMMIT_EARLY
       atomic {
           if
           :: head == h -> head = ADD(h, n)
           :: else -> n = 0
           fi
       }
       if
       :: n > 0 -> b0 = slot[h % RING]; leave(b0)
       :: else
       fi;
       if
       :: n > 1 -> b1 = slot[ADD(h, 1) % RING]; leave(b1)
       :: else
       fi;
#else
       b0 = slot[h % RING];
       if
       :: n == 2 -> b1 = slot[ADD(h, 1) % RING]
       :: else
       fi;
       atomic {
           if
#ifdef STORE_HEAD
           :: true ->
#else
           :: head == h ->
#endif
              head = ADD(h, n);
              leave(b0);
              clear(h);
              if
              :: n == 2 -> leave(b1); clear(h + 1)
              :: else
              fi
#ifndef STORE_HEAD
           :: else
#endif
           fi;
           h = 0; n = 0; b0 = 0; b1 = 0
       }
#endif
    fi
}

#if THIEVES > 1
active proctype thief_a()
{
    byte h, n, b0, b1;

    do
    :: steal()
    :: break
    od
}

#endif

active proctype thief_b()
{
    byte h, n, b0, b1;

    do
    :: steal()
    :: break
    :: /* The empty test: runnext may move into the ring between the looks at both. */
       atomic { was_empty = (present == 0); h = head }
       n = tail;
       b0 = runnext;
       atomic {
#ifdef NO_REREAD
           assert(!(h == n && b0 == 0) || was_empty);
#else
           assert(!(h == n && b0 == 0 && n == tail) || was_empty);
#endif
           h = 0; n = 0; b0 = 0; was_empty = false
       }
    od
}
