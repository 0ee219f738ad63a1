/* mutex_free - the memory may go right after the last unlock: an object with a mutex and a number
 * of users, of whom the last, as it finds under the lock, unlocks it and frees it, while the others
 * may still be on their way out. Users are goroutines and threads, some with a context. ASan sees
 * what is touched after free, the rubbish shows the rest. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { GOROUTINES = 3, THREADS = 2, BATCH = 8 };

struct object {
    ant_mutex mutex;
    int users, touched; /* the mutex guards them */
};

static _Atomic(struct object *) for_thread[THREADS];
static ant_waitgroup freed;
static atomic_bool stop;
static ant_ctx *ctx;

static void free_object(struct object *o)
{
    memset(o, 0x5a, sizeof *o);
    __asm__ volatile("" ::"r"(o) : "memory");
    free(o);
    ant_waitgroup_done(&freed);
}

/* So long that the other finds it locked, and falls asleep if it is a thread: it is then woken by
 * this one's last step, and the object may be gone before that is over. */
static void stay(void)
{
    ant_time until = ant_now() + 20 * ANT_MICROSECOND;

    while (ant_now() < until)
        ;
}

static void use_and_drop(struct object *o, ant_ctx *with)
{
    bool is_last;

    ant_mutex_lock(&o->mutex);
    o->touched++;
    ant_mutex_unlock(&o->mutex);
    CHECK_INT(ant_mutex_lock_ctx(&o->mutex, with), 0);
    is_last = --o->users == 0;
    if (o->users == 1)
        stay();
    ant_mutex_unlock(&o->mutex);
    if (is_last)
        free_object(o);
}

static void user(void *o)
{
    use_and_drop(o, NULL);
}

static void user_with_ctx(void *o)
{
    use_and_drop(o, ctx);
}

static void *helper(void *arg)
{
    _Atomic(struct object *) *mine = arg;

    while (!atomic_load(&stop)) {
        struct object *o = atomic_exchange(mine, NULL);

        if (o)
            use_and_drop(o, ctx);
        else
            ant_yield();
    }
    return NULL;
}

static void let_users_go(struct object *o)
{
    for (int i = 0; i < THREADS; i++) {
        struct object *none = NULL;

        if (!atomic_compare_exchange_strong(&for_thread[i], &none, o))
            CHECK_INT(ant_go(user, o), 0);
    }
    for (int i = 0; i < GOROUTINES; i++)
        CHECK_INT(ant_go(i % 2 ? user : user_with_ctx, o), 0);
}

static int run(void *arg)
{
    int n = test_scale(20000);
    pthread_t threads[THREADS];

    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, helper, &for_thread[i]), 0);
    for (int i = 0; i < n; i++) {
        struct object *o = calloc(1, sizeof *o);

        CHECK(o);
        o->users = GOROUTINES + THREADS;
        ant_waitgroup_add(&freed, 1);
        let_users_go(o);
        if (i % BATCH == 0)
            ant_waitgroup_wait(&freed);
    }
    ant_waitgroup_wait(&freed);
    atomic_store(&stop, true);
    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    ant_ctx_unref(ctx);
    return 0;
}

TEST(mutex_free)
{
    return ant_run(run, NULL, NULL);
}
