/* w2_spawn.c - W2: spawn, run and end empty goroutines; ns for each.
 *
 * The spawner never yields, so on one P all of them exist at once before the first one runs.
 */
#include "bench.h"

static int procs = 1;
static int count = 1000000;
static int rounds = 5;

static ant_waitgroup done;

static void empty(void *arg)
{
    (void)arg;
    ant_waitgroup_done(&done);
}

static double one_round(void)
{
    double start = bench_seconds();

    ant_waitgroup_add(&done, count);
    for (int i = 0; i < count; i++)
        bench_must(ant_go(empty, NULL), "ant_go");
    ant_waitgroup_wait(&done);
    return (bench_seconds() - start) * 1e9 / count;
}

static int bench(void *arg)
{
    char param[64];

    (void)arg;
    snprintf(param, sizeof param, "p%d %d", procs, count);
    bench_time("W2", param, rounds, one_round);
    return 0;
}

int main(int argc, char **argv)
{
    (void)argc;
    bench_parse(argv, (struct bench_option[]){
                          {"procs", &procs}, {"count", &count}, {"rounds", &rounds}, {NULL, NULL}});
    return bench_run(bench, procs);
}
