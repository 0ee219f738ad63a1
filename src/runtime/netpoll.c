/* netpoll.c - descriptors that goroutines wait for: one epoll instance, and who waits in it.
 *
 * A descriptor is registered once, edge-triggered, for both directions, with a source. When something
 * happens on it, whoever polls calls source->ready, which readies who waits for it. An event may be
 * stale: of a descriptor that was closed a moment ago and whose source belongs to another one by now.
 * So a source's memory is never freed, and an event means no more than "try again".
 *
 * Who polls. An M without work polls before it steals, and again and again while it searches; a busy
 * P every 100 us or so (look_around in sched.c); sysmon, if nobody has for 10 ms. When nothing is to
 * be done one of the idle Ms sleeps in epoll_wait and not on its note (idle.c), the poller; it is at
 * most one, so that who wakes it need not ask which one the eventfd would wake.
 *
 * A busy P that always polled would push those it found earlier from its ring into the global queue, and
 * serve again and again whom it found last. So it runs as many goroutines as it found before it polls
 * again.
 *
 * What another backend would have to offer is in netpoll.h. Of epoll the rest knows only the bits of
 * its events, by which descriptors are told to be readable or writable, and that what was polled is
 * an array of them.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/netpoll.h"
#include "runtime/preempt.h"

static struct {
    struct ant__lock lock; /* around opening */
    _Atomic bool open;
    int epoll;
    int wake;                         /* an eventfd */
    _Atomic bool breaking;            /* the eventfd was written to, and not read since */
    _Atomic(struct ant__m *) sleeper; /* who sleeps in epoll_wait */
    _Atomic bool no_pwait2;
    _Atomic int64_t last;     /* when somebody polled */
    _Atomic uint32_t sources; /* handed to the kernel: so C knows that who gets one back sees it */
} poller = {.epoll = -1, .wake = -1};

_Atomic(void (*)(bool)) ant__io_close_all;

bool ant__poll_is_open(void)
{
    return ant__load_acquire(&poller.open); /* then the descriptors are there */
}

bool ant__poll_is_unattended(void)
{
    return ant__poll_is_open() && !atomic_load(&poller.sleeper);
}

/* ---- opening and closing ---- */

static void close_both(void)
{
    if (poller.epoll >= 0)
        close(poller.epoll);
    if (poller.wake >= 0)
        close(poller.wake);
    poller.epoll = poller.wake = -1;
}

static int open_both(void)
{
    int err = ant__poll_open(&poller.epoll, &poller.wake);

    if (!err)
        err = ant__poll_register(poller.epoll, poller.wake, EPOLLIN, NULL);
    if (err)
        close_both();
    return err;
}

static int open_once(bool *ret_first)
{
    int err = 0;
    uint8_t was = ant__lock_steady(&poller.lock);

    *ret_first = !ant__poll_is_open();
    if (*ret_first) {
        err = open_both();
        ant__store_relaxed(&poller.breaking, false);
        ant__store_relaxed(&poller.last, ant__now());
        ant__store_release(&poller.open, err == 0);
    }
    ant__unlock_steady(&poller.lock, was);
    return err;
}

int ant__poll_add(int fd, uint32_t events, struct ant__source *source)
{
    bool first = false;
    int saved = ant__errno(), err = 0;

    if (!ant__load_acquire(&poller.open))
        err = open_once(&first);
    if (first && !err) { /* Ms that sleep now, sleep without polling */
        struct ant__m *m = ant__enter();

        ant__keeper_renew();
        if (m)
            ant__leave(m);
    }
    atomic_fetch_add_explicit(&poller.sources, 1, memory_order_release);
    if (!err)
        err = ant__poll_register(poller.epoll, fd, events, source);
    ant__errno_set(saved);
    return err;
}

void ant__poll_remove(int fd)
{
    int saved = ant__errno();

    epoll_ctl(poller.epoll, EPOLL_CTL_DEL, fd, NULL);
    ant__errno_set(saved);
}

void ant__poll_close(bool all_ended)
{
    void (*close_all)(bool) = ant__load_relaxed(&ant__io_close_all);

    if (close_all)
        close_all(all_ended);
    ant__store_relaxed(&poller.open, false);
    close_both();
}

/* ---- waiting ---- */

static int wait_ms(struct epoll_event *events, ant_duration left)
{
    int64_t ms = left == ANT__NEVER ? -1 : (left + ANT_MILLISECOND - 1) / ANT_MILLISECOND;

    return epoll_wait(poller.epoll, events, ANT__POLL_EVENTS, ms > INT32_MAX ? INT32_MAX : (int)ms);
}

static int wait_ns(struct epoll_event *events, ant_duration left)
{
#ifdef SYS_epoll_pwait2
    struct timespec t = {.tv_sec = left / ANT_SECOND, .tv_nsec = left % ANT_SECOND};
    int n;

    if (ant__load_relaxed(&poller.no_pwait2) || left == 0 || left == ANT__NEVER)
        return wait_ms(events, left);
    n = (int)syscall(SYS_epoll_pwait2, poller.epoll, events, ANT__POLL_EVENTS, &t, NULL, 0);
    if (n >= 0 || ant__errno() == EINTR)
        return n; /* else it is not known here, or forbidden */
    ant__store_relaxed(&poller.no_pwait2, true);
#endif
    return wait_ms(events, left);
}

static int wait_until(struct epoll_event *events, ant_time until)
{
    ant_duration left = until == ANT__NEVER ? ANT__NEVER : until == 0 ? 0 : until - ant__now();
    int saved = ant__errno();
    int n = wait_ns(events, left > 0 ? left : 0);

    (void)ant__load_acquire(&poller.sources);
    ant__errno_set(saved);
    return n > 0 ? n : 0; /* a signal: as if nothing had happened */
}

/* ---- sleeping, and being woken ----
 *
 * Who wakes an M stores its note and then looks whether it is the sleeper; the sleeper says so and
 * then looks at its note. The eventfd is read by the sleeper alone, and before anybody else can
 * become it: so nobody takes a wake-up that is meant for another. */

bool ant__poll_has_sleeper(struct ant__m *m)
{
    return ant__load_relaxed(&poller.sleeper) == m;
}

bool ant__poll_break(struct ant__m *m)
{
    uint64_t one = 1;
    int saved = ant__errno();

    if (ant__likely(atomic_load(&poller.sleeper) != m))
        return false;
    if (!atomic_exchange(&poller.breaking, true) && write(poller.wake, &one, sizeof one) < 0)
        ant__fatal("cannot wake the poller: %s", ant_strerror(-ant__errno()));
    ant__errno_set(saved);
    return true;
}

/* Takes the eventfd's event out of what was polled. */
static void end_break(struct ant__polled *polled)
{
    uint64_t count;
    int saved = ant__errno();

    for (int i = 0; i < polled->n; i++) {
        if (polled->events[i].data.ptr)
            continue;
        if (read(poller.wake, &count, sizeof count) > 0)
            atomic_store(&poller.breaking, false);
        polled->events[i] = polled->events[--polled->n];
        break;
    }
    ant__errno_set(saved);
}

bool ant__poll_sleep(struct ant__m *m, struct ant__polled *polled, ant_time until)
{
    struct ant__m *none = NULL;

    polled->n = 0;
    if (!ant__poll_is_open() || !atomic_compare_exchange_strong(&poller.sleeper, &none, m))
        return false;
    if (!atomic_load(&m->note.posted))
        polled->n = wait_until(polled->events, until);
    end_break(polled);
    atomic_store(&poller.sleeper, NULL);
    return true;
}

/* ---- what was found ---- */

void ant__poll_dispatch(const struct ant__polled *polled, struct ant__p *p, struct ant__glist *out)
{
    ant__store_relaxed(&poller.last, p ? p->now : ant__now());
    for (int i = 0; i < polled->n; i++) {
        struct ant__source *source = polled->events[i].data.ptr;

        if (source)
            source->ready(source, polled->events[i].events, p, out);
    }
}

void ant__poll_quick(struct ant__p *p, struct ant__glist *out)
{
    struct ant__polled polled;

    if (p) {
        p->now = ant__now();
        ant__store_relaxed(&p->polled_at, p->now);
    }
    polled.n = wait_until(polled.events, 0);
    ant__poll_dispatch(&polled, p, out);
    if (p)
        p->poll_after = ant__load_relaxed(&p->switches) + (uint64_t)out->n;
}

bool ant__poll_is_due(ant_time now, ant_duration after)
{
    return ant__poll_is_open() && now - ant__load_relaxed(&poller.last) >= after;
}

bool ant__poll_is_wanted(const struct ant__p *p)
{
    return ant__poll_is_due(p->now, ANT__POLL_EVERY) &&
           ant__load_relaxed(&p->switches) >= p->poll_after;
}

bool ant__poll_by_others(const struct ant__p *p, ant_time since)
{
    for (int i = 0; i < ant__load_acquire(&ant__sched.all_ps_n); i++) {
        if (i != p->id && ant__load_relaxed(&ant__p_at(i)->polled_at) >= since)
            return true;
    }
    return false;
}

/* sysmon says that it looks (sched.sysmon_looks) before it counts whom it found as foreign: who sees it
 * counted (acquire) sees that too, if that is looked at last. */
bool ant__poll_waits(void)
{
    int64_t n = ant__load_acquire(&ant__sched.foreign_io_waiting);

    for (int i = 0; i < ant__load_acquire(&ant__sched.all_ps_n); i++)
        n += ant__load_relaxed(&ant__p_at(i)->io_waiting);
    return n > 0;
}

void ant__poll_count_waiting(struct ant__p *p, int n)
{
    if (p)
        ant__count(&p->io_waiting, n);
    else
        atomic_fetch_add(&ant__sched.foreign_io_waiting, n);
}
