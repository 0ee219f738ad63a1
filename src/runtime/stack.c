/* stack.c - stacks: slots in arenas, guarded, cached, given back.
 *
 * A class c holds stacks of 2^c bytes. An arena is a mapping of 64 MB or more cut into slots of one
 * class. A stack's record lies at the top of its slot, in the page that its goroutine touches
 * anyway, so a parked goroutine costs one page. Neighbouring slots place the record at different
 * cache-line offsets, else the tops of all stacks would compete for the same few sets of the
 * first-level cache.
 *
 * Free stacks lie, last in first out, in a cache of each P (the one used last is warm), then in a
 * global list for each class; both keep their pages. Trimming, done when the runtime is idle, gives
 * the pages of the global list back and notes the slots as cold in their arena. Stacks that share a page
 * are all cold before it goes. Slots never used are the rest of an arena. A P reserves them in runs,
 * guards a run at once, and opens one after the other: so Ps do not meet in the kernel's page tables,
 * nor at the lock.
 *
 * Guards, for classes of 16 KB and more: the lowest page of the slot, and from 64 KB on four more,
 * which are opened when an overflow is to become a panic, so that the deferred calls have something
 * to run on.
 *   madvise   MADV_GUARD_INSTALL (Linux 6.13): faults, and does not split the mapping, so that a
 *             million guarded stacks live under the default vm.max_map_count. A guard costs no memory
 *             then: a stack of 4 or 8 KB gets a slot of 16 KB for it, and costs one page as before.
 *   mprotect  makes two mappings of one at each guard: we stop at half of vm.max_map_count;
 *   canary    from there on, and for stacks that share a page: a magic word at the low end. It is looked
 *             at when the goroutine leaves its stack, and when it enters the runtime, where it must also
 *             have room for that. The first stack with a canary sets a claim for all threads
 *             (ANT__CLAIM_CHECK), so that entries of a program without them cost nothing.
 *
 * An overflow with a canary is seen at the next call of ours, not before. What it overwrites first is the
 * record of the stack below. So the goroutine of that one looks at the canary above, too, and the
 * message names the one that has overflown. What remains: in between the neighbour may run on a damaged
 * record, or frame; a frame that leaves a gap may skip the canary; and zeros look like a canary that was never
 * planted to the neighbour, though not to the owner.
 *
 * Rejected: a guard between groups of small stacks. It would find the overflow of one in a group, and part
 * the huge pages they lie in.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/runtime.h"

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#define MADV_GUARD_REMOVE 103
#endif
#ifndef PIDFD_SELF
#define PIDFD_SELF (-10000) /* Linux 6.14 */
#endif

#define CANARY 0x616e7468696c6c21u /* "anthill!" */

enum {
    ARENA_BYTES = 64 << 20,
    HUGE_AFTER = 2 << 20,
    GUARDED_PAGES = 4, /* in the smallest slot with a guard page: 16 KB with pages of 4 KB */
    PANIC_PAGES = 16,  /* in the smallest whose overflow can become a panic */
    SPARE_PAGES = 4,   /* of the guard, opened for that */
    AHEAD = 6,         /* places in a list of free stacks */
    COLOURS = 8,       /* different offsets of stack tops, a cache line apart */
#if defined(ANT__ASAN) || defined(ANT__TSAN)
    LEAST_CLASS = 16, /* what they add to each frame needs room */
#elif !defined(__OPTIMIZE__) || defined(ANT_CHAOS)
    LEAST_CLASS = 13, /* frames are larger */
#elif defined(__aarch64__)
    LEAST_CLASS = 12, /* more registers are to be saved */
#else
    LEAST_CLASS = ANT__STACK_MIN_CLASS,
#endif
    LATE_CLASS = 13, /* if the program binds functions late, see binding.c */
    RECORD = (sizeof(struct ant__stack) + ANT__CACHE_LINE - 1) & ~(ANT__CACHE_LINE - 1),
    FAR = 64 << 10, /* below a stack: an address there is of no overflow of it */
    RUN = 32,       /* slots that are guarded at once */
    BATCH = ANT__STACK_CACHE / 2,
    TRIM_KEEP = 256, /* free stacks of a class that keep their pages */
};

enum guard { GUARD_MADVISE, GUARD_MPROTECT, GUARD_CANARY };

struct ant__arena {
    struct ant__arena *next; /* of the same class */
    char *base;
    size_t bytes;
    uint8_t cls;
    bool canary; /* slots have no guard page */
    uint32_t slots;
    uint32_t used;   /* slots that were reserved at least once */
    uint32_t cold_n; /* of these, guarded but without pages: trimmed, or not opened yet */
    uint32_t *cold;
    uint8_t *cold_in_page; /* how many; NULL: slots are whole pages */
};

static struct {
    struct ant__lock lock;
    struct ant__stack_list free[ANT__STACK_CLASSES];
    struct ant__arena *arenas[ANT__STACK_CLASSES]; /* newest first */
    struct ant__arena *kept;                       /* of earlier runs, see ant__stacks_free */
    uint32_t cold_n[ANT__STACK_CLASSES];           /* over all arenas of a class */
    _Atomic int least_class;
    _Atomic bool checks;      /* there are stacks without guard, see ant__stack_check_entry */
    _Atomic bool no_vector;   /* guards must be made one by one */
    _Atomic long guards_left; /* for GUARD_MPROTECT */
    uint32_t reserved[ANT__STACK_CLASSES]; /* slots handed out of arenas */
    _Atomic uint64_t open;                 /* stacks that have pages */
    uint64_t bytes;
    _Atomic size_t page; /* these two never change, once they are set */
    _Atomic(enum guard) guard;
} stacks = {.least_class = LEAST_CLASS};

static long max_map_count(void)
{
    char text[32] = "";
    int fd = open("/proc/sys/vm/max_map_count", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);

    if (fd >= 0)
        close(fd);
    return n > 0 ? atol(text) : 65530;
}

static enum guard probe_guard(void)
{
    void *memory;
    enum guard guard = GUARD_MPROTECT;

    if (ant__map(&memory, stacks.page) != 0)
        return GUARD_CANARY;
    /* Emulators accept any advice, and ignore what they do not know: let the kernel read there. */
    if (madvise(memory, stacks.page, MADV_GUARD_INSTALL) == 0 &&
        syscall(SYS_futex, memory, FUTEX_WAIT_PRIVATE, 1, NULL) < 0 && ant__errno() == EFAULT)
        guard = GUARD_MADVISE;
    ant__unmap(memory, stacks.page);
    return guard;
}

void ant__stacks_init(void)
{
    int saved = ant__errno();

    stacks.page = (size_t)sysconf(_SC_PAGESIZE);
    stacks.guard = probe_guard();
    stacks.least_class = ant__binds_late() && LATE_CLASS > LEAST_CLASS ? LATE_CLASS : LEAST_CLASS;
    stacks.guards_left = max_map_count() / 4; /* each makes two mappings of one */
    ant__store_relaxed(&stacks.open, 0);
    ant__store_relaxed(&stacks.checks, false);
    stacks.bytes = 0;
    ant__errno_set(saved);
}

static size_t class_bytes(int cls)
{
    return (size_t)1 << cls;
}

static bool has_guard(int cls)
{
    return class_bytes(cls) >= GUARDED_PAGES * stacks.page;
}

/* What is a page at least gets a guard: it costs addresses, and no memory if the system can do without
 * splitting the mapping. */
int ant__stack_class(size_t size)
{
    int cls = stacks.least_class;

    if (size < (size_t)1 << ANT__STACK_MIN_CLASS || size > (size_t)1 << ANT__STACK_MAX_CLASS)
        return -EINVAL;
    while (class_bytes(cls) < size)
        cls++;
    while (stacks.guard == GUARD_MADVISE && class_bytes(cls) >= stacks.page && !has_guard(cls))
        cls++;
    return cls;
}

static struct ant__stack *record_of(struct ant__arena *a, uint32_t slot)
{
    char *top = a->base + ((size_t)slot + 1) * class_bytes(a->cls);
    size_t colour = has_guard(a->cls) ? slot % COLOURS : 0;

    return (struct ant__stack *)(top - colour * ANT__CACHE_LINE - RECORD);
}

static size_t guard_bytes(int cls)
{
    return stacks.page * (class_bytes(cls) >= PANIC_PAGES * stacks.page ? 1 + SPARE_PAGES : 1);
}

/* Guards a run at once: a system call for each slot would cost as much as half a page fault. */
static bool guard_by_vector(const struct ant__stack_run *run)
{
    size_t bytes = class_bytes(run->arena->cls), guard = guard_bytes(run->arena->cls);
    struct iovec ranges[RUN];
    int saved = ant__errno();
    ssize_t done;

    if (ant__load_relaxed(&stacks.no_vector))
        return false;
    for (uint32_t i = 0; i < run->n; i++) {
        ranges[i].iov_base = run->arena->base + (run->first + i) * bytes;
        ranges[i].iov_len = guard;
    }
    done = syscall(SYS_process_madvise, PIDFD_SELF, ranges, run->n, MADV_GUARD_INSTALL, 0);
    if (done < 0 && ant__errno() != ENOMEM)
        ant__store_relaxed(&stacks.no_vector, true);
    ant__errno_set(saved);
    return done == (ssize_t)(run->n * guard);
}

static bool guard_slot(struct ant__arena *a, uint32_t slot)
{
    char *low = a->base + slot * class_bytes(a->cls);

    if (stacks.guard == GUARD_MADVISE)
        return ant__madvise(low, guard_bytes(a->cls), MADV_GUARD_INSTALL) == 0;
    return atomic_fetch_sub(&stacks.guards_left, 1) > 0 &&
           ant__protect_none(low, guard_bytes(a->cls)) == 0;
}

static bool shares_pages(int cls)
{
    return class_bytes(cls) < stacks.page;
}

/* The record of an arena, with its lists behind it. */
static int arena_alloc(struct ant__arena **ret_arena, int cls, size_t bytes)
{
    size_t slots = bytes / class_bytes(cls);
    size_t pages = shares_pages(cls) ? bytes / stacks.page : 0;
    void *memory = NULL;
    struct ant__arena *a;
    int err = ant__alloc(&memory, sizeof *a + slots * sizeof *a->cold + pages);

    if (err)
        return err;
    a = memory;
    a->cold = (uint32_t *)(a + 1);
    a->cold_in_page = pages ? (uint8_t *)(a->cold + slots) : NULL;
    /* The last one of small ones is never used: what lies above a stack can be looked at (check_above). */
    a->slots = (uint32_t)(has_guard(cls) ? slots : slots - 1);
    a->bytes = bytes;
    a->cls = (uint8_t)cls;
    a->canary = !has_guard(cls) || stacks.guard == GUARD_CANARY;
    *ret_arena = a;
    return 0;
}

static int arena_new(struct ant__arena **ret_arena, int cls)
{
    size_t bytes = class_bytes(cls) > ARENA_BYTES ? class_bytes(cls) : ARENA_BYTES;
    void *memory = NULL;
    struct ant__arena *a;
    int err = arena_alloc(&a, cls, bytes);

    if (err)
        return err;
    err = ant__map(&memory, bytes);
    if (err) {
        free(a);
        return err;
    }
    a->base = memory;
    /* Of small stacks, the whole page is used: from the second thousand on a page fault can bring
     * many. Of large ones only a page of many is, and where huge pages are always on it would cost
     * 2 MB. */
    if (!has_guard(cls))
        ant__want_huge_pages(a->base + HUGE_AFTER, bytes - HUGE_AFTER);
    else
        madvise(a->base, bytes, MADV_NOHUGEPAGE);
    stacks.bytes += bytes;
    *ret_arena = a;
    return 0;
}

/* Tools want to hear of the end of each stack. A trimmed one, which reads as zeros, was reported
 * when it was trimmed. */
static void arena_forget(struct ant__arena *a)
{
    for (uint32_t slot = 0; ant__track_wanted() && slot < a->used; slot++) {
        struct ant__stack *s = record_of(a, slot);

        if (s->arena)
            ant__track_destroy(&s->track);
    }
}

/* A slot without pages, reserved for its caller. In an arena's list of them: slot << 1 |
 * guarded. */
struct cold_slot {
    struct ant__arena *arena;
    uint32_t slot;
    bool guarded;
};

/* Of the slots in the same page, how many are cold. */
static uint8_t *cold_in_page(const struct cold_slot *c)
{
    return &c->arena->cold_in_page[c->slot * class_bytes(c->arena->cls) / stacks.page];
}

/* If all slots of a page are cold, the page goes: under the lock, as each may be taken. */
static void drop_shared_page(const struct cold_slot *c)
{
    size_t offset = c->slot * class_bytes(c->arena->cls) / stacks.page * stacks.page;

    if (++*cold_in_page(c) == stacks.page / class_bytes(c->arena->cls))
        madvise(c->arena->base + offset, stacks.page, MADV_DONTNEED);
}

/* Under the lock. */
static void put_cold(const struct cold_slot *c)
{
    if (shares_pages(c->arena->cls))
        drop_shared_page(c);
    c->arena->cold[c->arena->cold_n++] = c->slot << 1 | c->guarded;
    stacks.cold_n[c->arena->cls]++;
}

static bool take_cold(struct cold_slot *c, int cls)
{
    if (stacks.cold_n[cls] == 0)
        return false;
    for (struct ant__arena *a = stacks.arenas[cls]; a; a = a->next) {
        uint32_t note;

        if (a->cold_n == 0)
            continue;
        note = a->cold[--a->cold_n];
        stacks.cold_n[cls]--;
        *c = (struct cold_slot){.arena = a, .slot = note >> 1, .guarded = note & 1};
        if (shares_pages(cls))
            --*cold_in_page(c);
        return true;
    }
    return false;
}

/* Reserves a run of slots never used, the longer the more of the class are in use already. Under
 * the lock. */
static int reserve_run(struct ant__stack_run *run, int cls)
{
    struct ant__arena *a = stacks.arenas[cls];
    uint32_t n;

    if (!a || a->used == a->slots) {
        int err = arena_new(&a, cls);

        if (err)
            return err;
        a->next = stacks.arenas[cls];
        stacks.arenas[cls] = a;
    }
    n = stacks.reserved[cls] / 8 + 1;
    if (n > RUN)
        n = RUN;
    if (n > a->slots - a->used)
        n = a->slots - a->used;
    *run = (struct ant__stack_run){.arena = a, .first = a->used, .n = n};
    a->used += n;
    stacks.reserved[cls] += n;
    return 0;
}

/* Guards a run that was just reserved, outside of the lock. What it cannot do at once is done for
 * each slot when it is taken. */
static void guard_run(struct ant__stack_run *run)
{
    run->guarded =
        run->n > 1 && !run->arena->canary && stacks.guard == GUARD_MADVISE && guard_by_vector(run);
}

static struct cold_slot run_next(struct ant__stack_run *run)
{
    struct cold_slot c = {.arena = run->arena, .slot = run->first, .guarded = run->guarded};

    run->first++;
    run->n--;
    if (!c.guarded && !c.arena->canary)
        c.guarded = guard_slot(c.arena, c.slot);
    return c;
}

void ant__stack_run_drop(struct ant__stack_run *run)
{
    while (run->n > 0) {
        struct cold_slot c = run_next(run);

        ant__lock(&stacks.lock);
        put_cold(&c);
        ant__unlock(&stacks.lock);
    }
}

/* Where there is one, every entry into the runtime looks at it. */
static void plant_canary(struct ant__stack *s)
{
    *(uint64_t *)s->low = CANARY;
    if (ant__unlikely(!ant__load_relaxed(&stacks.checks)) && !atomic_exchange(&stacks.checks, true))
        ant__ms_claim(ANT__CLAIM_CHECK);
}

/* Makes the record of a slot, outside of the lock: it touches the slot's top page, and for a canary
 * the lowest one, and page faults are dear. */
static struct ant__stack *slot_open(const struct cold_slot *c)
{
    struct ant__arena *a = c->arena;
    struct ant__stack *s = record_of(a, c->slot);

    s->arena = a;
    s->slot = c->slot;
    s->cls = a->cls;
    s->canary = !c->guarded;
    s->g_flags = (uint8_t)((s->canary ? ANT__G_CANARY : 0) |
                           (ant__exceptions_exist() ? ANT__G_EXCEPTIONS : 0));
    s->opened = false;
    s->low = a->base + c->slot * class_bytes(a->cls) + (c->guarded ? guard_bytes(a->cls) : 0);
    if (s->canary)
        plant_canary(s);
    ant__track_create(&s->track, s->low, (size_t)((char *)s - s->low));
    atomic_fetch_add_explicit(&stacks.open, 1, memory_order_relaxed);
    return s;
}

/* Moves up to n stacks from the global list. Under the lock. */
static void take_warm(struct ant__stack_list *to, int cls, int n)
{
    struct ant__stack_list *from = &stacks.free[cls];

    while (from->head && n-- > 0) {
        struct ant__stack *s = from->head;

        /* Else we would wait for the memory of each before we know the next, with the lock. */
        if (s->ahead) {
            ant__prefetch(s->ahead);
            ant__prefetch(&s->ahead->next);
        }
        from->head = s->next;
        from->n--;
        s->next = to->head;
        to->head = s;
        to->n++;
    }
}

/* Fills an empty list: with up to n stacks that have pages, or else with one that has none yet, of
 * the run or of those that lie by. */
static int refill(struct ant__stack_list *to, int cls, int n, struct ant__stack_run *run)
{
    struct cold_slot cold = {0};
    struct ant__stack *s;
    bool reserved = false;
    int err = 0;

    ant__lock(&stacks.lock);
    take_warm(to, cls, n);
    if (!to->head && run->n == 0 && !take_cold(&cold, cls)) {
        err = reserve_run(run, cls);
        reserved = err == 0;
    }
    ant__unlock(&stacks.lock);
    if (to->head || err)
        return err;
    if (reserved)
        guard_run(run);
    if (!cold.arena)
        cold = run_next(run);
    s = slot_open(&cold);
    s->next = NULL;
    to->head = s;
    to->n = 1;
    return 0;
}

int ant__stack_refill(struct ant__p *p, int cls)
{
    return refill(&p->stacks[cls], cls, BATCH, &p->stack_runs[cls]);
}

struct making {
    int cls;
    struct ant__stack *stack;
    int err;
};

static void make(void *arg)
{
    struct making *making = arg;
    struct ant__stack_list one = {0};
    struct ant__stack_run run = {0};

    making->err = refill(&one, making->cls, 1, &run);
    ant__stack_run_drop(&run);
    making->stack = one.head;
}

int ant__stack_make(struct ant__stack **ret_stack, int cls)
{
    struct making making = {.cls = cls};

    ant__with_room(make, &making);
    *ret_stack = making.stack;
    return making.err;
}

void ant__stack_spill(struct ant__stack_list *list, int cls, int keep)
{
    struct ant__stack *first = list->head, *last = first, *behind = first;
    int n = list->n - keep;

    if (n <= 0)
        return;
    first->ahead = NULL;
    for (int i = 1; i < n; i++) {
        last = last->next;
        last->ahead = NULL;
        if (i >= AHEAD) {
            behind->ahead = last;
            behind = behind->next;
        }
    }
    list->head = last->next;
    list->n = keep;
    ant__lock(&stacks.lock);
    last->next = stacks.free[cls].head;
    stacks.free[cls].head = first;
    stacks.free[cls].n += n;
    ant__unlock(&stacks.lock);
}

/* Gives the pages of one stack back; its guard, if any, stays. False: part of the guard is open, and
 * cannot be put up again, which nobody would know then. */
static bool trim_one(struct ant__stack *s)
{
    struct cold_slot c = {.arena = s->arena, .slot = s->slot, .guarded = !s->canary};
    size_t bytes = class_bytes(s->cls);

    ant__stack_reguard(s);
    if (s->opened)
        return false;
    ant__track_destroy(&s->track);
    if (shares_pages(s->cls))
        s->arena = NULL; /* as it reads when its page is gone, for arena_forget */
    else
        madvise(c.arena->base + c.slot * bytes, bytes, MADV_DONTNEED);
    atomic_fetch_sub_explicit(&stacks.open, 1, memory_order_relaxed);
    ant__lock(&stacks.lock);
    put_cold(&c);
    ant__unlock(&stacks.lock);
    return true;
}

/* A free stack to be trimmed, or NULL. */
static struct ant__stack *take_surplus(void)
{
    struct ant__stack_list one = {0};

    ant__lock(&stacks.lock);
    for (int cls = 0; cls < ANT__STACK_CLASSES && !one.head; cls++) {
        if (stacks.free[cls].n > TRIM_KEEP)
            take_warm(&one, cls, 1);
    }
    ant__unlock(&stacks.lock);
    return one.head;
}

static void put_back(struct ant__stack *s)
{
    struct ant__stack_list one = {.head = s, .n = 1};

    s->next = NULL;
    ant__stack_spill(&one, s->cls, 0);
}

bool ant__stacks_trimmable(void)
{
    bool surplus = false;

    ant__lock(&stacks.lock);
    for (int cls = 0; cls < ANT__STACK_CLASSES; cls++)
        surplus |= stacks.free[cls].n > TRIM_KEEP;
    ant__unlock(&stacks.lock);
    return surplus;
}

bool ant__stacks_trim(const struct ant__note *note, ant_time until)
{
    int saved = ant__errno();
    struct ant__stack *s;
    bool go_on = true;

    while (go_on && (s = take_surplus())) {
        if (!trim_one(s)) {
            put_back(s);
            break;
        }
        go_on = !ant__load_relaxed(&note->posted) && ant__now() < until;
    }
    ant__errno_set(saved);
    return !go_on;
}

static void arena_free(struct ant__arena *a)
{
    arena_forget(a);
    ant__track_clear(a->base, a->bytes);
    ant__unmap(a->base, a->bytes);
    free(a);
}

/* Threads that did not end in time may yet use their stacks: then nothing is unmapped. */
void ant__stacks_free(bool unmap)
{
    for (int cls = 0; cls < ANT__STACK_CLASSES; cls++) {
        while (stacks.arenas[cls]) {
            struct ant__arena *a = stacks.arenas[cls];

            stacks.arenas[cls] = a->next;
            if (unmap) {
                arena_free(a);
            } else {
                a->next = stacks.kept;
                stacks.kept = a;
            }
        }
        stacks.free[cls] = (struct ant__stack_list){0};
        stacks.cold_n[cls] = stacks.reserved[cls] = 0;
    }
}

size_t ant__stack_size(const struct ant__stack *s)
{
    return class_bytes(s->cls);
}

/* Of small stacks not from the record, which an overflow of the stack above overwrites. */
static const char *low_of(const struct ant__g *g)
{
    if (has_guard(g->stack_class))
        return g->stack->low;
    return (const char *)g->stack + RECORD - class_bytes(g->stack_class);
}

/* Small stacks follow one another: where the record of one ends, the next one's canary lies, or nothing
 * yet. If that is gone, its goroutine is to blame for whatever happens to this one. */
static void check_above(const struct ant__g *g)
{
    const char *top = (const char *)g->stack + RECORD;
    uint64_t word = *(const uint64_t *)top;

    if (ant__unlikely(word != CANARY && word != 0))
        ant__stack_overflow(
            ((const struct ant__stack *)(top + class_bytes(g->stack_class) - RECORD))->g, top);
}

void ant__stack_check(const struct ant__g *g, const void *at)
{
    const char *low = low_of(g);

    if (ant__unlikely(*(const uint64_t *)low != CANARY || (const char *)at < low))
        ant__stack_overflow(g, at);
    if (!has_guard(g->stack_class))
        check_above(g);
}

/* Not if it runs on a stack of its own making. */
void ant__stack_check_entry(const struct ant__g *g, const void *sp)
{
    const char *low = low_of(g);
    bool own = (uintptr_t)sp - (uintptr_t)low + FAR < (uintptr_t)g->stack - (uintptr_t)low + FAR;

    ant__stack_check(g, own ? (const char *)sp - ANT__STACK_ENTRY : low);
}

struct overflow {
    const struct ant__g *g;
    const void *address;
};

static void report_overflow(void *arg)
{
    const struct overflow *o = arg;
    const struct ant__g *g = o->g;
    size_t size = class_bytes(g->stack_class);

    ant__dump_g(STDERR_FILENO, g);
    ant__fatal(
        "stack overflow at %#llx in goroutine %llu%s%s, whose stack has %zu bytes: give it a "
        "larger one by ant_go_options.stack_size, or all by ANTHILL=stack=%zuk",
        (unsigned long long)(uintptr_t)o->address, (unsigned long long)g->id,
        g->stack->name ? " " : "", g->stack->name ? g->stack->name : "", size, size / 512);
}

/* address lies in or below the lowest page of g's stack. */
void ant__stack_overflow(const struct ant__g *g, const void *address)
{
    ant__with_room(report_overflow, &(struct overflow){.g = g, .address = address});
    abort();
}

bool ant__stack_hit(const struct ant__stack *s, const void *address)
{
    const char *at = address;

    /* Without guard, a fault close below is that of the lowest slot of an arena. */
    return at < s->low && at >= s->low - (s->canary ? 64 << 10 : guard_bytes(s->cls));
}

/* The goroutine in whose guard the address lies, or NULL. For a handler: without the lock, if somebody has
 * it. */
const struct ant__g *ant__stack_overflown(const void *address)
{
    const struct ant__g *g = NULL;
    bool locked = ant__trylock(&stacks.lock);

    for (int cls = 0; cls < ANT__STACK_CLASSES; cls++) {
        for (struct ant__arena *a = stacks.arenas[cls]; a && has_guard(cls); a = a->next) {
            size_t offset = (size_t)((const char *)address - a->base);
            const struct ant__stack *s = record_of(a, (uint32_t)(offset / class_bytes(cls)));

            if (offset < a->bytes && !a->canary && ant__stack_hit(s, address))
                g = s->g;
        }
    }
    if (locked)
        ant__unlock(&stacks.lock);
    return g;
}

/* The part of the guard that can be opened; the lowest page never is. */
static char *spare_low(const struct ant__stack *s)
{
    return s->low - guard_bytes(s->cls) + stacks.page;
}

bool ant__stack_holds(const struct ant__stack *s, const void *at, bool opened)
{
    const char *low = opened && s->opened ? spare_low(s) : s->low;

    return (const char *)at >= low + 1024 && (const char *)at < (const char *)s;
}

bool ant__stack_open(struct ant__stack *s)
{
    size_t size = (size_t)(s->low - spare_low(s));

    if (s->canary || s->opened || size == 0)
        return false;
    s->opened = stacks.guard == GUARD_MADVISE
                    ? madvise(spare_low(s), size, MADV_GUARD_REMOVE) == 0
                    : mprotect(spare_low(s), size, PROT_READ | PROT_WRITE) == 0;
    return s->opened;
}

/* That may fail, as for memory that was locked meanwhile. Then it counts as open, and is tried again when
 * the next goroutine begins on it: a second overflow finds no room to panic in, and is reported. */
void ant__stack_reguard_slow(struct ant__stack *s)
{
    size_t size = (size_t)(s->low - spare_low(s));

    s->opened = stacks.guard == GUARD_MADVISE
                    ? ant__madvise(spare_low(s), size, MADV_GUARD_INSTALL) != 0
                    : ant__protect_none(spare_low(s), size) != 0;
}

void ant__stack_stats(ant_stats *stats)
{
    static const char *const names[] = {"madvise", "mprotect", "canary"};

    ant__lock(&stacks.lock);
    stats->stacks = ant__load_relaxed(&stacks.open);
    stats->stack_bytes = stacks.bytes;
    stats->stack_guard = names[stacks.guard];
    ant__unlock(&stacks.lock);
}
