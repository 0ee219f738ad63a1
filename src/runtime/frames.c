/* frames.c - see frames.h. The compiler's own library walks the stack, by the tables that the linker
 * keeps for exceptions. backtrace() of glibc does the same, but opens that library at its first call,
 * under the lock of the dynamic linker; and other libcs do not have it. */
#define _GNU_SOURCE
#include "runtime/frames.h"

#include <link.h>
#include <stdint.h>
#include <unwind.h>

#include "base/compiler.h"
#include "runtime/symbol.h"

/* ---- without glibc ---- */

#ifndef __GLIBC__

/* gcc's unwinder, where it was made for glibc, asks that for the tables of an address. musl-gcc of Debian
 * links it with musl all the same. Elsewhere nobody calls this. */
struct object {
    unsigned long long flags;
    void *start, *end, *link_map;
    void *tables; /* the segment of type PT_GNU_EH_FRAME */
    unsigned long long reserved[7];
};

int _dl_find_object(void *address, struct object *ret_object);

struct search {
    uintptr_t address;
    struct object *found;
};

static int look_into(struct dl_phdr_info *loaded, size_t size, void *arg)
{
    struct search *s = arg;
    bool is_it = false;

    *s->found = (struct object){0};
    for (int i = 0; i < loaded->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &loaded->dlpi_phdr[i];
        char *low =
            (char *)loaded->dlpi_addr + segment->p_vaddr; /* NOLINT(performance-no-int-to-ptr) */

        if (segment->p_type == PT_GNU_EH_FRAME)
            s->found->tables = low;
        if (segment->p_type != PT_LOAD || s->address - (uintptr_t)low >= segment->p_memsz)
            continue;
        s->found->start = low;
        s->found->end = low + segment->p_memsz;
        is_it = true;
    }
    return is_it && s->found->tables;
}

__attribute__((weak)) int _dl_find_object(void *address, struct object *ret_object)
{
    struct search s = {.address = (uintptr_t)address, .found = ret_object};

    return dl_iterate_phdr(look_into, &s) ? 0 : -1;
}

/* Linked without --eh-frame-hdr, as musl-gcc does by itself, there are none, and the unwinder would end the
 * process. */
static bool has_tables(void)
{
    static _Atomic int known; /* 1: yes, -1: no */
    struct object unused;

    if (ant__load_relaxed(&known) == 0)
        ant__store_relaxed(&known, _dl_find_object((void *)ant__frames, &unused) == 0 ? 1 : -1);
    return ant__load_relaxed(&known) > 0;
}

#else

static bool has_tables(void)
{
    return true;
}

#endif

/* ---- walking ---- */

struct walk {
    void **frames;
    int n, max; /* n is -1 at first: the first frame is ant__frames itself */
    _Unwind_Word last;
};

static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *arg)
{
    struct walk *w = arg;
    uintptr_t address = _Unwind_GetIP(context);
    _Unwind_Word frame = _Unwind_GetCFA(context);

    if (address == 0)
        return _URC_END_OF_STACK;
    if (w->n > 0 && frame == w->last && w->frames[w->n - 1] == (void *)address)
        return _URC_END_OF_STACK; /* a damaged stack, on which the way leads nowhere */
    if (w->n >= 0)
        w->frames[w->n] = (void *)address;
    w->last = frame;
    return ++w->n < w->max ? _URC_NO_REASON : _URC_END_OF_STACK;
}

ant__noinline int ant__frames(void **ret_frames, int max)
{
    struct walk w = {.frames = ret_frames, .n = -1, .max = max};

    if (has_tables())
        _Unwind_Backtrace(visit, &w);
    return w.n < 0 ? 0 : w.n;
}

int ant__frames_of_ours(void *const *frames, int n, const void *caller)
{
    for (int i = 0; i < n; i++) {
        if (frames[i] == caller)
            return i;
    }
    return 0;
}

/* Of the section in which ant__g_main and ant__switch_begin lie; the linker makes symbols of its name. */
extern const char __start_ant_bottom_text[] __attribute__((visibility("hidden")));
extern const char __stop_ant_bottom_text[] __attribute__((visibility("hidden")));

/* A return address may lie just behind the function. */
bool ant__is_bottom_frame(const void *frame)
{
    const char *at = (const char *)frame - 1;

    return at >= __start_ant_bottom_text && at < __stop_ant_bottom_text;
}

void ant__frames_print(struct ant__out *out, void *const *frames, int n)
{
    for (int i = 0; i < n; i++)
        ant__symbol_print(out, "    ", frames[i]);
}
