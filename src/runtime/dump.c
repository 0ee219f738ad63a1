/* dump.c - showing goroutines to people: state, since when, where, created by; and the deadlock
 * report. */
#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <unistd.h>

#include "runtime/runtime.h"

enum { FRAMES = 64 };

static const char *reason_name(uint8_t reason)
{
    switch (reason) {
    case ANT__WAIT_SLEEP:
        return "sleep";
    case ANT__WAIT_WAITGROUP:
        return "waitgroup wait";
    case ANT__WAIT_SEND:
        return "chan send";
    case ANT__WAIT_RECV:
        return "chan receive";
    case ANT__WAIT_SEND_NULL:
        return "chan send (NULL channel)";
    case ANT__WAIT_RECV_NULL:
        return "chan receive (NULL channel)";
    case ANT__WAIT_SELECT:
        return "select";
    case ANT__WAIT_SELECT_NULL:
        return "select (no cases)";
    case ANT__WAIT_MUTEX:
        return "mutex lock";
    case ANT__WAIT_RWMUTEX:
        return "rwmutex lock";
    case ANT__WAIT_COND:
        return "cond wait";
    case ANT__WAIT_SEM:
        return "semaphore acquire";
    case ANT__WAIT_SUBMIT:
        return "pool submit (it is full)";
    case ANT__WAIT_POOL:
        return "pool wait (for its tasks)";
    case ANT__WAIT_READ:
        return "IO wait, to read";
    case ANT__WAIT_WRITE:
        return "IO wait, to write";
    }
    return "waiting";
}

static const char *state_name(const struct ant__g *g)
{
    switch (ant__load_relaxed(&g->state)) {
    case ANT__G_RUNNABLE:
        return "runnable";
    case ANT__G_RUNNING:
        return "running";
    case ANT__G_WAITING:
        return reason_name(g->reason);
    }
    return "ended";
}

/* ---- addresses ---- */

static void print_symbol(struct ant__out *out, const char *indent, void *address)
{
    struct ant__symbol s;

    /* A return address may lie behind the end of its function: the call itself is one before. */
    ant__symbol_find((char *)address - 1, &s);
    if (!s.file)
        ant__out_print(out, "%s%p\n", indent, address);
    else if (s.name[0])
        ant__out_print(out, "%s%s+0x%zx (%s+0x%zx)\n", indent, s.name, s.offset + 1, s.file,
                       s.file_offset + 1); /* what addr2line wants is in the brackets */
    else
        ant__out_print(out, "%s%s+0x%zx\n", indent, s.file, s.file_offset + 1);
}

void ant__frames_print(struct ant__out *out, void *const *frames, int n)
{
    for (int i = 0; i < n; i++)
        print_symbol(out, "    ", frames[i]);
}

/* ---- one goroutine ---- */

struct walk {
    void *frames[FRAMES];
    int n;
};

static void collect(void *arg)
{
    struct walk *w = arg;

    w->n = backtrace(w->frames, FRAMES);
}

/* The frames of a goroutine that is not running, or of the one that asks. */
static void print_frames(struct ant__out *out, const struct ant__g *g)
{
    struct ant__m *m = ant__m();
    struct walk w = {.n = 0};
    int above = 0;

    if (m && m->g == g) {
        collect(&w);
    } else if (g->stack && ant__load_relaxed(&g->state) != ANT__G_RUNNING) {
        ant__unwind_from(g->sp, collect, &w);
        above = 2; /* collect and ant__unwind_from */
    }
    /* Below lie ant__g_main and ant__switch_begin. */
    if (w.n > above + 2)
        ant__frames_print(out, w.frames + above, w.n - above - 2);
}

static uint64_t parent_id(const struct ant__g *g)
{
    return g->id + (uint64_t)(int64_t)g->parent;
}

static void print_g(struct ant__out *out, const struct ant__g *g)
{
    uint8_t state = ant__load_relaxed(&g->state);
    const char *name;

    ant__out_print(out, "goroutine %llu [%s", (unsigned long long)g->id, state_name(g));
    if (state == ANT__G_WAITING)
        ant__out_print(out, ", %.3f s",
                       (double)(ant__now() - g->stack->since) / (double)ANT_SECOND);
    name = g->stack                     ? g->stack->name
           : ant__g_is(g, ANT__G_ANNEX) ? ((const struct ant__annex *)g->arg)->name
                                        : NULL;
    ant__out_print(out, "%s]:%s%s\n", ant__g_is(g, ANT__G_LOCKED) ? ", locked to thread" : "",
                   name ? " " : "", name ? name : "");
    print_frames(out, g);
    print_symbol(out, "  entry ", (char *)g->fn + 1);
    if (g->creator) {
        if (g->parent)
            ant__out_print(out, "  created by goroutine %llu at ",
                           (unsigned long long)parent_id(g));
        else
            ant__out_print(out, "  created at ");
        print_symbol(out, "", g->creator);
    }
    ant__out_print(out, "\n");
}

void ant__dump_g(int fd, const struct ant__g *g)
{
    struct ant__out out = {.fd = fd};

    print_g(&out, g);
    ant__out_flush(&out);
}

/* ---- all of them ---- */

static void visit(struct ant__g *g, void *out)
{
    print_g(out, g);
}

static void dump_paused(int fd)
{
    struct ant__out out = {.fd = fd};

    ant__out_print(&out, "%d goroutines, %d procs\n\n", ant__g_count(),
                   ant__load_relaxed(&ant__sched.procs));
    ant__g_visit(visit, &out);
    ant__out_flush(&out);
}

int ant__dump(struct ant__m *m, int fd)
{
    int saved = errno;

    if (fcntl(fd, F_GETFL) < 0) {
        errno = saved;
        return -EBADF;
    }
    if (!ant__pause_all(m)) {
        ant__print(fd, "anthill: the goroutines could not be stopped, so there is no dump\n");
        return -EAGAIN;
    }
    dump_paused(fd);
    ant__resume_all();
    return 0;
}

/* Called with all Ms asleep. */
void ant__deadlock(void)
{
    ant__log("%s - deadlock!", ant__sched.main_exited && ant__g_count() == 0
                                   ? "no goroutines (main called ant_exit)"
                                   : "all goroutines are asleep");
    dump_paused(STDERR_FILENO);
    _exit(2);
}
