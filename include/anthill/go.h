/* go.h - starting the runtime, making goroutines, and what a goroutine can do to itself.
 *
 * A goroutine is a function running on a stack of its own, scheduled by Anthill on a few threads.
 * It runs until it suspends: in ant_yield, ant_sleep, a wait, or at its end. Each time it suspends
 * it may go on in another thread. What follows from this for C code:
 * - errno is kept across suspension. But glibc lets the compiler keep errno's address: a function
 *   that reads errno before and after a suspension may read the former thread's. Read it in a
 *   function of its own that is not inlined.
 * - a `__thread` variable of yours is not kept, since it belongs to the thread. Use ant_local_*, or stay
 *   on one thread with ant_lock_thread, or read and write the variable in functions of their own that
 *   are not inlined. A function that returns its address needs more. The compiler sees that the result
 *   depends on nothing, calls the function once, and goes on with the former thread's address; noinline
 *   and noclone do not prevent that. With gcc give it `__attribute__((noipa))`; with gcc or clang make it
 *   noinline and begin it with `__asm__ volatile("" ::: "memory");`. Keep no address over a suspension.
 * - a signal handler may call ant_now, ant_id, ant_version and ant_err_name, and nothing else of
 *   Anthill: it may have interrupted a call of ours in the same thread. signal.h hands signals over to
 *   goroutines, which may call everything.
 * - do not hold a pthread mutex across a call that suspends.
 * - exceptions of C++ belong to the goroutine in which they are thrown, also if it suspends in a catch
 *   block. (Where C++ comes with a library that is loaded by dlopen into a program of C only, they belong
 *   to the thread: then leave the block first.) One that leaves the goroutine's function ends the process.
 *   None may pass through functions of ours but ant_try: not out of what ant_once_do, ant_group_go or
 *   caller_runs of a pool call. Nor may it leave a scope with an ant_defer; with ANT_DEFER it may.
 * - the default stack is 256 KB of address space, of which only touched pages cost memory.
 *
 * Nobody is kept waiting. A goroutine that does not suspend lets the others run all the same: after
 * 10 ms without, it is asked to, which it does at its next call into the runtime, whichever that is:
 * there it waits for its turn, on the same thread unless the call suspends; and if it makes
 * none, as it computes or sits in a system call, its right to run goes to another thread, and it
 * goes on beside the procs until that call. It is never interrupted, unless it says that it may be
 * (ant_preempt). So even with procs = 1 two goroutines may run at the same time: what they share
 * needs a lock or atomics. A system call or library function that may block for more than some
 * microseconds is best put between ant_blocking_begin and ant_blocking_end.
 */
#ifndef ANTHILL_GO_H
#define ANTHILL_GO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <anthill/time.h>
#include <anthill/version.h>

ANT_BEGIN_DECLS

/* How the runtime is to run. Zero-filled fields, or a NULL pointer in place of the struct, mean
 * the defaults. The environment variable ANTHILL, a list like "procs=4,stack=64k", overrides
 * what is set here; the name to use there stands in quotes. */
typedef struct ant_config {
    int procs;                 /* "procs": goroutines that run at once, 1 to 1024; default: the CPUs
                                  this process may use (affinity and cgroup quota, a part of a CPU
                                  counting as one; of cgroup v1 only the container's) */
    size_t stack_size;         /* "stack": of a goroutine, 2 KB to 1 GB, rounded up to a power of
                                  two; default 256 KB */
    int max_threads;           /* "threads": at most so many threads; default 10000 */
    int max_hogs;              /* "hogs": at most so many goroutines that compute without end run
                                  beside the procs (see below); default 32, or 4 for each of procs
                                  if that is more */
    int preempt_signal;        /* "presignal": the number of the signal that interrupts goroutines
                                  which may be (ant_preempt); default SIGURG, which programs rarely
                                  use and by default ignore. Not one that faults, SIGABRT, SIGQUIT,
                                  SIGSYS, SIGTRAP, nor one that stops processes. A handler that
                                  was there before goes on getting what others send. -1, in
                                  the variable 0: none is used, and no handler installed */
    int schedtrace;            /* "schedtrace": every so many ms a line about the scheduler on
                                  standard error; default 0, never */
    uint64_t seed;             /* "seed": of the scheduler's random choices; default: from the
                                  system */
    ant_duration stop_timeout; /* "stop": ns that stopping waits for goroutines in user code;
                                  default 3 s */
    bool fault_panics;         /* "faults": 0 or 1; SIGSEGV, SIGBUS and SIGFPE in a goroutine, stack
                                  overflow too, become panics that ant_try can catch; not those in the
                                  middle of a call of ours, which end the process with a report */
    bool dump_on_quit;         /* "sigquit": 0 or 1; SIGQUIT prints all goroutines (see ant_dump)
                                  and the program goes on */
    bool no_deadlock_report;   /* "deadlock": 0 or 1, here negated; by default a program run by
                                  ant_run whose goroutines all wait for one another is ended */
} ant_config;

/* Starts the runtime, runs fn(arg) as its main goroutine, stops the runtime and returns what fn
 * returned. When fn returns the other goroutines are abandoned where they are: none is resumed,
 * and ant_run waits only, up to config->stop_timeout, for those that are in user code at that
 * moment to call into the runtime. If one does not, its thread and all stacks stay mapped. Standard
 * error tells which ones it waits for after a second, and which ones it did not wait for.
 *
 * Call it from a thread that Anthill did not make; it blocks. Returns fn's value, which should be
 * >= 0 to be told apart from: -EINVAL (fn is NULL, or a field is out of range), ANT_ECONFIG (the
 * variable ANTHILL is wrong, standard error tells how), ANT_ERUNNING, ANT_EGOROUTINE, -ENOMEM,
 * -EAGAIN (no thread could be made). */
ANT_API int ant_run(int (*fn)(void *), void *arg, const ant_config *config);

/* The same in two halves, for programs whose main thread has other things to do. Between them any
 * thread may call ant_go. Since such threads may always wake a goroutine, no deadlock is reported.
 * ant_start: as ant_run without fn. ant_stop: blocks as said for ant_run; 0, ANT_ENOTRUNNING,
 * ANT_EGOROUTINE when called from a goroutine, -EPERM if it was ant_run that started the runtime,
 * ANT_ETIMEOUT if a goroutine did not come back in time, or a destructor of pthread_key_create in its
 * thread, or if nobody reads the dump that SIGQUIT asked for (the runtime is stopped all the same, and may be started anew), or -EBUSY if a thread has been
 * inside of some call of Anthill for ten seconds, as it was cancelled there, or a debugger holds it: the
 * runtime is not stopped, but runs nothing any more; ant_stop tries again. */
ANT_API int ant_start(const ant_config *config);
ANT_API int ant_stop(void);

/* Runs fn(arg) in a new goroutine. Any thread; never blocks, never suspends the caller. Returns 0;
 * -EINVAL if fn is NULL; -ENOMEM; ANT_ENOTRUNNING. */
ANT_API int ant_go(void (*fn)(void *arg), void *arg);

/* The same with an argument that travels with the goroutine: fn gets a pointer to a copy of the
 * size bytes at arg, aligned for any type, which lives until fn returns. Also -EINVAL if size > 0
 * and arg is NULL, or if size is more than a quarter of the stack. */
ANT_API int ant_go_copy(void (*fn)(void *copy), const void *arg, size_t size);

/* How a goroutine that keeps computing is made to let others run. */
typedef enum ant_preempt {
    /* It is not interrupted: its right to run goes to another thread, and it goes on beside. */
    ANT_PREEMPT_NEVER,
    /* It is interrupted by a signal after 10 ms, wherever it is, and put behind the others; it may
     * go on in another thread. Only for code that computes and no more: it must be able to do
     * without malloc, stdio and whatever else locks, as others would wait for a lock that nobody
     * can give back, and without errno and `__thread` variables, which belong to the thread. Calls
     * into the runtime are safe. System calls are restarted, as by SA_RESTART; those that never are
     * fail with EINTR. It needs some 4 KB of its stack (with AVX-512 5 KB, with ASan 12 KB), and
     * where these are not free it goes on as with NEVER; so it does while it is in libc, in a
     * signal handler, or with another signal mask or signal stack than its thread had, under TSan
     * and Valgrind, and in programs that have libc or another malloc linked in statically. */
    ANT_PREEMPT_SIGNAL,
} ant_preempt;

/* The bytes of its stack that a goroutine must leave for calls of ours, whichever it calls. Of 2 KB some 300
 * then remain for its own frames; most calls need only half as much (tools/stackdepth BUILD --all).
 * A stack that small has no room for a first call through the dynamic linker, which takes 3 KB. So link the
 * program as anthill.pc or CMake say, with -z now: otherwise every stack has at least 8 KB.
 *
 * Functions of libc come on top. They take, with glibc 2.36 on x86-64, at most
 *     malloc, calloc, realloc, free                   1 KB
 *     fopen and fgets, qsort, strtod, inet_ntop,
 *     localtime_r and strftime                        2 KB
 *     snprintf, fprintf                               3 KB; with %f, %g: 8 KB
 *     sscanf, getaddrinfo of numbers                  4 KB
 *     getaddrinfo of names                           16 KB
 * (tests/stack/stack_libc.c measures it.) Another malloc may take more. A signal handler that was installed
 * without SA_ONSTACK takes 1 to 4 KB of whatever stack it meets, and more with its own frames. */
#define ANT_STACK_CALLS 1424

typedef struct ant_go_options {
    const char *name; /* shown in dumps and panics; not copied, must outlive the goroutine */
    size_t
        stack_size; /* 2 KB (64-bit Arm: 4) to 1 GB, rounded up to a power of two; 0: the default.
                          4 and 8 KB are rounded up to 16 KB where a guard page costs no memory
                          (Linux 6.13). A stack of 2 KB has none: its overflow is found at the
                          goroutine's next call of ours, and ends the process with a message. Until
                          then it has overwritten its neighbour, so measure before you go so low.
                          With ASan or TSan at least 64 KB are given, as their frames are larger */
    ant_preempt preempt;
    bool
        blocking; /* all that it does between calls into the runtime may block its thread: as if each
                      such stretch were between ant_blocking_begin and ant_blocking_end */
} ant_go_options;

/* The same with options; NULL for none. Also -EINVAL for a stack size or a mode out of range. */
ANT_API int ant_go_opts(const ant_go_options *options, void (*fn)(void *arg), void *arg);

/* Lets other goroutines run. From any other thread: sched_yield. Suspends. */
ANT_API void ant_yield(void);

/* Says that what the calling goroutine does until ant_blocking_end may block its thread: a system
 * call, a library that waits, a lock of pthread's. If it takes longer than a moment (20 microseconds,
 * if such ones were long before; 10 ms at most), the other goroutines run on another thread
 * meanwhile. Behind ant_blocking_end this one goes on at once, on the same thread, if few others do so;
 * otherwise it waits there until it is its turn. If nothing blocks the pair costs some nanoseconds.
 * Without the pair the others run on as well, but a little later.
 * Every function of ours that can suspend, or that starts or wakes a goroutine, ends the section, as do
 * most others; only ant_blocking_begin, ant_now, ant_id and ant_local_get do not. ant_blocking_end then does
 * nothing. So begin a new section after such a call.
 * Any thread; outside of goroutines they do nothing. ant_blocking does the same around fn(arg), and
 * aborts with a message if fn is NULL. begin never suspends, end may. */
ANT_API void ant_blocking_begin(void);
ANT_API void ant_blocking_end(void);
ANT_API void ant_blocking(void (*fn)(void *arg), void *arg);

/* Ends the calling goroutine after running its deferred calls; never returns. If one of these panics
 * inside of an ant_try, that takes the panic, and the rest is run. Called by the main
 * goroutine, the others go on, and the program ends with a deadlock report when they are done.
 * From any other thread: aborts with a message. */
ANT_API ANT_NORETURN void ant_exit(void);

/* The calling goroutine's number, never used twice: 1 for the main goroutine of ant_run.
 * 0 outside of goroutines. */
ANT_API uint64_t ant_id(void);

/* How many goroutines exist, running, runnable and waiting ones; a snapshot. Any thread. 0 when
 * the runtime is not running. */
ANT_API int ant_count(void);

/* How many goroutines may run at once. Any thread. 0 when the runtime is not running. */
ANT_API int ant_procs(void);

/* Changes that, while running. Any thread; does not wait for others: a goroutine that is running on a
 * P that goes keeps it until it next enters the scheduler. (The first step from one to more waits
 * for a moment, until nobody is inside of the scheduler.) Returns the former number; -EINVAL for n <= 0
 * or n > 1024; -ENOMEM; ANT_ENOTRUNNING. */
ANT_API int ant_set_procs(int n);

/* Ties the calling goroutine to its thread until as many unlocks: it runs on no other, and
 * no other goroutine runs there, so thread-locals and thread-bound libraries work. If it ends
 * while tied, the thread ends with it. Dear: each of its suspensions costs two thread switches.
 * Neither suspends. Returns 0; ANT_ENOTGOROUTINE from any other thread; unlock also -EPERM when not locked. */
ANT_API int ant_lock_thread(void);
ANT_API int ant_unlock_thread(void);

/* The floating-point environment (rounding mode, exception masks, flush to zero) is by default that
 * of the thread, and that of ant_start's caller at first. A goroutine that wants to change it says
 * so before, by ant_own_fenv(true): from then on it keeps its own across suspensions, and the
 * others are spared. With false it goes back to the common one. Does not
 * suspend. Returns 0; ANT_ENOTGOROUTINE from any other thread. */
ANT_API int ant_own_fenv(bool own);

/* Goroutine-local values. A key is valid in all goroutines of this and later runs. At a goroutine's
 * end destroy(value) is called in it for each key with a non-NULL value and a destroy function;
 * never for goroutines that are abandoned when the runtime stops. None of these blocks.
 * new: 0, -EINVAL (NULL), -EAGAIN (all ANT_LOCAL_MAX keys in use). Any thread.
 * free: 0, -EINVAL. Values still set are forgotten, not destroyed. Any thread.
 * set: 0, -EINVAL, -ENOMEM, ANT_ENOTGOROUTINE. get: the value, or NULL, also outside goroutines. */
#define ANT_LOCAL_MAX 128
typedef struct ant_local {
    uint32_t index;
    uint32_t serial;
} ant_local;
ANT_API int ant_local_new(ant_local *ret_key, void (*destroy)(void *value));
ANT_API int ant_local_free(ant_local key);
ANT_API int ant_local_set(ant_local key, void *value);
ANT_API void *ant_local_get(ant_local key);

/* Prints all goroutines to fd: number, name, state, since when, where, created by. Goroutines that are in
 * the same state at the same place are one entry, with their count and the first four of them.
 * "Since when" counts what a goroutine computed without a pause just before it waits, too.
 * A goroutine that is running in another thread shows no stack.
 * Any thread. All goroutines are stopped for a moment, and shown as they were then. The moment does not
 * depend on their number, and is normally less than a millisecond. They run on while their stacks are taken down and while the dump is
 * written. That blocks the calling thread, which counts as a blocking section: the reader may be a
 * goroutine.
 * Returns 0, -EBADF, ANT_ENOTRUNNING, -ENOMEM, -EAGAIN (the goroutines could not be stopped within a
 * second, for want of CPU), or what write(2) failed with, as -ENOSPC: then only a part is written. */
ANT_API int ant_dump(int fd);

ANT_END_DECLS

#endif
