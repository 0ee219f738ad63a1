/* errno.c - see errno.h. Compiled without link-time optimisation. The section keeps the functions
 * together; by its name the linker makes symbols for its ends. The empty asm keeps the compiler from
 * finding them to be pure. */
#include "base/errno.h"

#include "base/compiler.h"

#define TOGETHER __attribute__((noinline, section("ant_errno_text")))

extern const char __start_ant_errno_text[] __attribute__((visibility("hidden")));
extern const char __stop_ant_errno_text[] __attribute__((visibility("hidden")));

TOGETHER int ant__errno(void)
{
    __asm__ volatile("" ::: "memory");
    return errno;
}

TOGETHER void ant__errno_set(int value)
{
    __asm__ volatile("" ::: "memory");
    errno = value;
}

ant__noinline int *ant__errno_at(void)
{
    __asm__ volatile("" ::: "memory");
    return &errno;
}

void ant__errno_text(uintptr_t *ret_low, size_t *ret_size)
{
    *ret_low = (uintptr_t)__start_ant_errno_text;
    *ret_size = (size_t)(__stop_ant_errno_text - __start_ant_errno_text);
}
