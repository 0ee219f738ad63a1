/* handle.pml - the life of a place for files, and of the handles to it.
 *
 * Models src/net/file.c: one place, whose word `state` has a serial, a mark "closed", and the number of
 * calls under way, and which changes in one step each time.
 *   ref:    if the serial is the handle's and it is not closed, one call more; else it is stale.
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

/* the word */
byte serial;
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
    atomic { serial = which + 1; closed = true; calls = 0 }
#ifndef FREE_FIRST
    free = true
#endif
}

inline ref(handle, ok)
{
#ifdef TWO_STEPS
    ok = serial == handle && !closed;
    if
    :: ok -> calls++
    :: else
    fi
#else
    atomic {
#ifdef NO_SERIAL
        ok = !closed;
#else
        ok = serial == handle && !closed;
#endif
        if
        :: ok -> calls++
        :: else
        fi
    }
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

proctype user(byte handle)
{
    bool ok, last;

    ref(handle, ok);
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

    ref(handle, ok);
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
