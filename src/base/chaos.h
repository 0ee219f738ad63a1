/* chaos.h - delays at random moments, in the chaos build alone.
 *
 * On a machine with two cores a window that needs three threads at once hardly ever opens. The
 * chaos build (-DANT_CHAOS, preset "chaos") opens it: each atomic operation of the library, hence each
 * lock, first calls ant__chaos, which now and then makes the thread wait. So do the system calls at the
 * end of this header. In all other builds it defines nothing but ANT__MUTATED, as false.
 *
 * The macros replace the functions __atomic_... of the compiler, and let those of <stdatomic.h> call
 * them. A macro reaches only code behind it, so it misses the inline functions of <anthill/sync.h>. In
 * this build the library calls these functions instead (CMakeLists.txt), and so do the tests, which are
 * not optimised.
 *
 * Left out are system calls that only prepare something, as mmap, socket or sigaction, and poll(2),
 * because functions of the library have that name.
 *
 * compiler.h includes this header right behind <stdatomic.h>, so all of src/ is built with it.
 */
#ifndef ANT_BASE_CHAOS_H
#define ANT_BASE_CHAOS_H

/* A fault that was mended and can be switched on again, to show that the chaos build finds it:
 * ANT_CHAOS_MUTATION=NAME in the environment. A program dies at its start if there is no such. */
#ifndef ANT_CHAOS
#define ANT__MUTATED(name) false
#else
#define ANT__MUTATED(name)                                                                         \
    ({                                                                                             \
        static const char *const ant__mutation __attribute__((used, section("ant_mutations"))) =   \
            #name;                                                                                 \
        ant__chaos_mutated(ant__mutation);                                                         \
    })

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

extern uint64_t ant__chaos_seed; /* ANT_CHAOS_SEED, or one that differs from run to run */

void ant__chaos(void);
bool ant__chaos_mutated(const char *name);
/* The code of ant__chaos, where no goroutine may be interrupted: it uses thread-locals. */
void ant__chaos_text(uintptr_t *ret_low, uintptr_t *ret_size);

/* -- atomic operations ------------------------------------------------------------------------- */

#undef atomic_load
#undef atomic_load_explicit
#undef atomic_store
#undef atomic_store_explicit
#undef atomic_exchange
#undef atomic_exchange_explicit
#undef atomic_compare_exchange_strong
#undef atomic_compare_exchange_strong_explicit
#undef atomic_compare_exchange_weak
#undef atomic_compare_exchange_weak_explicit
#undef atomic_fetch_add
#undef atomic_fetch_add_explicit
#undef atomic_fetch_sub
#undef atomic_fetch_sub_explicit
#undef atomic_fetch_or
#undef atomic_fetch_or_explicit
#undef atomic_fetch_and
#undef atomic_fetch_and_explicit
#undef atomic_thread_fence

#define ANT__SEQ_CST __ATOMIC_SEQ_CST

#define __atomic_load_n(...) (ant__chaos(), __atomic_load_n(__VA_ARGS__))
#define __atomic_store_n(...) (ant__chaos(), __atomic_store_n(__VA_ARGS__))
#define __atomic_exchange_n(...) (ant__chaos(), __atomic_exchange_n(__VA_ARGS__))
#define __atomic_compare_exchange_n(...) (ant__chaos(), __atomic_compare_exchange_n(__VA_ARGS__))
#define __atomic_fetch_add(...) (ant__chaos(), __atomic_fetch_add(__VA_ARGS__))
#define __atomic_fetch_sub(...) (ant__chaos(), __atomic_fetch_sub(__VA_ARGS__))
#define __atomic_fetch_or(...) (ant__chaos(), __atomic_fetch_or(__VA_ARGS__))
#define __atomic_fetch_and(...) (ant__chaos(), __atomic_fetch_and(__VA_ARGS__))
#define __atomic_thread_fence(order) (ant__chaos(), __atomic_thread_fence(order))

#define atomic_load_explicit(p, order) __atomic_load_n(p, order)
#define atomic_store_explicit(p, v, order) __atomic_store_n(p, v, order)
#define atomic_exchange_explicit(p, v, order) __atomic_exchange_n(p, v, order)
#define atomic_compare_exchange_strong_explicit(p, e, v, s, f)                                     \
    __atomic_compare_exchange_n(p, e, v, false, s, f)
#define atomic_compare_exchange_weak_explicit(p, e, v, s, f)                                       \
    __atomic_compare_exchange_n(p, e, v, true, s, f)
#define atomic_fetch_add_explicit(p, v, order) __atomic_fetch_add(p, v, order)
#define atomic_fetch_sub_explicit(p, v, order) __atomic_fetch_sub(p, v, order)
#define atomic_fetch_or_explicit(p, v, order) __atomic_fetch_or(p, v, order)
#define atomic_fetch_and_explicit(p, v, order) __atomic_fetch_and(p, v, order)
#define atomic_thread_fence(order) __atomic_thread_fence(order)

#define atomic_load(p) atomic_load_explicit(p, ANT__SEQ_CST)
#define atomic_store(p, v) atomic_store_explicit(p, v, ANT__SEQ_CST)
#define atomic_exchange(p, v) atomic_exchange_explicit(p, v, ANT__SEQ_CST)
#define atomic_compare_exchange_strong(p, e, v)                                                    \
    atomic_compare_exchange_strong_explicit(p, e, v, ANT__SEQ_CST, ANT__SEQ_CST)
#define atomic_compare_exchange_weak(p, e, v)                                                      \
    atomic_compare_exchange_weak_explicit(p, e, v, ANT__SEQ_CST, ANT__SEQ_CST)
#define atomic_fetch_add(p, v) atomic_fetch_add_explicit(p, v, ANT__SEQ_CST)
#define atomic_fetch_sub(p, v) atomic_fetch_sub_explicit(p, v, ANT__SEQ_CST)
#define atomic_fetch_or(p, v) atomic_fetch_or_explicit(p, v, ANT__SEQ_CST)
#define atomic_fetch_and(p, v) atomic_fetch_and_explicit(p, v, ANT__SEQ_CST)

/* -- system calls ------------------------------------------------------------------------------ */

#define syscall(...) (ant__chaos(), (syscall)(__VA_ARGS__))
#define sched_yield() (ant__chaos(), (sched_yield)())
#define epoll_ctl(...) (ant__chaos(), (epoll_ctl)(__VA_ARGS__))
#define epoll_wait(...) (ant__chaos(), (epoll_wait)(__VA_ARGS__))
#define read(...) (ant__chaos(), (read)(__VA_ARGS__))
#define pread(...) (ant__chaos(), (pread)(__VA_ARGS__))
#define readv(...) (ant__chaos(), (readv)(__VA_ARGS__))
#define recv(...) (ant__chaos(), (recv)(__VA_ARGS__))
#define recvfrom(...) (ant__chaos(), (recvfrom)(__VA_ARGS__))
#define write(...) (ant__chaos(), (write)(__VA_ARGS__))
#define pwrite(...) (ant__chaos(), (pwrite)(__VA_ARGS__))
#define writev(...) (ant__chaos(), (writev)(__VA_ARGS__))
#define send(...) (ant__chaos(), (send)(__VA_ARGS__))
#define sendto(...) (ant__chaos(), (sendto)(__VA_ARGS__))
#define sendmsg(...) (ant__chaos(), (sendmsg)(__VA_ARGS__))
#define sendfile(...) (ant__chaos(), (sendfile)(__VA_ARGS__))
#define accept4(...) (ant__chaos(), (accept4)(__VA_ARGS__))
#define connect(...) (ant__chaos(), (connect)(__VA_ARGS__))
#define shutdown(...) (ant__chaos(), (shutdown)(__VA_ARGS__))
#define fcntl(...) (ant__chaos(), (fcntl)(__VA_ARGS__))
#define waitid(...) (ant__chaos(), (waitid)(__VA_ARGS__))
#define pthread_sigqueue(...) (ant__chaos(), (pthread_sigqueue)(__VA_ARGS__))
#define close(...) (ant__chaos(), (close)(__VA_ARGS__))
#define madvise(...) (ant__chaos(), (madvise)(__VA_ARGS__))
#define mprotect(...) (ant__chaos(), (mprotect)(__VA_ARGS__))

#endif /* ANT_CHAOS */
#endif
