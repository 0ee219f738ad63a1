/* Goroutines that sit in short calls nobody announced, again and again, use a little CPU, but are not
 * hogs: however many there are, and whatever the limit of hogs, another goroutine gets its turns.
 *
 * Catches: whoever used any CPU taken for one that computes. */
#include <poll.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { POLLERS = 40, HOGS = 4, TURNS = 200 };

static _Atomic bool over;
static ant_waitgroup wg;

static void poller(void *arg)
{
    while (!atomic_load(&over))
        poll(NULL, 0, 1);
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    double start = test_now();

    ant_waitgroup_add(&wg, POLLERS);
    for (int i = 0; i < POLLERS; i++)
        CHECK_INT(ant_go(poller, NULL), 0);
    for (int i = 0; i < TURNS; i++)
        ant_sleep(ANT_MILLISECOND);
    if (test_now() - start > TURNS * 0.001 * 20)
        FAIL("%d turns took %.1f s", TURNS, test_now() - start);
    atomic_store(&over, true);
    ant_waitgroup_wait(&wg);
    return 0;
}

TEST(seize_pollers)
{
    for (int procs = 1; procs <= 4; procs *= 2) {
        const ant_config config = {.procs = procs, .max_hogs = HOGS};

        atomic_store(&over, false);
        CHECK_INT(ant_run(run, NULL, &config), 0);
    }
    return 0;
}
