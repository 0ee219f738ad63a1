/* sys.c - see sys.h. */
#define _GNU_SOURCE
#include "base/sys.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/errno.h"
#include "base/room.h"

_Atomic long ant__fail_after;
_Atomic long ant__fail_times;
_Atomic long ant__sys_calls;
_Atomic(ant__room_fn *) ant__room;

static bool must_fail(void)
{
    long left;

    atomic_fetch_add_explicit(&ant__sys_calls, 1, memory_order_relaxed);
    if (ant__likely(ant__load_relaxed(&ant__fail_after) == 0))
        return false;
    /* Counts down to 1, which is the first to fail; 1, 0, -1 ... are the ones in a row; it
     * stops at what stands for "never" when they are used up. */
    left = atomic_fetch_sub(&ant__fail_after, 1);
    if (left > 1)
        return false;
    if (atomic_fetch_sub(&ant__fail_times, 1) <= 1)
        atomic_store(&ant__fail_after, 0);
    else
        atomic_store(&ant__fail_after, 1);
    return true;
}

int ant__map(void **ret_memory, size_t size)
{
    int saved = ant__errno();
    void *memory;

    if (must_fail())
        return -ENOMEM;
    memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                  -1, 0);
    if (memory == MAP_FAILED) {
        int err = -ant__errno();

        ant__errno_set(saved);
        return err;
    }
    *ret_memory = memory;
    return 0;
}

void ant__unmap(void *memory, size_t size)
{
    int saved = ant__errno();

    munmap(memory, size);
    ant__errno_set(saved);
}

void ant__want_huge_pages(void *memory, size_t size)
{
    int saved = ant__errno();

    madvise(memory, size, MADV_HUGEPAGE);
    ant__errno_set(saved);
}

struct request {
    size_t size, alignment;
    void *memory; /* NULL: there is none */
};

static void allocate(void *arg)
{
    struct request *r = arg;
    int saved = ant__errno();

    if (r->alignment == 0)
        r->memory = calloc(1, r->size);
    else if (posix_memalign(&r->memory, r->alignment, r->size) != 0)
        r->memory = NULL;
    else
        memset(r->memory, 0, r->size);
    ant__errno_set(saved);
}

int ant__alloc_aligned(void **ret_memory, size_t alignment, size_t size)
{
    struct request r = {.size = size, .alignment = alignment};

    if (!must_fail())
        ant__in_room(ANT__ROOM_FOR_LIBC, allocate, &r);
    if (!r.memory)
        return -ENOMEM;
    *ret_memory = r.memory;
    return 0;
}

int ant__alloc(void **ret_memory, size_t size)
{
    return ant__alloc_aligned(ret_memory, 0, size);
}

static int errno_of(int result, int saved)
{
    int err = result ? -ant__errno() : 0;

    ant__errno_set(saved);
    return err;
}

int ant__madvise(void *memory, size_t size, int advice)
{
    int saved = ant__errno();

    if (must_fail())
        return -ENOMEM;
    return errno_of(madvise(memory, size, advice), saved);
}

int ant__protect_none(void *memory, size_t size)
{
    int saved = ant__errno();

    if (must_fail())
        return -ENOMEM;
    return errno_of(mprotect(memory, size, PROT_NONE), saved);
}

/* Moves a descriptor of ours away from 0, 1 and 2. A program that was started without these may open
 * them later, by dup2, and so close what it finds there. The descriptor, or -errno. */
static int above_standard(int fd)
{
    int moved, err;

    if (fd < 0)
        return -ant__errno();
    if (fd > STDERR_FILENO)
        return fd;
    moved = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    err = -ant__errno();
    close(fd);
    return moved < 0 ? err : moved;
}

int ant__poll_open(int *ret_epoll, int *ret_event)
{
    if (must_fail())
        return -EMFILE;
    *ret_epoll = above_standard(epoll_create1(EPOLL_CLOEXEC));
    if (*ret_epoll < 0)
        return *ret_epoll;
    *ret_event = must_fail() ? -EMFILE : above_standard(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    return *ret_event < 0 ? *ret_event : 0;
}

int ant__poll_register(int epoll, int fd, uint32_t events, void *source)
{
    struct epoll_event event = {.events = events, .data.ptr = source};

    if (must_fail())
        return -ENOSPC;
    return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0 ? 0 : -ant__errno();
}

static int fd_or_error(int fd)
{
    return fd < 0 ? -ant__errno() : fd;
}

int ant__socket(int family, int type)
{
    if (must_fail())
        return -EMFILE;
    return fd_or_error(socket(family, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

int ant__accept(int listener)
{
    if (must_fail())
        return -EMFILE;
    return fd_or_error(accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC));
}

int ant__pipe(int ret_fds[2], int flags)
{
    if (must_fail())
        return -EMFILE;
    return pipe2(ret_fds, flags | O_CLOEXEC) == 0 ? 0 : -ant__errno();
}

int ant__pidfd_open(pid_t pid)
{
    if (must_fail())
        return -EMFILE;
    return fd_or_error((int)syscall(SYS_pidfd_open, pid, 0));
}

static int add_tls(struct dl_phdr_info *object, size_t size, void *sum)
{
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];

        if (segment->p_type == PT_TLS)
            *(size_t *)sum += segment->p_memsz + segment->p_align;
    }
    return 0;
}

/* libc takes the thread-locals of the program and its libraries out of the stack that it is asked for. */
static size_t with_thread_locals(size_t stack_size)
{
    dl_iterate_phdr(add_tls, &stack_size);
    return stack_size;
}

int ant__thread_create(pthread_t *ret_thread, size_t stack_size, void *(*fn)(void *), void *arg)
{
    pthread_attr_t attr;
    int err;

    if (must_fail())
        return -EAGAIN;
    err = pthread_attr_init(&attr);
    if (err)
        return -err;
    err = pthread_attr_setstacksize(&attr, with_thread_locals(stack_size));
    if (!err)
        err = pthread_create(ret_thread, &attr, fn, arg);
    pthread_attr_destroy(&attr);
    return -err;
}
