/* line.pml - the line of a pool: nobody sleeps beside an idle worker, or below the limit.
 *
 * Models src/pool/line.c, team.c and life.c: one team with two shards, each with its lock, and the
 * pool with another one. A worker is idle in a shard, or busy; `running` counts both.
 *   submit:  while `waiting` is 0 takes an idle worker of its own shard. If there is none but the
 *            other shard has some, moves half of them over, only while `waiting` is 0, and takes one.
 *            Otherwise makes one, if the limit allows it. Failing that, or at once if others wait: takes
 *            the pool's lock, raises `waiting`, looks at each shard, then at the limit, and sleeps in
 *            the line if there is nothing. It looks also if others are in the line, since a tune may
 *            have made more rooms than those are.
 *   finish:  takes the lock of a shard and reads `waiting`. If it is 0 the worker lies down, or vanishes
 *            if there are too many, or because it has seen that the pool is closed just before it was
 *            opened again. Otherwise it takes the pool's lock and serves the first in the line.
 *   panic:   a worker is lost under the pool's lock, replaced up to the least number, the line served.
 *   reboot:  adds idle workers to shard 0 up to the least number, with the pool's lock, and serves the
 *            line.
 *   tune:    lowers the limit and drops idle workers beyond it, then raises it again, as a reboot does.
 *
 * Three submitters. A task ends when it likes as long as ENDS is not used up. The others end only when
 * nothing else can happen: so whoever sleeps is not saved by chance.
 *
 * Abstracted: nobody gives up. Each critical section of a shard is two steps, what it reads and what it does. A
 * submitter may go to the line at once, as one of a multi pool does whose choice was a full team.
 * Serving starts a worker without a task, which looks in the line as if it had finished one.
 *
 * Checked: when nothing can happen any more, nobody sleeps unless all workers are busy and there are as
 * many as there may be. In the end all were served.
 *
 * Sizes: ENDS, CAP (the limit), LEAST, IDLE (in shard 1 at the beginning), BUSY (then), VANISH and
 * PANICS (how many workers may), TUNES (0 or 1), STEP (rooms that it takes away and makes again).
 *
 * Mutations that must fail
 *   -DMOVE_PAST_WAITING  idle workers move to another shard although somebody waits
 *   -DWARM_UP_BLIND      the reboot adds idle workers without the pool's lock, and does not serve
 *                        (either of the two alone does no harm)
 *   -DFINISH_BLIND       a worker that has finished does not look at `waiting`
 *   -DRAISE_LATE         `waiting` is raised after the shards were looked at
 *   -DTUNE_SILENT        nobody serves the line after the limit was raised
 *   -DLINE_MEANS_FULL    whoever finds somebody in the line does not look at the limit
 *   -DPANIC_SILENT       nobody serves the line after a worker was lost
 */

#ifndef ENDS
#define ENDS 1
#endif
#ifndef CAP
#define CAP 3
#endif
#ifndef IDLE
#define IDLE 3
#endif
#ifndef BUSY
#define BUSY 0
#endif
#ifndef LEAST
#define LEAST CAP
#endif
#ifndef VANISH
#define VANISH 0
#endif
#ifndef PANICS
#define PANICS 0
#endif
#ifndef TUNES
#define TUNES 0
#endif
#ifndef STEP
#define STEP 1 /* so many rooms a tune adds */
#endif

#define SUBMITTERS 3

bool pool_lock;
bool lock[2];
byte idle[2];
byte running = IDLE + BUSY;
byte capacity = CAP;
byte waiting;

byte line[SUBMITTERS]; /* who sleeps in it */
byte line_n;
bool awake[SUBMITTERS];

byte busy = BUSY;  /* workers with a task */
byte looking;      /* workers started to look in the line */
byte ends = ENDS;  /* tasks that may end before nothing else can happen */
bool all_may_end;
byte served;
byte vanish = VANISH, panics = PANICS; /* so many workers may */

#define ROOM (running < capacity)

/* The lock of the shard is held. */
inline lie_down(goes)
{
    d_step {
        if
        :: goes -> running--
        :: else -> idle[own]++
        fi;
        lock[own] = false
    }
}

inline take_lock(l)
{
    atomic { !l -> l = true }
}

/* The first in the line gets the worker that asks; got: whether there was one. */
inline take_first()
{
    d_step {
        got = (line_n > 0);
        if
        :: got ->
           awake[line[0]] = true;
           line[0] = line[1];
           line[1] = line[2];
           line[2] = 0;
           line_n--;
           waiting--;
           busy++;
           served++
        :: else
        fi
    }
}

/* Looks at both shards, then at the limit, with the pool's lock. got: a worker. */
inline take_sure(own)
{
    got = false;
    k = 0;
    do
    :: k < 2 && !got ->
       take_lock(lock[k]);
       d_step {
           if
           :: idle[k] > 0 -> idle[k]--; got = true
           :: else
           fi;
           lock[k] = false;
           k++
       }
    :: else -> break
    od;
    k = 0;
    if
    :: !got ->
       take_lock(lock[own]);
       d_step {
           if
           :: ROOM -> running++; got = true
           :: else
           fi;
           lock[own] = false
       }
    :: else
    fi
}

/* With the pool's lock. */
inline serve()
{
    n = line_n;
    do
    :: n > 0 ->
       take_sure(0);
       if
       :: got -> looking++; n--
       :: else -> n = 0
       fi
    :: else -> break
    od
}

/* Idle workers up to the least number, and not beyond the limit. */
inline warm_up()
{
    do
    :: running < LEAST && ROOM ->
       take_lock(lock[0]);
       d_step {
           if
           :: ROOM -> running++; idle[0]++
           :: else
           fi;
           lock[0] = false
       }
    :: else -> break
    od
}

proctype submitter(byte i; byte own)
{
    bool got, moves;
    byte k, seen;

    if
    :: waiting == 0 -> skip
    :: true -> goto stand_in_line
    fi;
    take_lock(lock[own]);
    d_step {
        seen = idle[1 - own];
        if
        :: idle[own] > 0 -> idle[own]--; got = true
        :: idle[own] == 0 && seen == 0 && ROOM -> running++; got = true
        :: else
        fi;
        lock[own] = false
    }
    if
    :: !got && seen > 0 ->
       take_lock(lock[0]);
       take_lock(lock[1]);
       moves = (waiting == 0);
#ifdef MOVE_PAST_WAITING
       moves = true;
#endif
       d_step {
           if
           :: moves && idle[own] == 0 ->
              seen = (idle[1 - own] + 1) / 2;
              idle[own] = seen;
              idle[1 - own] = idle[1 - own] - seen
           :: else
           fi;
           if
           :: idle[own] > 0 -> idle[own]--; got = true
           :: idle[own] == 0 && idle[1 - own] > 0 -> idle[1 - own]--; got = true
           :: else
           fi;
           lock[0] = false;
           lock[1] = false
       }
       if
       :: !got ->
          take_lock(lock[own]);
          d_step {
              if
              :: idle[own] > 0 -> idle[own]--; got = true
              :: idle[own] == 0 && ROOM -> running++; got = true
              :: else
              fi;
              lock[own] = false
          }
       :: else
       fi
    :: else
    fi;
    if
    :: got -> d_step { busy++; served++ }; goto done
    :: else
    fi;

stand_in_line:
    take_lock(pool_lock);
#ifndef RAISE_LATE
    waiting++;
#endif
#ifdef LINE_MEANS_FULL
    if
    :: line_n == 0 -> take_sure(own)
    :: else
    fi;
#else
    take_sure(own);
#endif
#ifdef RAISE_LATE
    waiting++;
#endif
    if
    :: got -> d_step { waiting--; busy++; served++; pool_lock = false }
    :: else ->
       d_step { line[line_n] = i; line_n++; pool_lock = false };
end_asleep:
       awake[i]
    fi;
done:
    skip
}

/* Goroutines that work, at one shard. */
proctype worker(byte own)
{
    bool got, minded, vanishes;
    byte k, n;

end_idle:
    do
    :: atomic { looking > 0 -> looking--; vanishes = false }
       goto finish
    :: atomic {
           busy > 0 && (ends > 0 || all_may_end) ->
           busy--;
           if
           :: !all_may_end -> ends--
           :: else
           fi
       };
       if
       :: atomic { vanish > 0 -> vanish--; vanishes = true }
       :: atomic { panics > 0 -> panics--; goto panic }
       :: vanishes = false
       fi;
       goto finish
    :: atomic { ends > 0 -> ends = 0 };
       goto end_idle;
finish:
       atomic { !lock[own] -> lock[own] = true; minded = (waiting > 0) };
#ifdef FINISH_BLIND
       minded = false;
#endif
       if
       :: !minded ->
          lie_down(vanishes || running > capacity);
          vanishes = false
       :: else ->
          lock[own] = false;
          take_lock(pool_lock);
          got = false;
          if
          :: running <= capacity -> take_first()
          :: else
          fi;
          if
          :: !got ->
             take_lock(lock[own]);
             lie_down(running > capacity)
          :: else
          fi;
          got = false;
          minded = false;
          vanishes = false;
          pool_lock = false
       fi;
       goto end_idle
    od;

panic:
    take_lock(pool_lock);
    take_lock(lock[own]);
    d_step { running--; lock[own] = false }
    warm_up();
#ifndef PANIC_SILENT
    serve();
#endif
    got = false;
    pool_lock = false;
    goto end_idle
}

proctype reboot()
{
    bool got;
    byte k, n;

#ifdef WARM_UP_BLIND
    warm_up()
#else
    take_lock(pool_lock);
    warm_up();
    serve();
    pool_lock = false
#endif
}

inline drop_idle()
{
    k = 0;
    do
    :: k < 2 ->
       take_lock(lock[k]);
       d_step {
           do
           :: idle[k] > 0 && running > capacity -> idle[k]--; running--
           :: else -> break
           od;
           lock[k] = false;
           k++
       }
    :: else -> break
    od;
    k = 0
}

proctype tune()
{
    bool got;
    byte k, n;

    take_lock(pool_lock);
    d_step { capacity = CAP - STEP; pool_lock = false };
    drop_idle();
    take_lock(pool_lock);
    d_step { capacity = CAP; pool_lock = false };
#ifndef TUNE_SILENT
    take_lock(pool_lock);
    warm_up();
    serve();
    pool_lock = false
#endif
}

/* When nothing else can happen. */
proctype monitor()
{
    timeout -> assert(line_n == 0 || (idle[0] + idle[1] == 0 && !ROOM));
    all_may_end = true;
    timeout -> assert(served == SUBMITTERS && waiting == 0 && busy == 0)
}

init
{
    atomic {
        idle[1] = IDLE;
        run submitter(0, 0);
        run submitter(1, 1);
        if
        :: run submitter(2, 0)
        :: run submitter(2, 1)
        fi;
        run worker(0);
        run worker(1);
        run reboot();
#if TUNES
        run tune();
#endif
        run monitor()
    }
}
