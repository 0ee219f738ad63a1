/* handle.pml - the life of a place for files, and of the handles to it.
 *
 * Models src/net/file.c: one place, with a serial, and a word `state` that has a mark "closed" and the
 * number of calls under way, and changes in one step each time.
 *   ref:    if it is not closed, one call more; then, if the serial is not the handle's, it is stale, and
 *           leaves as by unref.
 *   unref:  one call less; who finds it closed and was the last finishes it.
 *   close:  a call as any other, that sets the mark; who finds it set was too late.
 *   finish: closes the descriptor, then steps the serial, then frees the place.
 *   open:   takes a free place, puts the new descriptor there, then clears the mark.
 *
 * Abstracted: a descriptor is known by the number of the file that it was opened for. The system may
 * give the number of a closed descriptor to another one at once: so to use one after it was closed is a
 * fault, whatever happens to it. FILES are opened in this place one after the other; of each there are
 * USERS calls and CLOSERS closes, at any time, also long after it is gone.
 *
 * Checked: a call uses the descriptor of its handle, while that is open; a descriptor is closed once;
 * in the end all are.
 *
 * Mutations that must fail
 *   -DCLOSE_AT_ONCE  who closes closes the descriptor, though calls are under way
 *   -DTWO_STEPS      ref looks at the word, and counts the call in another step
 *   -DSERIAL_FIRST   ref looks at the serial before it counts the call
 *   -DNO_SERIAL      ref does not look at the serial
 *   -DFREE_FIRST     finish frees the place before it steps the serial
 *   -DBOTH_CLOSE     who finds the mark set closes as well
 */

#ifndef FILES
#define FILES 2
#endif
#ifndef USERS
#define USERS 2
#endif
#ifndef CLOSERS
#define CLOSERS 2
#endif
#define NONE 255

byte serial;

/* the word */
bool closed = true;
byte calls;

bool free = true;  /* in the list of free places */
byte fd = NONE;    /* whose descriptor is in the place */
bool open[FILES];
bool was_closed[FILES];
byte left;         /* processes with a handle */

inline close_fd(which)
{
    assert(which != NONE && open[which] && !was_closed[which]);
    atomic { open[which] = false; was_closed[which] = true }
}

inline finish(which)
{
    close_fd(fd);
#ifdef FREE_FIRST
    free = true;
#endif
    serial = which + 1;
    atomic { closed = true; calls = 0 }
#ifndef FREE_FIRST
    free = true
#endif
}

inline unref(handle, last)
{
    atomic { calls--; last = closed && calls == 0 };
    if
    :: last -> finish(handle)
    :: else
    fi
}

inline ref(handle, ok, last)
{
#ifdef SERIAL_FIRST
    ok = serial == handle;
#else
    ok = true;
#endif
#ifdef TWO_STEPS
    ok = ok && !closed;
    if
    :: ok -> calls++
    :: else
    fi;
#else
    atomic {
        ok = ok && !closed;
        if
        :: ok -> calls++
        :: else
        fi
    }
#endif
#if !defined NO_SERIAL && !defined SERIAL_FIRST
    if
    :: ok && serial != handle -> ok = false; unref(serial, last)
    :: else
    fi
#else
    skip
#endif
}

proctype user(byte handle)
{
    bool ok, last;

    ref(handle, ok, last);
    if
    :: ok ->
       assert(fd == handle && open[handle]); /* a system call */
       assert(fd == handle && open[handle]); /* and another one, later */
       unref(handle, last)
    :: else
    fi;
    left--
}

proctype closer(byte handle)
{
    bool ok, last, late;

    ref(handle, ok, last);
    if
    :: ok ->
       atomic { late = closed; closed = true };
#ifdef CLOSE_AT_ONCE
       if
       :: !late -> close_fd(fd)
       :: else
       fi;
       atomic { calls--; last = closed && calls == 0 };
       if
       :: last -> atomic { serial = handle + 1; calls = 0 }; free = true
       :: else
       fi
#else
#ifdef BOTH_CLOSE
       if
       :: late -> close_fd(fd)
       :: else
       fi;
#endif
       unref(handle, last)
#endif
    :: else
    fi;
    left--
}

init
{
    byte file, i;

    for (file : 0 .. FILES - 1) {
        atomic { free -> free = false };
        atomic { fd = file; open[file] = true }
        closed = false;
        left = left + USERS + CLOSERS;
        for (i : 1 .. USERS) {
            run user(file)
        }
        for (i : 1 .. CLOSERS) {
            run closer(file)
        }
    }
    left == 0;
    for (file : 0 .. FILES - 1) {
        assert(!open[file] && was_closed[file])
    }
    assert(free && closed && calls == 0)
}
