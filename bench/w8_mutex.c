/* w8_mutex.c - W8: goroutines that lock one mutex, add one, and unlock it, again and again; ns for
 * each turn. With workers=1 nobody contends. */
#include "bench.h"

static int procs = 2;
static int workers = 8;
static int count = 4000000; /* turns of all workers together */
static int rounds = 5;

static ant_mutex mutex;
static ant_waitgroup done;
static int64_t total;

static void worker(void *arg)
{
    int turns = count / workers;

    (void)arg;
    for (int i = 0; i < turns; i++) {
        ant_mutex_lock(&mutex);
        total++;
        ant_mutex_unlock(&mutex);
    }
    ant_waitgroup_done(&done);
}

static double one_round(void)
{
    double start = bench_seconds();

    total = 0;
    ant_waitgroup_add(&done, workers);
    for (int i = 0; i < workers; i++)
        bench_must(ant_go(worker, NULL), "ant_go");
    ant_waitgroup_wait(&done);
    if (total != (int64_t)(count / workers) * workers)
        bench_die("w8_mutex", "the total is wrong");
    return (bench_seconds() - start) * 1e9 / count;
}

static int bench(void *arg)
{
    char param[64];

    (void)arg;
    snprintf(param, sizeof param, "p%d %d workers %d", procs, count, workers);
    bench_time("W8", param, rounds, one_round);
    return 0;
}

int main(int argc, char **argv)
{
    (void)argc;
    bench_parse(argv, (struct bench_option[]){{"procs", &procs},
                                              {"workers", &workers},
                                              {"count", &count},
                                              {"rounds", &rounds},
                                              {NULL, NULL}});
    return bench_run(bench, procs);
}
