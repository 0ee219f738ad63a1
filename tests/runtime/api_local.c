/* api_local - keys and values of goroutines: each goroutine its own, forgotten when the key is
 * freed, destroyed in the goroutine at its end, not when it is abandoned. */
#include <errno.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_local key, other;
static ant_waitgroup wg;
static atomic_int destroyed;

static void count_destroyed(void *value)
{
    CHECK_INT((uint64_t)(uintptr_t)value, ant_id()); /* in the goroutine itself */
    CHECK(!ant_local_get(key));
    ant_yield(); /* may suspend */
    CHECK_INT((uint64_t)(uintptr_t)value, ant_id());
    atomic_fetch_add(&destroyed, 1);
}

static void goroutine(void *arg)
{
    void *id = (void *)(uintptr_t)ant_id();

    CHECK(!ant_local_get(key));
    CHECK_INT(ant_local_set(key, id), 0);
    CHECK_INT(ant_local_set(other, arg), 0);
    for (int i = 0; i < 10; i++) {
        ant_yield();
        CHECK(ant_local_get(key) == id);
        CHECK(ant_local_get(other) == arg);
    }
    ant_waitgroup_done(&wg);
    if (arg)
        ant_exit();
}

static void set_and_clear(void *arg)
{
    CHECK_INT(ant_local_set(key, arg), 0);
    CHECK_INT(ant_local_set(key, NULL), 0); /* NULL is not destroyed */
    ant_waitgroup_done(&wg);
}

static void set_and_park(void *arg)
{
    CHECK_INT(ant_local_set(key, (void *)(uintptr_t)ant_id()), 0);
    ant_waitgroup_done(&wg);
    ant_sleep(ANT_HOUR);
}

static int run(void *arg)
{
    int n = test_scale(1000);
    ant_local old = key;

    CHECK(!ant_local_get(key));
    ant_waitgroup_add(&wg, n);
    for (int i = 0; i < n; i++)
        CHECK_INT(ant_go(goroutine, i % 2 ? &wg : NULL), 0);
    ant_waitgroup_wait(&wg);
    while (atomic_load(&destroyed) < n)
        ant_yield();
    CHECK(!ant_local_get(key)); /* still our own */

    ant_waitgroup_add(&wg, 2);
    CHECK_INT(ant_go(set_and_clear, &wg), 0);
    CHECK_INT(ant_go(set_and_park, NULL), 0); /* abandoned below */
    ant_waitgroup_wait(&wg);
    while (ant_count() > 2)
        ant_yield();
    CHECK_INT(atomic_load(&destroyed), n);

    /* A key that is freed takes its values along; its successor starts empty. */
    CHECK_INT(ant_local_set(key, &wg), 0);
    CHECK_INT(ant_local_free(key), 0);
    CHECK_INT(ant_local_set(old, &wg), -EINVAL);
    CHECK_INT(ant_local_new(&key, count_destroyed), 0);
    CHECK(!ant_local_get(key));
    CHECK(key.index != old.index || key.serial != old.serial);
    return n;
}

TEST(api_local)
{
    ant_local keys[ANT_LOCAL_MAX + 1];

    for (int i = 0; i < ANT_LOCAL_MAX; i++)
        CHECK_INT(ant_local_new(&keys[i], NULL), 0);
    CHECK_INT(ant_local_new(&keys[ANT_LOCAL_MAX], NULL), -EAGAIN);
    CHECK_INT(ant_local_free(keys[77]), 0);
    CHECK_INT(ant_local_new(&keys[77], NULL), 0);
    CHECK_INT(ant_local_new(&keys[ANT_LOCAL_MAX], NULL), -EAGAIN);
    for (int i = 0; i < ANT_LOCAL_MAX; i++)
        CHECK_INT(ant_local_free(keys[i]), 0);

    CHECK_INT(ant_local_new(&key, count_destroyed), 0);
    CHECK_INT(ant_local_new(&other, NULL), 0);
    for (int round = 0; round < 2; round++) { /* keys are valid in later runs too */
        int n;

        atomic_store(&destroyed, 0);
        n = ant_run(run, NULL, NULL);
        CHECK(n > 0);
        CHECK_INT(atomic_load(&destroyed), n); /* not the abandoned one */
    }
    return 0;
}
