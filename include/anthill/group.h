/* group.h - a group of goroutines that work on one thing: the first error counts. */
#ifndef ANTHILL_GROUP_H
#define ANTHILL_GROUP_H

#include <anthill/context.h>
#include <anthill/sync.h>
#include <anthill/version.h>

ANT_BEGIN_DECLS

/* Zero-filled it is a group without limit and without context. The memory must stay until
 * ant_group_wait has returned. */
typedef struct ant_group {
    ant_waitgroup running;
    ant_sem slots;
    ant_ctx *ctx;
    int32_t err;
    bool limited;
} ant_group;

/* Makes *group one with a context of its own, derived from parent (NULL: from none): it is
 * canceled, with the error as cause, when the first function fails, and when ant_group_wait
 * returns. ret_ctx: the context, for the functions; it belongs to the group, and goes with the end
 * of ant_group_wait unless you ref it. Any thread; does not block. Returns 0; -EINVAL if group or
 * ret_ctx is NULL; -ENOMEM. */
ANT_API int ant_group_init_ctx(ant_group *group, ant_ctx **ret_ctx, ant_ctx *parent);

/* From now on at most n functions run at a time; negative: any number; 0: none, then ant_group_go
 * returns -EINVAL instead of waiting for ever. Not while others call with the group; does not
 * block. Returns 0; -EBUSY if functions of the group are running. */
ANT_API int ant_group_set_limit(ant_group *group, int64_t n);

/* Runs fn(arg) in a goroutine of the group, waiting while as many run as the limit allows. The
 * functions of a group may call this too, but beware: at the limit they wait for one another. Any
 * thread. Suspends. Returns 0; -EINVAL if fn is NULL; ANT_ENOTRUNNING; -ENOMEM. The _ctx form gives
 * up waiting when ctx is done. */
ANT_API int ant_group_go(ant_group *group, int (*fn)(void *), void *arg);
ANT_API int ant_group_go_ctx(ant_group *group, int (*fn)(void *), void *arg, ant_ctx *ctx);

/* The same if the limit allows it now, else -EAGAIN. Does not block. */
ANT_API int ant_group_try_go(ant_group *group, int (*fn)(void *), void *arg);

/* Waits until all functions have returned, and cancels the context. Returns the first error, what a
 * function returned that was not 0; or 0. May be called again, also after more was started. Any
 * thread. Suspends. A panic in a function is not caught: it ends the process. */
ANT_API int ant_group_wait(ant_group *group);

ANT_END_DECLS

#endif
