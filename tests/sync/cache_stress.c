/* cache_stress - goroutines and threads get and put at random, in bursts, while others trim: an
 * object is never with two at once, and in the end all that were made are destroyed. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { GOROUTINES = 10, THREADS = 3, BURST = 20 };

struct object {
    atomic_int users;
    int content;
};

static ant_cache *cache;
static ant_waitgroup all;
static atomic_int made, destroyed;
static int rounds;

static void *make(void *arg)
{
    struct object *o = calloc(1, sizeof *o);

    atomic_fetch_add(&made, 1);
    return o;
}

static void destroy(void *object, void *arg)
{
    struct object *o = object;

    CHECK_INT(atomic_load(&o->users), 0);
    atomic_fetch_add(&destroyed, 1);
    free(o);
}

static void user(void *arg)
{
    struct object *held[BURST];
    unsigned random = (unsigned)(uintptr_t)arg;

    for (int i = 0; i < rounds; i++) {
        int n = 1 + (int)((random = random * 1103515245u + 12345) >> 16) % BURST;

        for (int k = 0; k < n; k++) {
            held[k] = ant_cache_get(cache);
            CHECK_INT(atomic_fetch_add(&held[k]->users, 1), 0);
            held[k]->content = i;
        }
        if (i % 16 == 0)
            ant_yield();
        if (i % 256 == 255)
            ant_cache_trim(cache);
        for (int k = 0; k < n; k++) {
            CHECK_INT(held[k]->content, i);
            CHECK_INT(atomic_fetch_sub(&held[k]->users, 1), 1);
            ant_cache_put(cache, held[k]);
        }
    }
    ant_waitgroup_done(&all);
}

static void *thread(void *arg)
{
    user(arg);
    return NULL;
}

static int run(void *arg)
{
    pthread_t threads[THREADS];

    CHECK_INT(ant_cache_new(&cache, make, destroy, NULL), 0);
    ant_waitgroup_add(&all, GOROUTINES + THREADS);
    for (int i = 0; i < GOROUTINES; i++)
        CHECK_INT(ant_go(user, (void *)(uintptr_t)(i + 1)), 0);
    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, thread, (void *)(uintptr_t)(i + 100)), 0);
    for (int i = 0; i < 50; i++) {
        ant_set_procs(1 + i % 8); /* Ps come and go */
        ant_yield();
    }
    ant_waitgroup_wait(&all);
    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    ant_cache_destroy(cache);
    CHECK_INT(atomic_load(&made), atomic_load(&destroyed));
    return 0;
}

TEST(cache_stress)
{
    rounds = test_scale(10000);
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
