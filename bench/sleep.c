/* sleep.c - goroutines that sleep for `us` microseconds.
 *
 * late: with count=1, one sleep after the other: the median of how much longer than asked for it
 *       takes, in ns.
 * cpu:  with more, all of them at the same time, once: what the process computes for each in ns, from
 *       the first ant_go until the last has ended. Before the first round as many have waited
 *       together, so that the memory is there.
 */
#include "bench.h"

enum { SLEEPS = 1000 };

static int procs = 2;
static int count = 1;
static int us = 100;
static int rounds = 4;

static ant_waitgroup gate, done;

static void sleeper(void *arg)
{
    (void)arg;
    ant_sleep(us * ANT_MICROSECOND);
    ant_waitgroup_done(&done);
}

static void parker(void *arg)
{
    (void)arg;
    ant_waitgroup_wait(&gate);
    ant_waitgroup_done(&done);
}

static void start_all(void (*fn)(void *))
{
    ant_waitgroup_add(&done, count);
    for (int i = 0; i < count; i++)
        bench_must(ant_go(fn, NULL), "ant_go");
}

static void warm_up(void)
{
    ant_waitgroup_add(&gate, 1);
    start_all(parker);
    ant_sleep(ANT_SECOND / 2); /* most of them get there */
    ant_waitgroup_done(&gate);
    ant_waitgroup_wait(&done);
}

static double late(void)
{
    static double took[SLEEPS];

    for (int i = 0; i < SLEEPS; i++) {
        ant_time start = ant_now();

        ant_sleep(us * ANT_MICROSECOND);
        took[i] = (double)(ant_now() - start - us * ANT_MICROSECOND);
    }
    qsort(took, SLEEPS, sizeof *took, bench_by_value);
    return took[SLEEPS / 2];
}

static double cpu_of_all(void)
{
    double start = bench_cpu_seconds();

    start_all(sleeper);
    ant_waitgroup_wait(&done);
    return (bench_cpu_seconds() - start) * 1e9 / count;
}

static int bench(void *arg)
{
    static struct bench_series series = {.unit = "ns"};
    char param[64];

    (void)arg;
    series.metric = count == 1 ? "late" : "cpu";
    if (count > 1)
        warm_up();
    for (int i = 0; i < rounds; i++)
        bench_add(&series, count == 1 ? late() : cpu_of_all());
    snprintf(param, sizeof param, "p%d %d us %d", procs, count, us);
    bench_print("sleep", param, &series);
    return 0;
}

int main(int argc, char **argv)
{
    (void)argc;
    bench_parse(
        argv,
        (struct bench_option[]){
            {"procs", &procs}, {"count", &count}, {"us", &us}, {"rounds", &rounds}, {NULL, NULL}});
    return bench_run(bench, procs);
}
