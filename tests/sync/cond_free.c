/* cond_free - an answer with a mutex and a condition lies on the stack or on the heap of who waits
 * for it, and goes as soon as that has it, while who gave it, a goroutine or a thread, may still be
 * on its way out. ASan sees what is touched after free, the rubbish shows the rest. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

struct answer {
    ant_mutex mutex;
    ant_cond cond;
    int value; /* 0: not yet; the mutex guards it */
};

static _Atomic(struct answer *) for_thread;
static atomic_bool stop;
static ant_waitgroup wg;

static void give(void *arg)
{
    struct answer *a = arg;

    ant_mutex_lock(&a->mutex);
    a->value = 42;
    ant_cond_signal(&a->cond);
    ant_mutex_unlock(&a->mutex);
}

static void *helper(void *arg)
{
    while (!atomic_load(&stop)) {
        struct answer *a = atomic_exchange(&for_thread, NULL);

        if (a)
            give(a);
        ant_yield();
    }
    return NULL;
}

static void ask(struct answer *a, int i)
{
    struct answer *none = NULL;

    if (i % 2 || !atomic_compare_exchange_strong(&for_thread, &none, a))
        CHECK_INT(ant_go(give, a), 0);
    ant_mutex_lock(&a->mutex);
    while (!a->value)
        ant_cond_wait(&a->cond, &a->mutex);
    CHECK_INT(a->value, 42);
    ant_mutex_unlock(&a->mutex);
    memset(a, 0x5a, sizeof *a);
    __asm__ volatile("" ::"r"(a) : "memory");
}

static __attribute__((noinline)) void ask_on_stack(int i)
{
    struct answer a = {.value = 0};

    ask(&a, i);
}

static void asker(void *arg)
{
    int n = test_scale(10000);

    for (int i = 0; i < n; i++) {
        struct answer *a = calloc(1, sizeof *a);

        CHECK(a);
        ask(a, i);
        free(a);
        ask_on_stack(i);
    }
    ant_waitgroup_done(&wg);
}

TEST(cond_free)
{
    pthread_t t;

    CHECK_INT(ant_start(NULL), 0);
    CHECK_INT(pthread_create(&t, NULL, helper, NULL), 0);
    ant_waitgroup_add(&wg, 3);
    CHECK_INT(ant_go(asker, NULL), 0);
    CHECK_INT(ant_go(asker, NULL), 0);
    asker(NULL); /* and in this thread */
    ant_waitgroup_wait(&wg);
    atomic_store(&stop, true);
    CHECK_INT(pthread_join(t, NULL), 0);
    CHECK_INT(ant_stop(), 0);
    return 0;
}
