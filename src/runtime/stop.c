/* stop.c - stopping: waiting for who must come out, telling who does not, and freeing all.
 *
 * Every wait has an end. Goroutines in user code have stop_timeout to call in; their threads are
 * orphans then. A thread inside of the runtime is at a few instructions, which only the want of a CPU
 * makes long. If one does not come out in ten seconds, all the same, nothing can be freed, since it may
 * hold a lock or look at anything: the runtime stays as it is, and stopping may be tried again. */
#include <errno.h>
#include <stdio.h>

#include "runtime/netpoll.h"
#include "runtime/preempt.h"
#include "runtime/signals.h"

enum { TOLD = 4 }; /* goroutines by number and name */

ant_duration ant__stop_tell_after = ANT_SECOND, ant__stop_inside_for = 10 * ANT_SECOND;

_Atomic(void (*)(void)) ant__cancel_left;

void ant__stop_begin(void)
{
    atomic_store(&ant__sched.life, ANT__STOPPING);
    ant__ms_claim(ANT__CLAIM_STOP);
}

/* Looks again and again, ever more rarely. */
static bool wait_for(bool (*holds)(void), ant_time deadline)
{
    ant_duration pause = 10 * ANT_MICROSECOND;

    while (!holds()) {
        if (ant__now() >= deadline)
            return false;
        ant__sleep_as_thread(pause);
        if (pause < ANT_MILLISECOND)
            pause *= 2;
    }
    return true;
}

static bool no_foreign_inside(void)
{
    return atomic_load(&ant__sched.foreign_inside) == 0;
}

bool ant__foreign_gone(void)
{
    return wait_for(no_foreign_inside, ant__time_add(ant__now(), ant__stop_inside_for));
}

/* ---- telling ---- */

struct kept {
    int n; /* goroutines in user code */
    char text[512];
};

static void describe(struct kept *k)
{
    size_t at = 0;

    for (struct ant__m *m = ant__sched.all_ms; m && at < sizeof k->text; m = m->next_all) {
        const char *name = m->g && m->g->stack ? m->g->stack->name : NULL;

        if (!m->g || k->n++ >= TOLD)
            continue;
        at += (size_t)snprintf(k->text + at, sizeof k->text - at, "%s%llu%s%.60s", at ? ", " : "",
                               (unsigned long long)m->g->id, name ? " " : "", name ? name : "");
    }
}

static struct kept kept_in_user_code(void)
{
    struct kept k = {0};

    if (!wait_for(ant__ms_none_inside, ant__now() + 10 * ANT_MILLISECOND) ||
        !ant__pause_all(NULL)) /* so that they stay where they are */
        return k;
    ant__lock(&ant__sched.lock);
    describe(&k);
    ant__unlock(&ant__sched.lock);
    ant__resume_all();
    return k;
}

static void tell(const char *what, const char *consequence)
{
    struct kept k = kept_in_user_code();

    if (k.n > 0)
        ant__log("%s %d goroutine%s in user code (%s%s)%s", what, k.n, k.n > 1 ? "s" : "", k.text,
                 k.n > TOLD ? ", ..." : "", consequence);
}

/* ---- the steps ---- */

static void wait_for_user_code(ant_time deadline)
{
    ant_time early = ant__now() + ant__stop_tell_after;

    if (early < deadline && !ant__ms_wait_ended(early))
        tell("stopping waits for", ", until they call into the runtime or end");
    if (!ant__ms_wait_ended(deadline))
        tell("stopped without waiting longer for", ": their threads and all stacks stay mapped");
}

/* A thread whose goroutine has ended may be in a destructor of the program's. */
static bool join_ended(ant_time deadline)
{
    ant_time soon = ant__now() + ANT_SECOND;
    int n;

    if (wait_for(ant__ms_joined, deadline > soon ? deadline : soon))
        return true;
    n = ant__ms_detach();
    ant__log("stopped without waiting longer for %d thread%s of ours in a destructor of "
             "pthread_key_create",
             n, n > 1 ? "s" : "");
    return false;
}

/* A dump that SIGQUIT asked for is written by a thread of its own, whose reader may be slow. */
static bool join_dumper(ant_time deadline)
{
    ant_time soon = ant__now() + ANT_SECOND;

    if (wait_for(ant__dump_aside_ended, deadline > soon ? deadline : soon))
        return true;
    if (ant__log_has_room())
        ant__log(
            "stopped without waiting longer for the dump that SIGQUIT asked for to be written");
    return false;
}

/* Frees all, but not what a thread that is left may use. */
void ant__free_all(bool unmap)
{
    void (*cancel_left)(void) = ant__load_relaxed(&ant__cancel_left);

    if (cancel_left)
        cancel_left();
    ant__wheels_drop();
    ant__fence(); /* who is inside from now on finds its timer on no wheel */
    unmap &= ant__foreign_gone();
    ant__poll_close(unmap);
    ant__locals_forget_all(unmap);
    ant__procs_free(unmap);
    ant__gs_free(unmap);
    ant__stacks_free(unmap);
}

static void forget_signals(void)
{
    const struct ant__signal_user *user = ant__load_acquire(&ant__signal_user);

    if (user)
        user->forget();
}

int ant__stop_now(void)
{
    ant_time deadline = ant__time_add(ant__now(), ant__sched.config.stop_timeout);
    bool all, joined;

    ant__stop_begin();
    if (!ant__foreign_gone())
        goto inside;
    forget_signals(); /* now, so that a second Ctrl-C ends a program that waits here */
    wait_for_user_code(deadline);
    ant__barrier_all(); /* who is in user code now will see the claim when entering */
    if (!wait_for(ant__ms_none_inside, ant__time_add(ant__now(), ant__stop_inside_for)))
        goto inside;
    all = ant__ms_leave_orphans();
    ant__sysmon_stop();
    joined = join_ended(deadline);
    joined = join_dumper(deadline) && joined;
    forget_signals(); /* of a goroutine that was just asking */
    ant__preempt_remove();
    ant__faults_remove();
    ant__free_all(all);
    atomic_store(&ant__sched.life, ANT__OFF);
    return all && joined ? 0 : ANT_ETIMEOUT;

inside:
    ant__log("cannot stop: a thread has been inside of a call of Anthill for %.3g s. Was it "
             "cancelled, or is it held by a debugger? ant_stop tries again",
             (double)ant__stop_inside_for / ANT_SECOND);
    ant__store_relaxed(&ant__sched.main_mode, false); /* it is ant_stop's now */
    return -EBUSY;
}
