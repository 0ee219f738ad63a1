/* dump.c - showing goroutines to people: state, since when, where, created by; and the deadlock
 * report. What is shown was recorded before (record.c), so that writing, which may block, stops
 * nobody. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "runtime/frames.h"
#include "runtime/record.h"
#include "runtime/symbol.h"

static double seconds(ant_duration d)
{
    return (double)d / (double)ANT_SECOND;
}

static void print_state(struct ant__out *out, const struct ant__record *r)
{
    ant__out_print(out, "[%s", r->state);
    if (r->waits && r->count == 1)
        ant__out_print(out, ", %.3f s", seconds(r->longest));
    else if (r->waits)
        ant__out_print(out, ", %.3f to %.3f s", seconds(r->shortest), seconds(r->longest));
    ant__out_print(out, "%s]:", r->tied ? ", locked to thread" : "");
}

/* Numbers and names of the first ones. */
static void print_shown(struct ant__out *out, const struct ant__record *r)
{
    for (int i = 0; i < r->count && i < ANT__RECORD_SHOWN; i++)
        ant__out_print(out, "%s %llu%s%s", i ? "," : "", (unsigned long long)r->shown[i].id,
                       r->shown[i].name ? " " : "", r->shown[i].name ? r->shown[i].name : "");
    ant__out_print(out, "%s\n", r->count > ANT__RECORD_SHOWN ? ", ..." : "");
}

static void print_head(struct ant__out *out, const struct ant__record *r)
{
    const char *name = r->shown[0].name;

    if (r->count > 1) {
        ant__out_print(out, "%lld goroutines ", (long long)r->count);
        print_state(out, r);
        print_shown(out, r);
        return;
    }
    ant__out_print(out, "goroutine %llu ", (unsigned long long)r->shown[0].id);
    print_state(out, r);
    ant__out_print(out, "%s%s\n", name ? " " : "", name ? name : "");
}

static void print_record(struct ant__out *out, const struct ant__record *r)
{
    print_head(out, r);
    ant__frames_print(out, r->frames, r->frames_n);
    ant__symbol_print(out, "  entry ", (char *)r->entry + 1);
    if (r->creator && r->parent)
        ant__out_print(out, "  created by goroutine %llu at ", (unsigned long long)r->parent);
    else if (r->creator)
        ant__out_print(out, "  created at ");
    if (r->creator)
        ant__symbol_print(out, "", r->creator);
    ant__out_print(out, "\n");
}

void ant__dump_g(int fd, const struct ant__g *g)
{
    struct ant__out out = {.fd = fd};
    void *frames[ANT__RECORD_FRAMES];
    struct ant__record r;

    ant__record_one(g, &r, frames);
    print_record(&out, &r);
    ant__out_flush(&out);
}

/* ---- all of them ---- */

static int print_all(int fd, const struct ant__records *r)
{
    struct ant__out out = {.fd = fd};

    ant__symbols_forget();
    ant__out_print(&out, "%d goroutines, %d procs\n\n", r->goroutines, r->procs);
    for (const struct ant__record *each = r->first; each; each = each->next)
        print_record(&out, each);
    if (r->lost)
        ant__out_print(&out, "and %lld more, for which there was no memory\n", (long long)r->lost);
    return ant__out_flush(&out);
}

static int record_and_print(int fd, const void *caller)
{
    struct ant__records *records;
    int err = ant__record_all(caller, &records);

    if (err == -EAGAIN)
        ant__print(fd, "anthill: the goroutines could not be stopped, so there is no dump\n");
    if (err == -ENOMEM)
        ant__print(fd, "anthill: there is no memory for a dump\n");
    if (err)
        return err;
    err = print_all(fd, records);
    ant__records_free(records);
    return err;
}

int ant__dump(int fd, const void *caller)
{
    int saved = ant__errno(), err;

    if (fcntl(fd, F_GETFL) < 0) {
        ant__errno_set(saved);
        return -EBADF;
    }
    ant__cancel_off();
    err = record_and_print(fd, caller);
    ant__cancel_back();
    return err;
}

/* ---- asked for by a signal ---- */

enum { THREAD_STACK = 256 << 10 };

/* The thread is there while there are dumps that are not written yet, and until it is joined. */
static struct {
    _Atomic int asked_for;
    pthread_t thread;
    bool made; /* sysmon alone looks at these two, and who has stopped it */
} aside;

static void *dump_in_thread(void *arg)
{
    int n;

    do {
        n = atomic_load(&aside.asked_for);
        ant__dump(STDERR_FILENO, NULL);
    } while (atomic_fetch_sub(&aside.asked_for, n) >
             n); /* those that came meanwhile get one together */
    return NULL;
}

/* In a thread of its own: the reader of our standard error may be slow, or one of our goroutines. */
int ant__dump_aside(void)
{
    int err;

    if (atomic_fetch_add(&aside.asked_for, 1) > 0)
        return 0;
    if (aside.made) /* it is at its end */
        pthread_join(aside.thread, NULL);
    err = ant__thread_create(&aside.thread, THREAD_STACK, dump_in_thread, NULL);
    aside.made = err == 0;
    if (err)
        atomic_store(&aside.asked_for, 0);
    return err;
}

bool ant__dump_aside_ended(void)
{
    if (aside.made)
        aside.made = pthread_tryjoin_np(aside.thread, NULL) != 0;
    return !aside.made;
}

void ant__dump_forked(void)
{
    atomic_store(&aside.asked_for, 0);
    aside.made = false;
}

/* ---- deadlock ---- */

/* Called with all Ms asleep, and perhaps by sysmon as well, which has seen the same. */
void ant__deadlock(void)
{
    static _Atomic bool told;

    while (atomic_exchange(&told, true))
        pause(); /* until the other one has ended the process */
    ant__log("%s - deadlock!", ant__sched.main_exited && ant__g_count() == 0
                                   ? "no goroutines (main called ant_exit)"
                                   : "all goroutines are asleep");
    print_all(STDERR_FILENO, ant__record_asleep());
    _exit(2);
}
