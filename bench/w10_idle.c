/* w10_idle.c - W10: the CPU time of a process whose goroutines are all parked, in ms for each
 * second of wall time.
 *
 * The main goroutine sleeps meanwhile; its one timer is part of the figure. Rounds do not differ
 * in temperature: the half second of settling comes before the first one.
 */
#include "bench.h"

static int procs = 2;
static int count = 1000;
static int rounds = 1;
static int seconds = 5; /* of each round */

static ant_waitgroup gate;
static ant_waitgroup done;

static void parker(void *arg)
{
    (void)arg;
    ant_waitgroup_wait(&gate);
    ant_waitgroup_done(&done);
}

static double one_round(void)
{
    double start = bench_seconds();
    double cpu_start = bench_cpu_seconds() * 1e3;

    ant_sleep(seconds * ANT_SECOND);
    return (bench_cpu_seconds() * 1e3 - cpu_start) / (bench_seconds() - start);
}

static int bench(void *arg)
{
    static struct bench_series cpu = {.metric = "cpu", .unit = "ms/s"};
    char param[64];

    (void)arg;
    ant_waitgroup_add(&gate, 1);
    ant_waitgroup_add(&done, count);
    for (int i = 0; i < count; i++)
        bench_must(ant_go(parker, NULL), "ant_go");
    ant_sleep(500 * ANT_MILLISECOND);
    for (int i = 0; i < rounds; i++)
        bench_add(&cpu, one_round());
    ant_waitgroup_done(&gate);
    ant_waitgroup_wait(&done);

    snprintf(param, sizeof param, "p%d %d", procs, count);
    bench_print("W10", param, &cpu);
    return 0;
}

int main(int argc, char **argv)
{
    (void)argc;
    bench_parse(argv, (struct bench_option[]){{"procs", &procs},
                                              {"count", &count},
                                              {"rounds", &rounds},
                                              {"seconds", &seconds},
                                              {NULL, NULL}});
    return bench_run(bench, procs);
}
