/* default_pool.c - the pool that is always there: made when it is first used. */
#include <errno.h>

#include "pool/face.h"

static ant_mutex lock; /* no lock of ours: what is done under it enters the runtime */
static _Atomic(struct ant__pool *) the_pool;
static _Atomic uint64_t run_of_pool; /* in which the pool was made; 0: there is none */

/* Then the_pool, which is looked at later, is the one of this run. */
static bool is_of_this_run(void)
{
    return ant__load_acquire(&run_of_pool) == atomic_load(&ant__sched.run);
}

static struct ant__pool *make(void)
{
    struct ant__pool *pool = NULL, *old;

    ant_mutex_lock(&lock);
    old = ant__load_relaxed(&the_pool);
    if (is_of_this_run()) {
        pool = old;
    } else if (ant__pool_new(&pool, &(struct ant__pool_plan){.teams = 1,
                                                             .capacity = INT32_MAX,
                                                             .options = &(ant_pool_options){
                                                                 .name = "default pool"}}) == 0) {
        ant__store_relaxed(&the_pool, pool);
        ant__store_release(&run_of_pool, pool->run);
        ant__pool_destroy(old);
    }
    ant_mutex_unlock(&lock);
    return pool;
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
