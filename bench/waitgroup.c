/* waitgroup.c - one goroutine adds to a wait group, another does its part, the first waits: ns
 * for each turn. */
#include "bench.h"

static int procs = 1;
static int count = 2000000;
static int rounds = 5;

static ant_waitgroup wg;

static void part(void *arg)
{
    ant_waitgroup_done(arg);
}

static double one_round(void)
{
    double start = bench_seconds();

    for (int i = 0; i < count; i++) {
        ant_waitgroup_add(&wg, 1);
        bench_must(ant_go(part, &wg), "ant_go");
        ant_waitgroup_wait(&wg);
    }
    return (bench_seconds() - start) * 1e9 / count;
}

static int bench(void *arg)
{
    char param[64];

    (void)arg;
    snprintf(param, sizeof param, "p%d %d", procs, count);
    bench_time("waitgroup", param, rounds, one_round);
    return 0;
}

int main(int argc, char **argv)
{
    (void)argc;
    bench_parse(argv, (struct bench_option[]){
                          {"procs", &procs}, {"count", &count}, {"rounds", &rounds}, {NULL, NULL}});
    return bench_run(bench, procs);
}
