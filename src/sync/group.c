/* group.c - goroutines that work on one thing: a wait group, a semaphore for the limit, and the
 * first error. */
#include <errno.h>
#include <string.h>

#include "runtime/runtime.h"

/* What a goroutine of a group is given. */
struct task {
    ant_group *group;
    int (*fn)(void *);
    void *arg;
    bool limited;
};

static _Atomic int32_t *err_of(ant_group *group)
{
    return (_Atomic int32_t *)&group->err;
}

int ant_group_init_ctx(ant_group *group, ant_ctx **ret_ctx, ant_ctx *parent)
{
    int err;

    if (!group || !ret_ctx)
        return -EINVAL;
    memset(group, 0, sizeof *group);
    err = ant_ctx_with_cancel(&group->ctx, parent);
    if (!err)
        *ret_ctx = group->ctx;
    return err;
}

int ant_group_set_limit(ant_group *group, int64_t n)
{
    if (__atomic_load_n(&group->running.state, __ATOMIC_RELAXED) >> 32)
        return -EBUSY;
    if (n > ANT_SEM_MAX)
        n = ANT_SEM_MAX;
    group->limited = n >= 0;
    return n >= 0 ? ant_sem_init(&group->slots, n) : 0;
}

/* Deferred, so that it is done if the function calls ant_exit too. The group may be gone after its
 * last step. */
static void finish(void *arg)
{
    const struct task *t = arg;

    if (t->limited)
        ant_sem_release(&t->group->slots, 1);
    ant_waitgroup_done(&t->group->running);
}

static void run(void *copy)
{
    struct task *t = copy;
    int32_t none = 0;
    ant_defer_node node;
    int err;

    ant_defer(&node, finish, t);
    err = t->fn(t->arg);
    if (err && atomic_compare_exchange_strong(err_of(t->group), &none, err))
        ant_ctx_cancel_cause(t->group->ctx, err);
    ant_defer_end(&node);
}

/* The slot, if there is a limit, is had. */
static int start(ant_group *group, int (*fn)(void *), void *arg)
{
    struct task t = {.group = group, .fn = fn, .arg = arg, .limited = group->limited};
    int err;

    ant_waitgroup_add(&group->running, 1);
    err = ant_go_copy(run, &t, sizeof t);
    if (err)
        finish(&t);
    return err;
}

int ant_group_go_ctx(ant_group *group, int (*fn)(void *), void *arg, ant_ctx *ctx)
{
    int err = fn ? 0 : -EINVAL;

    if (!err)
        err = group->limited ? ant_sem_acquire_ctx(&group->slots, 1, ctx) : ant_ctx_err(ctx);
    return err ? err : start(group, fn, arg);
}

int ant_group_go(ant_group *group, int (*fn)(void *), void *arg)
{
    return ant_group_go_ctx(group, fn, arg, NULL);
}

int ant_group_try_go(ant_group *group, int (*fn)(void *), void *arg)
{
    if (!fn)
        return -EINVAL;
    if (group->limited && ant_sem_try_acquire(&group->slots, 1) != 0)
        return -EAGAIN;
    return start(group, fn, arg);
}

int ant_group_wait(ant_group *group)
{
    ant_ctx *ctx;

    ant_waitgroup_wait(&group->running);
    ctx = __atomic_exchange_n(&group->ctx, NULL, __ATOMIC_ACQ_REL);
    ant_ctx_cancel_cause(ctx, ant__load_relaxed(err_of(group)));
    ant_ctx_unref(ctx);
    return ant__load_relaxed(err_of(group));
}
