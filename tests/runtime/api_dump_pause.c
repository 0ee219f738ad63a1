/* api_dump_pause - a dump stops the goroutines for a moment, however many there are: with 20,000 the
 * shortest of five pauses, and in the long form (ANT_TORTURE_SECONDS) with 100,000 the 99th of 100 in
 * order, takes a millisecond at most.
 *
 * Catches: stacks that are walked while all are paused: half a second for 20,000. */
#include <fcntl.h>
#include <unistd.h>

#include <anthill.h>

#include "check.h"
#include "runtime/record.h"

enum { MOST = 100, SHORT_N = 20000, LONG_N = 100000 };

static ant_waitgroup never, all;

static void wait_for_ever(void *arg)
{
    ant_waitgroup_done(&all);
    ant_waitgroup_wait(&never);
}

static int compare(const void *a, const void *b)
{
    double difference = *(const double *)a - *(const double *)b;

    return difference < 0 ? -1 : difference > 0;
}

static int run(void *arg)
{
    bool is_long = torture_seconds(0) > 0;
    int n = is_long ? LONG_N : test_scale_least(SHORT_N, 1000), dumps = is_long ? MOST : 5;
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    double ms[MOST], judged, start;

    CHECK(null >= 0);
    ant_waitgroup_add(&never, 1);
    ant_waitgroup_add(&all, n);
    for (int i = 0; i < n; i++)
        CHECK_INT(ant_go(wait_for_ever, NULL), 0);
    ant_waitgroup_wait(&all);
    start = test_now();
    for (int i = 0; i < dumps; i++) {
        CHECK_INT(ant_dump(null), 0);
        ms[i] = (double)ant__load_relaxed(&ant__record_paused) / 1e6;
    }
    qsort(ms, (size_t)dumps, sizeof *ms, compare);
    judged = is_long ? ms[dumps * 99 / 100 - 1] : ms[0];
    printf("%d goroutines, %d dumps of %.0f ms; paused for %.3f ms, median %.3f, p99 %.3f, most "
           "%.3f\n",
           n, dumps, (test_now() - start) * 1e3 / dumps, ms[0], ms[dumps / 2],
           ms[(dumps * 99 + 99) / 100 - 1], ms[dumps - 1]);
    if (judged > 1)
        FAIL("a pause of %.3f ms", judged);
    close(null);
    return 0;
}

TEST(api_dump_pause)
{
    return ant_run(run, NULL, NULL);
}
