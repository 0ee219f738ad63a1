/* api_waitgroup_free_many - several wait for one group; the last of them to return frees it, while
 * the others and the one who did done may still be on their way out. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { WAITERS = 5 };

struct shared {
    ant_waitgroup wg;
    atomic_int users; /* waiters that have not returned */
};

static ant_waitgroup freed;

static void waiter(void *arg)
{
    struct shared *s = arg;

    ant_waitgroup_wait(&s->wg);
    if (atomic_fetch_sub(&s->users, 1) > 1)
        return;
    memset(s, 0x5a, sizeof *s);
    __asm__ volatile("" ::"r"(s) : "memory");
    free(s);
    ant_waitgroup_done(&freed);
}

static void doner(void *arg)
{
    struct shared *s = arg;

    ant_waitgroup_done(&s->wg);
}

static int run(void *arg)
{
    int n = test_scale(30000);

    for (int i = 0; i < n; i++) {
        struct shared *s = calloc(1, sizeof *s);

        CHECK(s);
        ant_waitgroup_add(&freed, 1);
        ant_waitgroup_add(&s->wg, 1);
        atomic_store(&s->users, WAITERS);
        for (int w = 0; w < WAITERS; w++) {
            CHECK_INT(ant_go(waiter, s), 0);
            if (w == i % WAITERS)
                CHECK_INT(ant_go(doner, s), 0);
        }
        if (i % 8 == 7)
            ant_waitgroup_wait(&freed);
    }
    ant_waitgroup_wait(&freed);
    return 0;
}

TEST(api_waitgroup_free_many)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
