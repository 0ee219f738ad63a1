/* sem.c - acquire and release one of ten permits of a weighted semaphore; ns for the pair. */
#include "bench.h"

static int procs = 1;
static int count = 20000000;
static int rounds = 5;

static ant_sem sem = ANT_SEM(10);

static double one_round(void)
{
    double start = bench_seconds();

    for (int i = 0; i < count; i++) {
        bench_must(ant_sem_acquire(&sem, 1), "ant_sem_acquire");
        ant_sem_release(&sem, 1);
    }
    return (bench_seconds() - start) * 1e9 / count;
}

static int bench(void *arg)
{
    char param[64];

    (void)arg;
    snprintf(param, sizeof param, "p%d %d", procs, count);
    bench_time("sem", param, rounds, one_round);
    return 0;
}

int main(int argc, char **argv)
{
    (void)argc;
    bench_parse(argv, (struct bench_option[]){
                          {"procs", &procs}, {"count", &count}, {"rounds", &rounds}, {NULL, NULL}});
    return bench_run(bench, procs);
}
