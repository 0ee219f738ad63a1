/* ctx_timeout_forms - ANT_TIMEOUT with every form that takes a context: each gives up in time, and
 * neither the timeout nor the form asks malloc for anything. The test's own malloc counts the calls
 * of the goroutine that waits. Not here: dialing, listening and resolving, which ask libc's
 * resolver.
 *
 * Catches: a form that does not hand its context on, and an allocation for each wait. */
#include <poll.h>
#include <sys/uio.h>

#include "net_help.h"

static _Atomic bool counting;
static atomic_long allocations;

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static void count(void)
{
    if (atomic_load(&counting) && ant_id() == 1)
        atomic_fetch_add(&allocations, 1);
}

void *malloc(size_t size)
{
    count();
    return __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    count();
    return __libc_calloc(n, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    count();
    return __libc_memalign(alignment, size);
}

/* ---- what is waited for ---- */

static ant_chan *chan;
static ant_io empty[2], full[2], packets[2], listener;
static ant_mutex mutex;
static ant_rwmutex rwmutex;
static ant_cond cond;
static ant_waitgroup never;
static ant_sem sem = ANT_SEM(1);
static ant_group group;
static ant_pool *pool;
static ant_func_pool *func_pool;
static ant_multi_pool *multi_pool;
static ant_multi_func_pool *multi_func_pool;
static ant_process child;
static ant_chan *end; /* closed at the end: the workers go */
static char bytes[8];

static void work(void *arg)
{
    ant_chan_recv(end, NULL);
}

static int work_in_group(void *arg)
{
    ant_chan_recv(end, NULL);
    return 0;
}

/* ---- the forms ---- */

static ssize_t chan_send(ant_ctx *ctx)
{
    return ant_chan_send_ctx(chan, bytes, ctx);
}

static ssize_t chan_recv(ant_ctx *ctx)
{
    return ant_chan_recv_ctx(chan, bytes, ctx);
}

static ssize_t do_select(ant_ctx *ctx)
{
    ant_case cases[] = {ANT_RECV(chan, bytes), ANT_RECV(end, NULL)};

    return ant_select_ctx(cases, 2, ctx);
}

static ssize_t do_sleep(ant_ctx *ctx)
{
    return ant_sleep_ctx(ANT_HOUR, ctx);
}

static ssize_t do_read(ant_ctx *ctx)
{
    return ant_read_ctx(empty[0], bytes, 1, ctx);
}

static ssize_t do_readv(ant_ctx *ctx)
{
    return ant_readv_ctx(empty[0], &(struct iovec){bytes, 1}, 1, ctx);
}

static ssize_t read_full(ant_ctx *ctx)
{
    return ant_read_full_ctx(empty[0], bytes, 8, ctx);
}

static ssize_t do_write(ant_ctx *ctx)
{
    return ant_write_ctx(full[0], bytes, 8, ctx);
}

static ssize_t do_writev(ant_ctx *ctx)
{
    return ant_writev_ctx(full[0], &(struct iovec){bytes, 1}, 1, ctx);
}

static ssize_t recv_from(ant_ctx *ctx)
{
    return ant_recv_from_ctx(packets[0], bytes, 1, NULL, ctx);
}

static ssize_t do_accept(ant_ctx *ctx)
{
    ant_io io;

    return ant_accept_ctx(listener, &io, ctx);
}

static ssize_t mutex_lock(ant_ctx *ctx)
{
    return ant_mutex_lock_ctx(&mutex, ctx);
}

static ssize_t rwmutex_rlock(ant_ctx *ctx)
{
    return ant_rwmutex_rlock_ctx(&rwmutex, ctx);
}

static ssize_t rwmutex_lock(ant_ctx *ctx)
{
    return ant_rwmutex_lock_ctx(&rwmutex, ctx);
}

static ssize_t cond_wait(ant_ctx *ctx)
{
    return ant_cond_wait_ctx(&cond, &mutex, ctx);
}

static ssize_t waitgroup_wait(ant_ctx *ctx)
{
    return ant_waitgroup_wait_ctx(&never, ctx);
}

static ssize_t sem_acquire(ant_ctx *ctx)
{
    return ant_sem_acquire_ctx(&sem, 1, ctx);
}

static ssize_t group_go(ant_ctx *ctx)
{
    return ant_group_go_ctx(&group, work_in_group, NULL, ctx);
}

static ssize_t pool_submit(ant_ctx *ctx)
{
    return ant_pool_submit_ctx(pool, work, NULL, ctx);
}

static ssize_t pool_submit_copy(ant_ctx *ctx)
{
    return ant_pool_submit_copy_ctx(pool, work, bytes, 8, ctx);
}

static ssize_t pool_wait(ant_ctx *ctx)
{
    return ant_pool_wait_ctx(pool, ctx);
}

static ssize_t func_pool_invoke(ant_ctx *ctx)
{
    return ant_func_pool_invoke_ctx(func_pool, bytes, ctx);
}

static ssize_t func_pool_wait(ant_ctx *ctx)
{
    return ant_func_pool_wait_ctx(func_pool, ctx);
}

static ssize_t multi_pool_submit(ant_ctx *ctx)
{
    return ant_multi_pool_submit_ctx(multi_pool, work, NULL, ctx);
}

static ssize_t multi_pool_submit_copy(ant_ctx *ctx)
{
    return ant_multi_pool_submit_copy_ctx(multi_pool, work, bytes, 8, ctx);
}

static ssize_t multi_pool_wait(ant_ctx *ctx)
{
    return ant_multi_pool_wait_ctx(multi_pool, ctx);
}

static ssize_t multi_func_pool_invoke(ant_ctx *ctx)
{
    return ant_multi_func_pool_invoke_ctx(multi_func_pool, bytes, ctx);
}

static ssize_t multi_func_pool_wait(ant_ctx *ctx)
{
    return ant_multi_func_pool_wait_ctx(multi_func_pool, ctx);
}

static ssize_t process_wait(ant_ctx *ctx)
{
    return ant_process_wait_ctx(child, NULL, ctx);
}

static ssize_t do_poll(ant_ctx *ctx)
{
    return ant_poll_ctx(ant_io_fd(empty[0]), POLLIN, ctx);
}

/* These end what they belong to, and so come last. */
static ssize_t pool_release(ant_ctx *ctx)
{
    return ant_pool_release_ctx(pool, ctx);
}

static ssize_t func_pool_release(ant_ctx *ctx)
{
    return ant_func_pool_release_ctx(func_pool, ctx);
}

static ssize_t multi_pool_release(ant_ctx *ctx)
{
    return ant_multi_pool_release_ctx(multi_pool, ctx);
}

static ssize_t multi_func_pool_release(ant_ctx *ctx)
{
    return ant_multi_func_pool_release_ctx(multi_func_pool, ctx);
}

static const struct form {
    const char *name;
    ssize_t (*call)(ant_ctx *ctx);
    bool once; /* the second time it would be no more than a look: its malloc is not counted */
} forms[] = {
    {.name = "chan_send", .call = chan_send},
    {.name = "chan_recv", .call = chan_recv},
    {.name = "select", .call = do_select},
    {.name = "sleep", .call = do_sleep},
    {.name = "read", .call = do_read},
    {.name = "readv", .call = do_readv},
    {.name = "read_full", .call = read_full},
    {.name = "write", .call = do_write},
    {.name = "writev", .call = do_writev},
    {.name = "recv_from", .call = recv_from},
    {.name = "accept", .call = do_accept},
    {.name = "mutex_lock", .call = mutex_lock},
    {.name = "rwmutex_rlock", .call = rwmutex_rlock},
    {.name = "rwmutex_lock", .call = rwmutex_lock},
    {.name = "cond_wait", .call = cond_wait},
    {.name = "waitgroup_wait", .call = waitgroup_wait},
    {.name = "sem_acquire", .call = sem_acquire},
    {.name = "group_go", .call = group_go},
    {.name = "pool_submit", .call = pool_submit},
    {.name = "pool_submit_copy", .call = pool_submit_copy},
    {.name = "pool_wait", .call = pool_wait},
    {.name = "func_pool_invoke", .call = func_pool_invoke},
    {.name = "func_pool_wait", .call = func_pool_wait},
    {.name = "multi_pool_submit", .call = multi_pool_submit},
    {.name = "multi_pool_submit_copy", .call = multi_pool_submit_copy},
    {.name = "multi_pool_wait", .call = multi_pool_wait},
    {.name = "multi_func_pool_invoke", .call = multi_func_pool_invoke},
    {.name = "multi_func_pool_wait", .call = multi_func_pool_wait},
    {.name = "process_wait", .call = process_wait},
    {.name = "poll", .call = do_poll},
    {.name = "pool_release", .call = pool_release, .once = true},
    {.name = "func_pool_release", .call = func_pool_release, .once = true},
    {.name = "multi_pool_release", .call = multi_pool_release, .once = true},
    {.name = "multi_func_pool_release", .call = multi_func_pool_release, .once = true},
};

static void make_pools(void)
{
    CHECK_INT(ant_pool_new(&pool, 1, NULL), 0);
    CHECK_INT(ant_pool_submit(pool, work, NULL), 0);
    CHECK_INT(ant_func_pool_new(&func_pool, 1, work, 8, NULL), 0);
    CHECK_INT(ant_func_pool_invoke(func_pool, bytes), 0);
    CHECK_INT(ant_multi_pool_new(&multi_pool, 1, 1, ANT_ROUND_ROBIN, NULL), 0);
    CHECK_INT(ant_multi_pool_submit(multi_pool, work, NULL), 0);
    CHECK_INT(ant_multi_func_pool_new(&multi_func_pool, 1, 1, work, 8, ANT_ROUND_ROBIN, NULL), 0);
    CHECK_INT(ant_multi_func_pool_invoke(multi_func_pool, bytes), 0);
}

static void make_all(void)
{
    const char *const cat[] = {"cat", NULL};
    static ant_io to_child;
    char address[ANT_ADDR_TEXT];
    int fds[2];

    CHECK_INT(ant_chan_new(&chan, sizeof bytes, 0), 0);
    CHECK_INT(ant_chan_new(&end, 0, 0), 0);
    unix_pair(empty);
    unix_pair(full);
    fill_up(full[0]);
    CHECK_INT(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, fds), 0);
    CHECK_INT(ant_io_from_fd(&packets[0], fds[0]), 0);
    CHECK_INT(ant_io_from_fd(&packets[1], fds[1]), 0);
    listener = listen_tcp(address);
    CHECK_INT(ant_spawn(&child, cat, &(ant_spawn_options){.ret_in = &to_child}), 0);
    ant_mutex_lock(&mutex);
    ant_rwmutex_lock(&rwmutex);
    ant_waitgroup_add(&never, 1);
    ant_sem_acquire(&sem, 1);
    CHECK_INT(ant_group_set_limit(&group, 1), 0);
    CHECK_INT(ant_group_go(&group, work_in_group, NULL), 0);
    make_pools();
}

static void check(const struct form *f)
{
    ant_time begun = ant_now();

    if (f->call == cond_wait) /* has it, and takes it back, whatever ctx says */
        CHECK(!ant_mutex_try_lock(&mutex));
    atomic_store(&allocations, 0);
    atomic_store(&counting, true);
    {
        ANT_TIMEOUT(ctx, NULL, ANT_MILLISECOND);
        ssize_t n = f->call(ctx);

        if (n != ANT_ETIMEOUT)
            FAIL("%s: %s", f->name, ant_err_name((int)n));
    }
    atomic_store(&counting, false);
    CHECK(ant_now() - begun >= ANT_MILLISECOND);
}

static int run(void *arg)
{
    ant_stats stats;

    make_all();
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        const struct form *f = &forms[i];

        check(f); /* the first time a thread may have to be made, and the like */
        if (!f->once)
            check(f);
        if (atomic_load(&allocations) && !f->once)
            FAIL("%s: %ld calls of malloc", f->name, atomic_load(&allocations));
    }
    CHECK_INT(ant_stats_get(&stats), 0);
    CHECK_INT(stats.timers, 0);
    CHECK_INT(ant_process_kill(child, SIGKILL), 0);
    CHECK_INT(ant_process_wait(child, NULL), 0);
    ant_chan_close(end);
    CHECK_INT(ant_group_wait(&group), 0);
    CHECK_INT(ant_pool_destroy(pool), 0);
    CHECK_INT(ant_func_pool_destroy(func_pool), 0);
    CHECK_INT(ant_multi_pool_destroy(multi_pool), 0);
    CHECK_INT(ant_multi_func_pool_destroy(multi_func_pool), 0);
    CHECK_INT(ant_chan_destroy(chan), 0);
    return 0;
}

TEST(ctx_timeout_forms)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
