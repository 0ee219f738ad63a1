/* w11_pollers.c - goroutines that sit in short calls nobody announced, poll for a millisecond, again and
 * again, beside a 1 ms ticker: how many of its ticks are missed, in percent. */
#include <poll.h>
#include <stdatomic.h>

#include "bench.h"

static int procs = 1;
static int count = 100;
static int ms = 2000;
static int rounds = 3;

static atomic_bool stop;
static ant_waitgroup done;

static void poller(void *arg)
{
    (void)arg;
    while (!atomic_load(&stop))
        poll(NULL, 0, 1);
    ant_waitgroup_done(&done);
}

static struct bench_series missed = {.metric = "missed", .unit = "%"};

static double count_missed(void)
{
    ant_ticker *ticker;
    ant_time end = ant_now() + ms * ANT_MILLISECOND, tick;
    int n = 0;

    bench_must(ant_ticker_new(&ticker, ANT_MILLISECOND), "ant_ticker_new");
    for (; ant_now() < end; n++)
        ant_chan_recv(ant_ticker_chan(ticker), &tick);
    ant_ticker_destroy(ticker);
    return n < ms ? 100.0 - 100.0 * n / ms : 0;
}

static int bench(void *arg)
{
    char param[64];

    (void)arg;
    snprintf(param, sizeof param, "p%d %d pollers", procs, count);
    for (int i = 0; i < rounds; i++) {
        atomic_store(&stop, false);
        ant_waitgroup_add(&done, count);
        for (int j = 0; j < count; j++)
            bench_must(ant_go(poller, NULL), "ant_go");
        bench_add(&missed, count_missed());
        atomic_store(&stop, true);
        ant_waitgroup_wait(&done);
    }
    bench_print("W11", param, &missed);
    return 0;
}

int main(int argc, char **argv)
{
    (void)argc;
    bench_parse(
        argv,
        (struct bench_option[]){
            {"procs", &procs}, {"count", &count}, {"ms", &ms}, {"rounds", &rounds}, {NULL, NULL}});
    return bench_run(bench, procs);
}
