/* poll.pml - waiting for a descriptor.
 *
 * Models src/net/file.c: one direction of one file.
 *   read:     load seq; unless a short read at this seq said that there is nothing (dry), try; if there
 *             is nothing, sleep unless seq has changed, which is looked at under the file's lock. Who
 *             slept and is done, or gives up, wakes the next one (pass on).
 *   event:    the kernel has noted that something happened (an edge); somebody polls, which takes the
 *             edge and tells whether the other side has closed; then, under the lock, seq is changed
 *             and one sleeper woken.
 *   give up:  with a context, while asleep: the sleeper belongs to who takes it first, the event or
 *             the context.
 *   close:    our own end: marked as closed, and then, under the lock, seq is changed and all sleepers
 *             are woken. A reader looks at the mark before it tries, and again under the lock before it
 *             sleeps. A deadline is the same with another mark, which is set under the lock.
 *
 * Abstracted: what is there to be read is a number of things; a read takes one (a long read) or all of
 * them (a short one). The other side sends ITEMS of them and closes. A sleeper is in the queue or not;
 * which of them is taken is left open.
 *
 * Checked: in the end, when nothing moves any more, everybody has read the end, has given up, or has
 * found it closed.
 *
 * Sizes: NR readers, ITEMS, QUITS: how many may give up; CLOSES=1: we close it, at any time, and the
 * other side never does.
 *
 * Mutations that must fail
 *   -DNO_CHECK       goes to sleep without looking at seq again
 *   -DLOAD_LATE      seq is loaded after the try
 *   -DNO_PASS_ON     who slept and is done wakes nobody
 *   -DQUIT_SILENT    who gives up after it was taken wakes nobody
 *   -DTAKE_EDGE_LATE the edge is taken after the sleeper was woken
 *   -DIGNORE_END     a short read counts as dry though the other side has closed
 * and with -DCLOSES=1
 *   -DCLOSE_SILENT   a close wakes nobody
 *   -DMARK_LATE      it is marked after the sleepers were woken
 *   -DCLOSE_UNSEEN   neither the mark is looked at under the lock nor seq changed by a close
 */

#ifndef NR
#define NR 2
#endif
#ifndef ITEMS
#define ITEMS 2
#endif
#ifndef QUITS
#define QUITS 1
#endif
#ifndef CLOSES
#define CLOSES 0
#endif
#define NONE 255

byte there;        /* things to be read */
bool closed;       /* by the other side */
bool marked;       /* closed by us */
bool edge;
byte seq;
byte dry = NONE;
bool ended;        /* what the poller has seen of closed */
bool asleep[NR];   /* in the queue */
bool taken[NR];    /* woken */
byte quits = QUITS;
byte left = NR;    /* readers that are not done */

proctype other_side()
{
    byte todo = ITEMS;

    do
    :: todo > 0 -> atomic { todo--; there++; edge = true }
    :: todo == 0 -> break
    od;
#if CLOSES == 0
    atomic { closed = true; edge = true }
#endif
}

/* Within an atomic: that is, under the lock. */
inline wake_one()
{
    seq = (seq + 1) % 16;
    if
    :: asleep[0] -> asleep[0] = false; taken[0] = true
    :: asleep[NR - 1] -> asleep[NR - 1] = false; taken[NR - 1] = true
#if NR > 2
    :: asleep[1] -> asleep[1] = false; taken[1] = true
#endif
    :: !asleep[0] && !asleep[1] && !asleep[NR - 1] -> skip
    fi
}

/* The same. (One would do, as who is woken wakes the next; but not all need to try in turn.) */
inline wake_all()
{
#ifndef CLOSE_UNSEEN
    seq = (seq + 1) % 16;
#endif
    for (i : 0 .. NR - 1) {
        taken[i] = taken[i] || asleep[i];
        asleep[i] = false
    }
}

proctype closer()
{
    byte i;

#ifdef MARK_LATE
    atomic { wake_all() }
    marked = true
#else
    marked = true;
#ifndef CLOSE_SILENT
    atomic { wake_all() }
#endif
#endif
}

proctype poller()
{
    bool saw_end;

    do
    :: atomic {
           edge ->
           saw_end = closed;
#ifndef TAKE_EDGE_LATE
           edge = false
#endif
       }
       atomic {
           ended = ended || saw_end;
           wake_one()
       }
#ifdef TAKE_EDGE_LATE
       edge = false
#endif
    :: left == 0 -> break
    od
}

#define SOMEBODY_SLEEPS (asleep[0] || asleep[1] || asleep[NR - 1])

proctype reader(byte me)
{
    byte s;
    bool slept, over, nothing;

again:
    s = seq;
    nothing = false;
    if
    :: marked -> over = true; goto done
    :: else
    fi;
#ifdef IGNORE_END
    if
    :: dry == s -> nothing = true
#else
    if
    :: dry == s && !ended -> nothing = true
#endif
    :: else ->
       atomic {
           if
           :: there > 0 -> there--; /* a long read */
           :: there > 0 -> there = 0; dry = s /* a short one */
           :: there == 0 && closed -> over = true
           :: there == 0 && !closed -> nothing = true
           fi
       }
    fi;
    if
    :: nothing -> goto wait
    :: else
    fi;
    goto done;

wait:
#ifdef LOAD_LATE
    s = seq;
#endif
    slept = true;
    atomic {
#ifndef NO_CHECK
        if
#ifndef CLOSE_UNSEEN
        :: seq != s || marked -> goto again
#else
        :: seq != s -> goto again
#endif
        :: else
        fi;
#endif
        asleep[me] = true
    }
    if
    :: taken[me] -> taken[me] = false; goto woken
    :: atomic { asleep[me] && quits > 0 -> quits--; asleep[me] = false; over = true; goto gives_up }
    fi;
woken:
    if
    :: goto again
    :: atomic { quits > 0 -> quits--; over = true } /* the context was done at the same time */
#ifdef QUIT_SILENT
       goto gone
#endif
    fi;

gives_up:
done:
#ifndef NO_PASS_ON
    atomic {
        if
        :: slept && SOMEBODY_SLEEPS -> wake_one()
        :: else
        fi
    }
#endif
    slept = false;
    if
    :: !over -> goto again
    :: else
    fi;
gone:
    left--
}

init
{
    byte i;

    atomic {
        run other_side();
        run poller();
#if CLOSES
        run closer();
#endif
        for (i : 0 .. NR - 1) {
            run reader(i)
        }
    }
}
