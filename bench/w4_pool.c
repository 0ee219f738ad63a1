/* w4_pool.c - W4 and W5: tasks through a pool.
 *
 * W4: empty tasks, from one producer or from several; ns for each, from the first submit until the
 * last task has run. W5, with sleep=10: tasks that sleep for so many milliseconds; seconds in all,
 * and the peak of memory beyond what the process had before, in bytes.
 * teams=10: a multi pool of so many pools, which share the workers out among them.
 */
#include "bench.h"

static int procs = 2;
static int count = 1000000;
static int workers = 50000;
static int producers = 1;
static int teams = 1;
static int sleep_ms;
static int stack;
static int rounds = 5;

static ant_pool *pool;
static ant_multi_pool *multi;
static ant_waitgroup done, producing;

static struct bench_series each = {.metric = "time", .unit = "ns"};
static struct bench_series all = {.metric = "time", .unit = "s"};
static struct bench_series rss = {.metric = "rss", .unit = "bytes"};

static void empty(void *arg)
{
    ant_waitgroup_done(arg);
}

static void sleeper(void *arg)
{
    ant_sleep(sleep_ms * ANT_MILLISECOND);
    ant_waitgroup_done(arg);
}

static void produce(void *arg)
{
    void (*task)(void *) = sleep_ms ? sleeper : empty;

    (void)arg;
    for (int i = 0; i < count / producers; i++) {
        if (multi)
            bench_must(ant_multi_pool_submit(multi, task, &done), "ant_multi_pool_submit");
        else
            bench_must(ant_pool_submit(pool, task, &done), "ant_pool_submit");
    }
    ant_waitgroup_done(&producing);
}

static void one_round(double rss_before)
{
    double start, took;

    bench_reset_peak_rss();
    ant_waitgroup_add(&done, count / producers * producers);
    ant_waitgroup_add(&producing, producers);
    start = bench_seconds();
    for (int i = 1; i < producers; i++)
        bench_must(ant_go(produce, NULL), "ant_go");
    produce(NULL);
    ant_waitgroup_wait(&producing);
    ant_waitgroup_wait(&done);
    took = bench_seconds() - start;
    bench_add(&each, took * 1e9 / count);
    bench_add(&all, took);
    bench_add(&rss, bench_peak_rss() - rss_before);
}

static void make_pool(void)
{
    const ant_pool_options options = {.expiry = 10 * ANT_SECOND, .stack_size = (size_t)stack};

    if (teams > 1)
        bench_must(ant_multi_pool_new(&multi, teams, workers / teams, ANT_ROUND_ROBIN, &options),
                   "ant_multi_pool_new");
    else
        bench_must(ant_pool_new(&pool, workers, &options), "ant_pool_new");
}

static int bench(void *arg)
{
    double rss_before = bench_rss();
    char param[96];

    (void)arg;
    make_pool();
    for (int i = 0; i < rounds; i++)
        one_round(rss_before);
    snprintf(param, sizeof param, "p%d %d workers %d producers %d teams %d stack %d", procs, count,
             workers, producers, teams, stack);
    bench_print(sleep_ms ? "W5" : "W4", param, sleep_ms ? &all : &each);
    if (sleep_ms)
        bench_print("W5", param, &rss);
    bench_must(ant_pool_destroy(pool), "ant_pool_destroy");
    bench_must(ant_multi_pool_destroy(multi), "ant_multi_pool_destroy");
    return 0;
}

int main(int argc, char **argv)
{
    (void)argc;
    bench_parse(argv, (struct bench_option[]){{"procs", &procs},
                                              {"count", &count},
                                              {"workers", &workers},
                                              {"producers", &producers},
                                              {"teams", &teams},
                                              {"sleep", &sleep_ms},
                                              {"stack", &stack},
                                              {"rounds", &rounds},
                                              {NULL, NULL}});
    return bench_run(bench, procs);
}
