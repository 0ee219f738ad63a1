/* default_pool.c - the pool that is always there: made when it is first used. */
#include <errno.h>

#include "pool/face.h"
#include "runtime/preempt.h"

static struct ant__lock lock;
static _Atomic(struct ant__pool *) the_pool;
static _Atomic uint64_t run_of_pool; /* in which the pool was made; 0: there is none */

/* Then the_pool, which is looked at later, is the one of this run. */
static bool is_of_this_run(void)
{
    return ant__load_acquire(&run_of_pool) == atomic_load(&ant__sched.run);
}

/* Makes it the default pool, unless another has been faster; returns the one that is not needed. */
static struct ant__pool *publish(struct ant__pool *pool)
{
    struct ant__pool *needless = pool;
    uint8_t was = ant__lock_steady(&lock);

    if (!is_of_this_run()) {
        needless = ant__load_relaxed(&the_pool);
        ant__store_relaxed(&the_pool, pool);
        ant__store_release(&run_of_pool, pool->run);
    }
    ant__unlock_steady(&lock, was);
    return needless;
}

static struct ant__pool *make(void)
{
    static const ant_pool_options options = {.name = "default pool"};
    static const struct ant__pool_plan plan = {
        .teams = 1, .capacity = INT32_MAX, .options = &options};
    struct ant__pool *pool;

    if (ant__pool_new(&pool, &plan) != 0)
        return NULL;
    ant__pool_destroy(publish(pool));
    return ant__load_relaxed(&the_pool);
}

ant_pool *ant_default_pool(void)
{
    if (ant_procs() == 0)
        return NULL;
    return (ant_pool *)(is_of_this_run() ? ant__load_relaxed(&the_pool) : make());
}

static int no_pool(void)
{
    return ant_procs() == 0 ? ANT_ENOTRUNNING : -ENOMEM;
}

int ant_submit(void (*fn)(void *), void *arg)
{
    ant_pool *pool = ant_default_pool();

    return pool ? ANT__SUBMIT(pool, fn, arg, 0, ANT__WAIT, NULL) : no_pool();
}

int ant_submit_copy(void (*fn)(void *), const void *arg, size_t size)
{
    ant_pool *pool = ant_default_pool();

    return pool ? ANT__SUBMIT(pool, fn, arg, size, ANT__WAIT, NULL) : no_pool();
}
