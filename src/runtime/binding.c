/* binding.c - whether the program binds functions when they are first called.
 *
 * The dynamic linker then looks the function up on the stack of the caller, and saves all vector registers
 * there: 3 KB, where a small stack has 2. What we call ourselves is bound when we are loaded (CMakeLists.txt,
 * -fno-plt), and so is the user's program if it is linked as anthill.pc or CMake say (-z now). If not, stacks
 * are larger (stack.c).
 */
#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <sys/auxv.h>

#include "runtime/runtime.h"

struct program {
    uintptr_t base;
    const ElfW(Dyn) * dynamic;
    bool has_linker;
};

static struct program find_program(void)
{
    const ElfW(Phdr) *segment = (const ElfW(Phdr) *)getauxval(AT_PHDR); /* NOLINT */
    struct program p = {0};

    for (size_t n = segment ? getauxval(AT_PHNUM) : 0; n > 0; n--, segment++) {
        if (segment->p_type == PT_PHDR)
            p.base = (uintptr_t)getauxval(AT_PHDR) - segment->p_vaddr;
        else if (segment->p_type == PT_INTERP)
            p.has_linker = true;
        else if (segment->p_type == PT_DYNAMIC) /* NOLINTNEXTLINE(performance-no-int-to-ptr) */
            p.dynamic = (const ElfW(Dyn) *)(p.base + segment->p_vaddr);
    }
    return p;
}

bool ant__binds_late(void)
{
    struct program p = find_program();
    const char *env = getenv("LD_BIND_NOW");
    bool has_plt = false;

    if (!p.has_linker || !p.dynamic || (env && *env))
        return false;
    for (const ElfW(Dyn) *d = p.dynamic; d->d_tag != DT_NULL; d++) {
        if (d->d_tag == DT_BIND_NOW || (d->d_tag == DT_FLAGS && d->d_un.d_val & DF_BIND_NOW) ||
            (d->d_tag == DT_FLAGS_1 && d->d_un.d_val & DF_1_NOW))
            return false;
        has_plt |= d->d_tag == DT_PLTRELSZ && d->d_un.d_val > 0;
    }
#ifdef __GLIBC__
    return has_plt;
#else
    return false; /* musl always binds when it loads */
#endif
}
