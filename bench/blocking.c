/* blocking.c - what a call into the runtime that may block costs if it does not: ns for entering and
 * leaving the runtime, and for beginning and ending a blocking section. */
#include "bench.h"
#include "runtime/runtime.h"

static int procs = 2;
static int count = 10000000;
static int rounds = 4;

static double one_round(void)
{
    double start = bench_seconds();

    for (int i = 0; i < count; i++) {
        ant__leave(ant__enter());
        ant_blocking_begin();
        ant_blocking_end();
    }
    return (bench_seconds() - start) * 1e9 / count;
}

static int bench(void *arg)
{
    char param[64];

    (void)arg;
    snprintf(param, sizeof param, "p%d %d", procs, count);
    bench_time("blocking", param, rounds, one_round);
    return 0;
}

int main(int argc, char **argv)
{
    (void)argc;
    bench_parse(argv, (struct bench_option[]){
                          {"procs", &procs}, {"count", &count}, {"rounds", &rounds}, {NULL, NULL}});
    return bench_run(bench, procs);
}
