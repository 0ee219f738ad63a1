/* Threads that were made for a crowd of blocking calls end when nobody needs them for a while; not
 * while the crowd comes back again and again.
 *
 * Catches: threads that stay for good; threads that end and are made anew for each crowd. */
#include <anthill.h>

#include "check.h"
#include "runtime/runtime.h"

enum { CROWD = 60, CROWDS = 12 };

static ant_waitgroup wg;

static void block(void *arg)
{
    ant_blocking_begin();
    usleep(20000);
    ant_blocking_end();
    ant_waitgroup_done(&wg);
}

static void crowd(void)
{
    ant_waitgroup_add(&wg, CROWD);
    for (int i = 0; i < CROWD; i++)
        CHECK_INT(ant_go(block, NULL), 0);
    ant_waitgroup_wait(&wg);
}

static int threads(void)
{
    ant_stats stats;

    CHECK_INT(ant_stats_get(&stats), 0);
    return stats.threads;
}

/* How many of the threads that there are now were not there before. */
static int new_threads(pid_t *ret_newest)
{
    struct ant__m *m;
    pid_t newest = *ret_newest;
    int n = 0;

    ant__lock(&ant__sched.lock);
    for (m = ant__sched.all_ms; m; m = m->next_all) {
        pid_t tid = ant__load_relaxed(&m->tid);

        n += tid > *ret_newest;
        newest = tid > newest ? tid : newest;
    }
    ant__unlock(&ant__sched.lock);
    *ret_newest = newest;
    return n;
}

/* Not far apart, compared with the time after which threads retire. Numbers of threads grow, but for
 * the rare moment when they begin anew: then fewer count as new. */
static void check_no_thrashing(void)
{
    pid_t newest = 0;
    int made = 0;

    ant__retire_after = 20 * ANT_SECOND;
    crowd();
    new_threads(&newest);
    for (int i = 0; i < CROWDS; i++) {
        crowd();
        made += new_threads(&newest);
        ant_sleep(20 * ANT_MILLISECOND);
    }
    if (made > CROWD * CROWDS / 4)
        FAIL("%d threads were made for %d crowds of %d", made, CROWDS, CROWD);
}

static void await_few(void)
{
    double deadline = test_now() + 40;

    while (threads() > ant_procs() + 2) {
        if (test_now() > deadline)
            FAIL("%d threads are left", threads());
        ant_sleep(10 * ANT_MILLISECOND);
    }
}

static int run(void *arg)
{
    struct test_resources before;

    ant__retire_after = 300 * ANT_MILLISECOND;
    crowd();
    CHECK(threads() > ant_procs() + 2);
    await_few();
    before = test_resources_now();
    crowd();
    await_few();
    test_resources_check(&before, 400);
    check_no_thrashing();
    return 0;
}

TEST(idle_retire)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
