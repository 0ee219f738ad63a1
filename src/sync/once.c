/* once.c - see sync.h. A flag, and a mutex for those that come before it is set. */
#include "sync/sleep.h"

static _Atomic uint32_t *flag_of(ant_once *once)
{
    return (_Atomic uint32_t *)&once->done;
}

/* Deferred: it happens also if the function panics or calls ant_exit. */
static void finish(void *arg)
{
    ant_once *once = arg;

    ant__store_release(flag_of(once), 1); /* who sees it sees what the function did */
    ant_mutex_unlock(&once->mutex);
}

static ant__noinline void do_slow(ant_once *once, void (*fn)(void *), void *arg)
{
    ant_defer_node node;

    ant_mutex_lock(&once->mutex);
    if (ant__load_acquire(flag_of(once))) {
        ant_mutex_unlock(&once->mutex);
        return;
    }
    ant_defer(&node, finish, once);
    fn(arg);
    ant_defer_end(&node);
}

void ant_once_do(ant_once *once, void (*fn)(void *), void *arg)
{
    if (ant__unlikely(!ant__load_acquire(flag_of(once))))
        do_slow(once, fn, arg);
}
