/* api_waitgroup - Go's TestWaitGroup: a two-phase barrier of 16 goroutines, the same groups 8
 * times; nobody is let go early. Also inside a struct with odd neighbours. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { N = 16 };

static struct {
    char odd;
    ant_waitgroup arrived;
    char odder[3];
    ant_waitgroup gate, gone;
} groups;

static atomic_int exited;

static void goroutine(void *arg)
{
    ant_waitgroup_done(&groups.arrived);
    ant_waitgroup_wait(&groups.gate);
    atomic_fetch_add(&exited, 1);
    ant_waitgroup_done(&groups.gone);
}

static void round_of(void)
{
    atomic_store(&exited, 0);
    ant_waitgroup_add(&groups.arrived, N);
    ant_waitgroup_add(&groups.gate, N);
    ant_waitgroup_add(&groups.gone, N);
    for (int i = 0; i < N; i++)
        CHECK_INT(ant_go(goroutine, NULL), 0);
    ant_waitgroup_wait(&groups.arrived);
    for (int i = 0; i < N; i++) {
        CHECK_INT(atomic_load(&exited), 0); /* released too soon */
        ant_waitgroup_done(&groups.gate);
    }
    ant_waitgroup_wait(&groups.gate);
    ant_waitgroup_wait(&groups.gone);
    CHECK_INT(atomic_load(&exited), N);
}

static int run(void *arg)
{
    for (int i = 0; i < 8; i++)
        round_of();
    return 0;
}

TEST(api_waitgroup)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    CHECK_INT(ant_start(NULL), 0);
    run(NULL); /* the waiter is a plain thread */
    CHECK_INT(ant_stop(), 0);
    return 0;
}
