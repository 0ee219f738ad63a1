/* waitgroup_interrupted - the done that brings the counter to zero is interrupted before it has let
 * anybody go, as a signal may do it to a goroutine: a late wait on the only P lets it go on. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"
#include "one_p.h"

#define ZERO_WITH_WAITERS 2u /* see waitgroup.c */

static ant_waitgroup wg;
static bool waited;

static void late_waiter(void *arg)
{
    ant_waitgroup_wait(&wg);
    waited = true;
}

static int run(void *arg)
{
    _Atomic uint64_t *word = (_Atomic uint64_t *)&wg.state;

    atomic_store(word, ZERO_WITH_WAITERS);
    CHECK_INT(ant_go(late_waiter, NULL), 0);
    for (int i = 0; i < 3; i++)
        ant_yield();
    CHECK(!waited);
    atomic_store(word, 0);
    while (!waited)
        ant_yield();
    return 0;
}

TEST(waitgroup_interrupted)
{
    return run_on_one_p(run);
}
