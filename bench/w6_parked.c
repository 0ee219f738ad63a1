/* w6_parked.c - W6: a million goroutines park on one gate, then all are let go.
 *
 * spawn: seconds from the first ant_go until every goroutine has run up to the gate.
 * wake:  seconds from opening the gate until every goroutine has ended.
 * rss:   peak memory of the round beyond what the process had before the first round, in bytes
 *        for each goroutine.
 * pte:   page tables while all are parked, counted likewise; rss is without them.
 *
 * A goroutine is counted just before it parks, so the last one or two may still be on their way
 * when spawn ends. stack=0, the default, means the runtime's default stack size.
 */
#include <stdatomic.h>

#include "bench.h"

static int procs = 2;
static int count = 1000000;
static int rounds = 2;
static int stack; /* bytes */

static ant_waitgroup gate;
static ant_waitgroup done;
static atomic_int arrived;

static struct bench_series spawn = {.metric = "spawn", .unit = "s"};
static struct bench_series wake = {.metric = "wake", .unit = "s"};
static struct bench_series rss = {.metric = "rss", .unit = "bytes"};
static struct bench_series pte = {.metric = "pte", .unit = "bytes"};

static void parker(void *arg)
{
    (void)arg;
    atomic_fetch_add_explicit(&arrived, 1, memory_order_relaxed);
    ant_waitgroup_wait(&gate);
    ant_waitgroup_done(&done);
}

static void spawn_all(void)
{
    const ant_go_options options = {.stack_size = (size_t)stack};

    for (int i = 0; i < count; i++)
        bench_must(ant_go_opts(&options, parker, NULL), "ant_go_opts");
    while (atomic_load_explicit(&arrived, memory_order_relaxed) < count)
        ant_yield();
}

static void one_round(double rss_before, double pte_before)
{
    double start, parked, opened, ended;

    bench_reset_peak_rss();
    atomic_store_explicit(&arrived, 0, memory_order_relaxed);
    ant_waitgroup_add(&gate, 1);
    ant_waitgroup_add(&done, count);

    start = bench_seconds();
    spawn_all();
    parked = bench_seconds();
    bench_add(&pte, (bench_page_tables() - pte_before) / count);
    opened = bench_seconds();
    ant_waitgroup_done(&gate);
    ant_waitgroup_wait(&done);
    ended = bench_seconds();

    bench_add(&spawn, parked - start);
    bench_add(&wake, ended - opened);
    bench_add(&rss, (bench_peak_rss() - rss_before) / count);
}

static int bench(void *arg)
{
    char param[64];
    double rss_before = bench_rss(), pte_before = bench_page_tables();

    (void)arg;
    for (int i = 0; i < rounds; i++)
        one_round(rss_before, pte_before);
    if (stack)
        snprintf(param, sizeof param, "p%d %d stack %d", procs, count, stack);
    else
        snprintf(param, sizeof param, "p%d %d", procs, count);
    bench_print("W6", param, &spawn);
    bench_print("W6", param, &wake);
    bench_print("W6", param, &rss);
    bench_print("W6", param, &pte);
    return 0;
}

int main(int argc, char **argv)
{
    (void)argc;
    bench_parse(argv, (struct bench_option[]){{"procs", &procs},
                                              {"count", &count},
                                              {"rounds", &rounds},
                                              {"stack", &stack},
                                              {NULL, NULL}});
    return bench_run(bench, procs);
}
