/* w1_yield.c - W1: two goroutines on one P yield to one another; ns for each yield. */
#include "bench.h"

static int procs = 1;
static int count = 10000000; /* yields of both together */
static int rounds = 5;

static ant_waitgroup done;

static void yielder(void *arg)
{
    (void)arg;
    for (int i = 0; i < count / 2; i++)
        ant_yield();
    ant_waitgroup_done(&done);
}

static double one_round(void)
{
    double start = bench_seconds();

    ant_waitgroup_add(&done, 2);
    for (int i = 0; i < 2; i++)
        bench_must(ant_go(yielder, NULL), "ant_go");
    ant_waitgroup_wait(&done);
    return (bench_seconds() - start) * 1e9 / count;
}

static int bench(void *arg)
{
    char param[64];

    (void)arg;
    snprintf(param, sizeof param, "p%d %d", procs, count);
    bench_time("W1", param, rounds, one_round);
    return 0;
}

int main(int argc, char **argv)
{
    (void)argc;
    bench_parse(argv, (struct bench_option[]){
                          {"procs", &procs}, {"count", &count}, {"rounds", &rounds}, {NULL, NULL}});
    return bench_run(bench, procs);
}
