/* nap.pml - napping, and sleeping in the poller, without losing a wake-up.
 *
 * Models ant__m_nap, ant__rouse, ant__m_post and ant__m_sleep of src/runtime/idle.c, the looks at the
 * napper in sched.c, and ant__poll_sleep and ant__poll_break of netpoll.c.
 *   nap:      CAS napper none -> me; raise nap_until; FENCE; look at timers, rings and the global queue;
 *             if there is nothing wait, on the note or in the poller; CAS napper me -> none; if that
 *             fails somebody has taken us and is about to post the note: wait for that, then clear it.
 *   rouse:    exchange napper with none; whoever gets an M posts its note.
 *   publish:  to the ring (ant__ready that pushes out a runnext, or a yield) or to the global queue;
 *             FENCE; if there is a napper rouse it; else, with an idle P and nobody spinning, wake an
 *             idle M.
 *   arm:      store the timer; FENCE; if it is before nap_until rouse the napper.
 *   post:     store the note; look at the sleeper of the poller; is it the one: exchange `breaking`
 *             with true, and if it was false write the eventfd.
 *   poller:   CAS sleeper none -> me; look at the note; if it is not posted wait for events; if the
 *             eventfd is among them read it and then clear `breaking`; sleeper = none; look at the note.
 * A napper counts as spinning, so nobody wakes another M while there is one: all rests on the rouse. An
 * idle M sleeps in the poller if no napper is there, else on its note, as in ant__m_sleep; so napper
 * and idle M meet in the poller.
 *
 * Abstracted: a nap has no end but for an event, so that a lost rouse shows. Work is only counted; the
 * busy P has a ring, and a runnext that nobody steals, as it will run it itself. Timers are due as soon
 * as they are armed. Giving up a P, with the last look, and waking an idle M are one step each
 * (parking.pml has their races), and a timer that is armed while all Ms sleep in earnest is the keeper's
 * (timekeeper.pml). EVENTS are events of descriptors, or time-outs: who waits in the poller comes back
 * without a post.
 *
 * Memory: the busy P's stores of ring and timer, and the napper's of nap_until, wait in store buffers
 * until they drain by themselves or by a fence or read-modify-write of their writer. If a fence is the
 * next thing that the writer does, store and fence are one step. The other words are written by
 * sequentially consistent operations only.
 *
 * C is looser in one place, by which somebody may be late by one nap, a millisecond at most, and nobody
 * lost. It is a mutation here, SECOND_LATE: on x86 the fence of ant__ready is the exchange of runnext,
 * before the ring's store: a fence more would cost each of a row of ant_go.
 *
 * Checked: a note is posted only once between two waits, and never left over for the next one; the
 * eventfd is empty or `breaking` set. When nothing can move any more: nobody naps over work or timers
 * or is asleep with a posted note; if work is queued, no M is idle while none spins.
 *
 * Sizes: NM, ACTS of the busy P, FOREIGN pieces of work, EVENTS.
 *
 * Mutations that must fail
 *   -DNO_FENCE_PUBLISH   no fence between publishing and the look at napper
 *   -DNO_FENCE_ARM       no fence between the timer and the look at nap_until
 *   -DNO_FENCE_NAP       no fence between nap_until and the last look
 *   -DNO_LOOK            the napper does not look once more
 *   -DNO_LOOK_TIMERS     it looks at the queues only
 *   -DNO_ROUSE           who publishes to the ring trusts in the napper, as it spins
 *   -DSECOND_LATE        see above
 *   -DUNTIL_LATE         nap_until is stored, over that of the next napper, by one roused before that
 *   -DREAD_NAPPER        rouse reads napper and clears it in two steps
 *   -DNO_WAIT            a napper that was taken does not wait for the post
 *   -DCLEAR_EARLY        it clears its note before it knows whether it was taken
 *   -DBREAK_FIRST        post looks at the sleeper before it stores the note
 *   -DSLEEP_BLIND        the sleeper does not look at its note before it waits
 *   -DLEAVE_FIRST        sleeper = none before the eventfd is read
 *   -DUNBREAK_FIRST      `breaking` is cleared before the eventfd is read
 *   -DQUICK_READS        whoever polls in passing reads the eventfd too
 *   -DNO_CASCADE         a spinner that found work wakes nobody
 */

#ifndef NM
#define NM 2
#endif
#ifndef ACTS
#define ACTS 2
#endif
#ifndef FOREIGN
#define FOREIGN 0
#endif
#ifndef EVENTS
#define EVENTS 0
#endif
#define NOBODY NM

byte napper = NOBODY;
bool until_holds;     /* nap_until is the end of its nap, not something earlier */
bool until_store[NM]; /* the store is in the buffer */

byte ring, ring_store; /* the busy P's; in the store buffer */
bool timer, timer_store;
bool next; /* runnext */
byte globq;
byte spinning;

byte sleeper = NOBODY;
bool eventfd, breaking;
byte events = EVENTS;

bool note[NM];
bool idle[NM]; /* on the idle list, and has put its P by */
byte idle_ps;
byte waits[NM]; /* how it waits */
bool lost[NM];  /* in user code for ever */

#define NOWHERE 0
#define NAPPING 1
#define SLEEPING 2

#define QUEUED (ring > 0 || globq > 0)

/* ---- memory ---- */

inline fence_busy()
{
    ring = ring + ring_store;
    ring_store = 0;
    timer = timer || timer_store;
    timer_store = false
}

inline drain_until(m)
{
    if
    :: until_store[m] ->
       until_store[m] = false;
#ifdef UNTIL_LATE
       until_holds = (napper == m)
#else
       until_holds = until_holds || napper == m
#endif
    :: else
    fi
}

proctype bus()
{
    byte i;

    do
    :: atomic { ring_store > 0 -> ring_store--; ring++ }
    :: atomic { timer_store -> timer_store = false; timer = true }
    :: atomic { until_store[0] -> drain_until(0) }
#if NM > 1
    :: atomic { until_store[1] -> drain_until(1) }
#endif
#if NM > 2
    :: atomic { until_store[2] -> drain_until(2) }
#endif
    od
}

/* ---- waking ---- */

inline post(m)
{
#ifdef BREAK_FIRST
    is_sleeper = (sleeper == m);
    atomic { assert(!note[m]); note[m] = true }
#else
    atomic { assert(!note[m]); note[m] = true }
    is_sleeper = (sleeper == m);
#endif
    if
    :: is_sleeper ->
       atomic { was = breaking; breaking = true; is_sleeper = false }
       if
       :: !was -> eventfd = true
       :: else -> was = false
       fi
    :: else
    fi
}

/* Uses taken, is_sleeper, was. */
inline rouse()
{
#ifdef READ_NAPPER
    taken = napper;
    atomic { napper = NOBODY; until_holds = false }
#else
    atomic { taken = napper; napper = NOBODY; until_holds = false }
#endif
    if
    :: taken != NOBODY -> post(taken)
    :: else
    fi;
    taken = NOBODY
}

#define WAKE_UP_IS_DUE (idle_ps > 0 && spinning == 0)

inline wake_spinner()
{
    atomic {
        if
        :: WAKE_UP_IS_DUE ->
           spinning = 1;
           taken = 0;
           do
           :: !idle[taken] -> taken++
           :: else -> break
           od;
           idle[taken] = false;
           idle_ps--
        :: else -> taken = NOBODY
        fi
    }
    if
    :: taken != NOBODY -> post(taken)
    :: else
    fi;
    taken = NOBODY
}

inline wake_one()
{
    if
    :: napper != NOBODY -> rouse()
    :: else -> wake_spinner()
    fi
}

/* ---- who makes work ---- */

/* After the ring's store, as in ant__ready and requeued. */
inline published()
{
    if
    :: WAKE_UP_IS_DUE -> wake_spinner()
    :: else ->
#ifndef NO_ROUSE
       if
       :: napper != NOBODY -> rouse()
       :: else
       fi
#endif
    fi
}

proctype busy()
{
    byte acts = ACTS, taken = NOBODY;
    bool is_sleeper, was;

    do
    :: atomic { acts > 0 && !next -> next = true; fence_busy() }
       if
       :: WAKE_UP_IS_DUE -> wake_spinner() /* for what is next too, but it need not take it */
       :: else
       fi
    :: atomic { next -> next = false } /* runs it */
    :: acts > 0 ->
       acts--;
       if
       :: atomic {
              next -> /* a second one */
              fence_busy();
              ring_store++;
#if !defined(SECOND_LATE) && !defined(NO_FENCE_PUBLISH)
              fence_busy()
#endif
          }
          published()
       :: atomic {
              next -> /* the running one yields to what is next */
              next = false;
              ring_store++;
#ifndef NO_FENCE_PUBLISH
              fence_busy()
#endif
          }
          published()
       :: atomic {
              timer_store = true;
#ifndef NO_FENCE_ARM
              fence_busy()
#endif
          }
          if
          :: until_holds -> rouse()
          :: else
          fi
       fi
    :: acts == 0 && !next -> break
    od
}

proctype foreign()
{
    byte todo = FOREIGN, taken = NOBODY;
    bool is_sleeper, was;

    do
    :: atomic { todo > 0 -> todo--; globq++ }
       wake_one()
    :: todo == 0 -> break
    od
}

#ifdef QUICK_READS
proctype quick()
{
    atomic { eventfd -> eventfd = false; breaking = false }
}
#endif

/* ---- who looks for work ---- */

/* ant__poll_sleep in wait_polling. Comes back if the note is posted, or by an event. */
inline wait_polling(m)
{
    do
    :: atomic { sleeper == NOBODY -> sleeper = m }
#ifndef SLEEP_BLIND
       if
       :: note[m]
       :: else ->
#endif
          if
          :: atomic { eventfd -> broken = true }
          :: atomic { events > 0 -> events--; event = true; broken = eventfd }
          fi
#ifndef SLEEP_BLIND
       fi
#endif
       ;
#ifdef LEAVE_FIRST
       sleeper = NOBODY;
#endif
       if
       :: broken ->
#ifdef UNBREAK_FIRST
          breaking = false;
          atomic { eventfd = false; broken = false }
#else
          eventfd = false;
          atomic { breaking = false; broken = false }
#endif
       :: else
       fi;
#ifndef LEAVE_FIRST
       sleeper = NOBODY;
#endif
       if
       :: note[m] || event -> event = false; break
       :: else
       fi
    :: atomic { sleeper != NOBODY && sleeper != m -> skip }
       note[m];
       break
    od
}

proctype M(byte me)
{
    byte taken = NOBODY;
    bool is_sleeper, was, broken, event, spins;

search:
    atomic {
        if
        :: globq > 0 -> globq--; goto found
        :: ring > 0 -> ring--; goto found
        :: timer -> timer = false; goto found
        :: else
        fi;
        if
        :: !spins && 2 * spinning < NM + 1 - idle_ps -> spinning++; spins = true
        :: else
        fi
    }
    if
    :: atomic { spins && napper == NOBODY -> napper = me; assert(!note[me]) }
    :: true -> goto retire
    fi;
    atomic {
        until_store[me] = true;
#ifndef NO_FENCE_NAP
        drain_until(me)
#endif
    }
#ifndef NO_LOOK
#ifndef NO_LOOK_TIMERS
    if
    :: timer -> goto rise
    :: else
    fi;
#endif
    if
    :: globq > 0 -> goto rise
    :: else
    fi;
    if
    :: ring > 0 -> goto rise
    :: else
    fi;
#endif
    if
    :: waits[me] = NAPPING; note[me]
    :: waits[me] = NAPPING; wait_polling(me)
    fi;

rise:
#ifdef CLEAR_EARLY
    note[me] = false;
#endif
    atomic {
        drain_until(me);
        waits[me] = NOWHERE;
        if
        :: napper == me -> napper = NOBODY; until_holds = false; goto search
        :: else -> waits[me] = NAPPING
        fi
    }
#ifndef NO_WAIT
    note[me];
#endif
    atomic { waits[me] = NOWHERE; note[me] = false; goto search }

retire:
    atomic {
        if
        :: QUEUED || next || timer -> goto search /* the last look */
        :: else
        fi;
        if
        :: spins -> spinning--; spins = false
        :: else
        fi;
        assert(!note[me]);
        idle[me] = true;
        idle_ps++;
        waits[me] = SLEEPING
    }
    if
    :: napper != NOBODY -> note[me]
    :: else -> wait_polling(me)
    fi;
    atomic {
        if
        :: idle[me] -> /* get_up */
           waits[me] = NOWHERE;
           idle[me] = false;
           idle_ps--;
           spinning++;
           spins = true;
           goto search
        :: else
        fi
    }
    note[me];
    atomic { waits[me] = NOWHERE; note[me] = false; spins = true; goto search }

found:
    if
    :: atomic { spins -> spinning--; spins = false }
#ifndef NO_CASCADE
       wake_one()
#endif
    :: else
    fi;
    if
    :: goto search
    :: lost[me] = true
    fi
}

/* ---- start and end ---- */

proctype monitor()
{
    byte i;

    do
    :: timeout ->
       d_step {
           for (i : 0 .. NM - 1) {
               assert(lost[i] || !note[i]);
               assert(waits[i] != NAPPING || napper == i);
               assert(waits[i] != NAPPING || !(QUEUED || timer));
               assert(!idle[i] || !QUEUED || spinning > 0)
           }
           assert(!eventfd || breaking);
           i = 0
       }
    od
}

init
{
    byte i;

    atomic {
        for (i : 0 .. NM - 1) {
            run M(i)
        }
        run busy();
        run foreign();
#ifdef QUICK_READS
        run quick();
#endif
        run bus();
        run monitor()
    }
}
