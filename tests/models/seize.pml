/* seize.pml - a P is taken from a thread that is in user code.
 *
 * Models src/runtime/seize.c and ant__enter.
 *   enter:    user = INSIDE (a plain store); read claim; if it is 0 the P is ours. Else the slow way:
 *             remove YIELD, BLOCKING and TAKEN in one atomic step; TAKEN was among them: the P is
 *             gone, wait for another.
 *   leave:    user = OUTSIDE (a plain store).
 *   section:  add BLOCKING in one atomic step; later remove it in another one, and if anything else
 *             was there, enter and leave.
 *   sysmon:   ask: add YIELD. A hog that was asked: a barrier for all threads; read user; if OUTSIDE,
 *             add TAKEN in one atomic step if YIELD is still there. A section: add TAKEN in one
 *             atomic step if BLOCKING is there. What was taken, another M uses and puts by.
 * sysmon asks and takes under sched.lock, and only from the M that has the P by what the P says.
 *
 * Memory: the stores of user wait in a store buffer of one entry until it drains by itself, by an
 * atomic step of that thread, or by sysmon's barrier.
 *
 * Checked: nobody uses the P while another does; who has lost it finds out; in the end the P is
 * there, and no claim is left but a request.
 *
 * Where there is no membarrier (FENCE=1), every entry goes the slow way, and begins it with a fence of
 * its own: sysmon's reaches no other thread.
 *
 * Sizes: TURNS of the thread, LOOKS of sysmon.
 *
 * Mutations that must fail
 *   -DNO_BARRIER     sysmon reads user without a barrier
 *   -DNO_LOOK        sysmon does not read user
 *   -DNO_TIE         TAKEN is added though YIELD was removed
 *   -DTWO_STEPS      the thread reads the claims and removes them in two steps
 *   -DIGNORE_SECTION entering does not look at BLOCKING
 *   -DKEEP_TAKEN     TAKEN is not removed when met
 *   -DFENCE_LATE     FENCE=1, and an entry reads the claims before its fence
 */

#ifndef TURNS
#define TURNS 3
#endif
#ifndef LOOKS
#define LOOKS 4
#endif

#ifdef FENCE_LATE
#define FENCE 1
#endif

#define INSIDE 0
#define OUTSIDE 1
#define EMPTY 2

byte user = OUTSIDE;
byte buffer = EMPTY; /* the store of user that waits */
bool yield, blocking, taken; /* the claims */
bool has = true;     /* what the P says: it is the thread's */
bool idle;           /* the P lies on the idle list */
byte users;          /* who touch the P */
bool done;

inline drain()
{
    if
    :: buffer != EMPTY -> user = buffer; buffer = EMPTY
    :: else
    fi
}

proctype bus()
{
    do
    :: atomic { buffer != EMPTY -> drain() }
    :: done && buffer == EMPTY -> break
    od
}

inline use()
{
    users++;
    assert(users == 1);
    users--
}

inline enter()
{
    atomic { drain(); buffer = INSIDE }
#if defined(FENCE) && !defined(FENCE_LATE)
    atomic { drain() }
#endif
    if
#ifdef IGNORE_SECTION
    :: !(yield || taken) -> skip
#else
    :: !(yield || blocking || taken) -> skip
#endif
    :: else ->
#ifdef TWO_STEPS
       lost = taken;
       atomic { drain(); yield = false; blocking = false; taken = false }
#else
       atomic {
           drain();
           lost = taken;
           yield = false;
           blocking = false;
#ifndef KEEP_TAKEN
           taken = false
#endif
       }
#endif
       if
       :: atomic { lost && idle -> idle = false; has = true; lost = false }
       :: !lost
       fi
    fi
}

inline leave()
{
    atomic { drain(); buffer = OUTSIDE }
}

proctype thread()
{
    byte turns = TURNS;
    bool lost, other;

    do
    :: turns > 0 ->
       turns--;
       enter();
       use();
       leave()
    :: turns > 0 ->
       turns--;
       atomic { drain(); blocking = true }
       if
       :: skip /* the call comes back */
       :: true -> /* a call into the runtime within the section */
          enter();
          use();
          leave()
       fi;
       atomic { drain(); other = yield || taken || !blocking; blocking = false }
       if
       :: other -> enter(); use(); leave()
       :: else
       fi
    :: turns == 0 -> break
    od;
    enter();
    use();
    assert(has && !taken && !blocking);
    leave();
    done = true
}

inline put_by()
{
    use();
    idle = true
}

proctype sysmon()
{
    byte looks = LOOKS;
    byte seen;

    do
    :: looks > 0 && has ->
       looks--;
       if
       :: yield = true
       :: yield ->
#if !defined(NO_BARRIER) && !defined(FENCE)
          atomic { drain() }
#endif
          seen = user;
#ifdef NO_LOOK
          seen = OUTSIDE;
#endif
          if
          :: seen == OUTSIDE ->
             if
#ifdef NO_TIE
             :: atomic { has -> taken = true; has = false }
#else
             :: atomic { yield && !taken && has -> taken = true; has = false }
#endif
                put_by()
             :: else
             fi
          :: else
          fi
       :: atomic { blocking && !taken && has -> taken = true; has = false }
          put_by()
       :: skip
       fi
    :: looks == 0 || done -> break
    od
}

init
{
    atomic {
        run bus();
        run thread();
        run sysmon()
    }
}
