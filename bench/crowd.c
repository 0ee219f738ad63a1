/* crowd.c - a hundred producers and a hundred consumers on one channel of 128 slots; ns for each
 * message. */
#include <stdatomic.h>

#include "bench.h"

enum { CROWD = 100, SLOTS = 128 };

static int procs = 2;
static int count = 2000000;
static int rounds = 5;

static ant_chan *channel;
static ant_waitgroup producing, consuming;
static atomic_llong total;

static void producer(void *arg)
{
    (void)arg;
    for (int64_t i = 0; i < count / CROWD; i++)
        ant_chan_send(channel, &i);
    ant_waitgroup_done(&producing);
}

static void consumer(void *arg)
{
    int64_t v, sum = 0;

    (void)arg;
    while (ant_chan_recv(channel, &v))
        sum += v;
    atomic_fetch_add(&total, sum);
    ant_waitgroup_done(&consuming);
}

static double one_round(void)
{
    int64_t each = count / CROWD;
    double start = bench_seconds();

    atomic_store(&total, 0);
    bench_must(ant_chan_new(&channel, sizeof each, SLOTS), "ant_chan_new");
    ant_waitgroup_add(&producing, CROWD);
    ant_waitgroup_add(&consuming, CROWD);
    for (int i = 0; i < CROWD; i++) {
        bench_must(ant_go(producer, NULL), "ant_go");
        bench_must(ant_go(consumer, NULL), "ant_go");
    }
    ant_waitgroup_wait(&producing);
    ant_chan_close(channel);
    ant_waitgroup_wait(&consuming);
    if (atomic_load(&total) != CROWD * each * (each - 1) / 2)
        bench_die("crowd", "the total is wrong");
    bench_must(ant_chan_destroy(channel), "ant_chan_destroy");
    return (bench_seconds() - start) * 1e9 / count;
}

static int bench(void *arg)
{
    char param[64];

    (void)arg;
    snprintf(param, sizeof param, "p%d %d", procs, count);
    bench_time("crowd", param, rounds, one_round);
    return 0;
}

int main(int argc, char **argv)
{
    (void)argc;
    bench_parse(argv, (struct bench_option[]){
                          {"procs", &procs}, {"count", &count}, {"rounds", &rounds}, {NULL, NULL}});
    return bench_run(bench, procs);
}
