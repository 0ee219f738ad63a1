/* procs.c - Ps: how many, which are idle, coming and going.
 *
 * sched.procs is how many may be used, sched.all_ps_n how many there ever were. A P whose number is
 * not below procs is being given up: if idle at once, else when its M next looks for work (or at
 * the latest when it would become idle). Until then its queue and timers are open to thieves like
 * any other's, and a P that is out of use has neither. So nobody has to be stopped for a resize,
 * and thieves simply visit all Ps there ever were.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/runtime.h"

/* ---- how many ---- */

enum { GROUP_MAX = 4096 };

const char *ant__fs_root = "";

/* path: below ant__fs_root. */
static int read_text(const char *path, char *text, size_t size)
{
    char full[2 * GROUP_MAX];
    ssize_t n;
    int fd;

    snprintf(full, sizeof full, "%s%s", ant__fs_root, path);
    fd = open(full, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return -ant__errno();
    n = read(fd, text, size - 1);
    close(fd);
    if (n < 0)
        return -EIO;
    text[n] = '\0';
    return 0;
}

/* A part of a CPU counts as one. */
static int cpus_of(long long quota, long long period)
{
    long long n = quota > 0 && period > 0 ? (quota - 1) / period + 1 : 0;

    return n > ANT__MAX_PROCS ? ANT__MAX_PROCS : (int)n;
}

/* CPUs by the quota of the control group at `path` (version 2); 0: no limit. */
static int quota_at(const char *path)
{
    char text[128];
    long long quota, period;

    if (read_text(path, text, sizeof text) != 0 || sscanf(text, "%lld %lld", &quota, &period) != 2)
        return 0; /* "max 100000" has no number in front */
    return cpus_of(quota, period);
}

/* With cgroup v1 only what is at the root of the mount: in a container that is its own group. A quota
 * of a group further down, outside of containers, is not seen. */
static int quota_v1(void)
{
    char quota[64], period[64];

    if (read_text("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", quota, sizeof quota) != 0 ||
        read_text("/sys/fs/cgroup/cpu/cpu.cfs_period_us", period, sizeof period) != 0)
        return 0;
    return cpus_of(atoll(quota), atoll(period));
}

/* The smallest quota on the way from our own control group to the root. */
int ant__procs_quota(void)
{
    char text[GROUP_MAX], path[GROUP_MAX + 64];
    char *group, *slash;
    int least = 0;

    if (read_text("/proc/self/cgroup", text, sizeof text) != 0 || !(group = strstr(text, "0::/")))
        return quota_v1();
    group += 3;
    group[strcspn(group, "\n")] = '\0';
    do {
        int n;

        snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.max", group);
        n = quota_at(path);
        if (n > 0 && (least == 0 || n < least))
            least = n;
        slash = strrchr(group, '/');
        if (slash)
            *slash = '\0';
    } while (slash);
    return least ? least : quota_v1();
}

int ant__procs_default(void)
{
    cpu_set_t set;
    int saved = ant__errno();
    int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                        : (int)sysconf(_SC_NPROCESSORS_ONLN);
    int q = ant__procs_quota();

    ant__errno_set(saved);
    if (q > 0 && q < n)
        n = q;
    return n < 1 ? 1 : n > ANT__MAX_PROCS ? ANT__MAX_PROCS : n;
}

/* ---- stealing order ---- */

static uint32_t gcd(uint32_t a, uint32_t b)
{
    while (b) {
        uint32_t r = a % b;

        a = b;
        b = r;
    }
    return a;
}

/* The k-th number (from 0, taken modulo how many there are) below n that has no divisor in common
 * with it; 1 for n == 1. */
static uint32_t coprime(uint32_t n, uint32_t k)
{
    uint32_t count = 0;

    if (n == 1)
        return 1;
    for (uint32_t c = 1; c < n; c++)
        count += gcd(c, n) == 1;
    k %= count;
    for (uint32_t c = 1; c < n; c++) {
        if (gcd(c, n) == 1 && k-- == 0)
            return c;
    }
    __builtin_unreachable();
}

void ant__tour_start(struct ant__tour *tour, uint32_t n, uint32_t random)
{
    /* Few Ps, as nearly always: the stride is found on the spot. Else a random one near it will do:
     * from any number the next coprime is a few steps away. */
    uint32_t stride = n <= 16 ? coprime(n, random / n) : random / n % (n - 1) + 1;

    while (gcd(stride, n) != 1)
        stride = stride % (n - 1) + 1;
    *tour = (struct ant__tour){.n = n, .left = n, .at = random % n, .stride = stride};
}

/* ---- Ps ---- */

struct ant__p *ant__p_at(int i)
{
    return ant__load_acquire(&ant__sched.all_ps[i]);
}

bool ant__p_is_idle(int i)
{
    return ant__load_relaxed(&ant__sched.idle_mask[i / 64]) >> i % 64 & 1;
}

static int p_new(int id, bool alone)
{
    void *memory = NULL;
    struct ant__p *p;
    int err = ant__map(&memory, sizeof *p);

    if (err)
        return err;
    p = memory;
    p->id = id;
    p->stride = 1;
    p->now = ant__now();
    ant__random_seed(&p->random, ant__sched.config.seed, (uint64_t)id);
    ant__wheel_init(&p->wheel, p->now);
    ant__store_relaxed(&p->runq.private, alone);
    ant__store_release(&ant__sched.all_ps[id], p);
    return 0;
}

struct ant__p *ant__p_idle_get(void)
{
    struct ant__p *p = ant__sched.idle_ps;

    if (p) {
        ant__sched.idle_ps = p->next_idle;
        p->use = ANT__P_HELD;
        atomic_fetch_and(&ant__sched.idle_mask[p->id / 64], ~((uint64_t)1 << p->id % 64));
        atomic_fetch_sub(&ant__sched.idle_ps_n, 1);
        ant__sysmon_rouse();
    }
    return p;
}

void ant__p_idle_put(struct ant__p *p)
{
    p->next_idle = ant__sched.idle_ps;
    ant__sched.idle_ps = p;
    p->use = ANT__P_IDLE;
    p->m = NULL;
    atomic_fetch_or(&ant__sched.idle_mask[p->id / 64], (uint64_t)1 << p->id % 64);
    atomic_fetch_add(&ant__sched.idle_ps_n, 1);
}

/* Makes the Ps from `from` up to n usable. Under sched.lock. */
static int grow(int from, int n)
{
    for (int i = from; i < n; i++) {
        struct ant__p *p = ant__p_at(i);

        if (!p) {
            int err = p_new(i, n == 1);

            if (err)
                return err;
            p = ant__p_at(i);
            ant__store_release(&ant__sched.all_ps_n, i + 1);
        }
        if (p->use == ANT__P_OUT) /* else its M has not yet noticed that it was to go */
            ant__p_idle_put(p);
        ant__store_relaxed(&ant__sched.procs, i + 1);
    }
    return 0;
}

int ant__procs_init(int n)
{
    int err;

    ant__lock(&ant__sched.lock);
    err = grow(0, n);
    ant__unlock(&ant__sched.lock);
    return err;
}

void ant__wheels_drop(void)
{
    for (int i = 0; i < ANT__MAX_PROCS && ant__p_at(i); i++)
        ant__wheel_drop(&ant__p_at(i)->wheel);
}

void ant__procs_free(bool unmap)
{
    for (int i = 0; i < ANT__MAX_PROCS && ant__p_at(i); i++) {
        if (unmap)
            ant__unmap(ant__p_at(i), sizeof(struct ant__p));
        ant__store_relaxed(&ant__sched.all_ps[i], NULL);
    }
}

bool ant__p_retire(struct ant__p *p)
{
    bool out;

    ant__runq_to_global(p);
    ant__g_drain(p);
    for (int cls = 0; cls < ANT__STACK_CLASSES; cls++) {
        ant__stack_spill(&p->stacks[cls], cls, 0);
        ant__stack_run_drop(&p->stack_runs[cls]);
    }
    ant__wheel_move(&ant__p_at(0)->wheel, &p->wheel);
    ant__wake_one();

    ant__lock(&ant__sched.lock);
    out = p->id >= ant__load_relaxed(&ant__sched.procs);
    if (out) {
        p->use = ANT__P_OUT;
        p->m = NULL;
    }
    ant__unlock(&ant__sched.lock);
    return out;
}

/* Their number may change meanwhile. */
void ant__p_put(struct ant__p *p)
{
    bool kept = false;

    ant__runq_to_global(p); /* thieves do not look into idle ones */
    while (!kept && !(p->id >= ant__load_relaxed(&ant__sched.procs) && ant__p_retire(p))) {
        ant__lock(&ant__sched.lock);
        kept = p->id < ant__load_relaxed(&ant__sched.procs);
        if (kept)
            ant__p_idle_put(p);
        ant__unlock(&ant__sched.lock);
    }
}

/* Takes the idle Ps numbered n and above off the idle list and returns them. Under sched.lock. */
static struct ant__p *unlist_from(int n)
{
    struct ant__p *kept = NULL, *dropped = NULL, *p;

    while ((p = ant__p_idle_get())) {
        struct ant__p **list = p->id >= n ? &dropped : &kept;

        p->next_idle = *list;
        *list = p;
    }
    while ((p = kept)) {
        kept = p->next_idle;
        ant__p_idle_put(p);
    }
    return dropped;
}

static void put_all(struct ant__p *list)
{
    struct ant__p *p;

    while ((p = list)) {
        list = p->next_idle;
        ant__p_put(p);
    }
}

/* The first P is to get company: see runq.h. */
static void share_queue(struct ant__m *m)
{
    struct ant__runq *q = &ant__p_at(0)->runq;

    if (!ant__runq_is_private(q))
        return;
    while (!ant__pause_all(m))
        usleep(1000); /* somebody was inside for a second: let everybody go on for a moment */
    ant__runq_share(q);
    ant__resume_all();
}

int ant__procs_resize(struct ant__m *m, int n)
{
    struct ant__p *dropped = NULL;
    int old, err = 0;

    if (n > 1)
        share_queue(m);
    ant__lock(&ant__sched.lock);
    old = ant__load_relaxed(&ant__sched.procs);
    if (n >= old) {
        err = grow(old, n);
        if (err) {
            ant__store_relaxed(&ant__sched.procs, old);
            n = old;
        }
    }
    ant__store_relaxed(&ant__sched.procs, n);
    if (n < ant__load_relaxed(&ant__sched.all_ps_n))
        dropped = unlist_from(n);
    ant__unlock(&ant__sched.lock);
    put_all(dropped);
    if (old == 1 && n > 1)
        ant__barrier_all(); /* for who still thought to be alone (requeued, in sched.c) */
    /* Work that waits for a P. Once in any case: for who looked while the idle ones were off the list. */
    ant__wake_one();
    for (int i = old + 1; i < n; i++)
        ant__wake_one();
    return err ? err : old;
}
