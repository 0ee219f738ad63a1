/* w3_chan.c - W3: one goroutine sends integers to another over one channel; ns for each message.
 * slots=0, the default, is an unbuffered channel. */
#include "bench.h"

static int procs = 1;
static int count = 2000000;
static int slots;
static int rounds = 5;

static ant_chan *channel;

static void sender(void *arg)
{
    (void)arg;
    for (int64_t i = 0; i < count; i++)
        ant_chan_send(channel, &i);
    ant_chan_close(channel);
}

static double one_round(void)
{
    double start = bench_seconds();
    int64_t v, sum = 0;

    bench_must(ant_chan_new(&channel, sizeof v, (size_t)slots), "ant_chan_new");
    bench_must(ant_go(sender, NULL), "ant_go");
    while (ant_chan_recv(channel, &v))
        sum += v;
    if (sum != (int64_t)count * (count - 1) / 2)
        bench_die("w3_chan", "the sum is wrong");
    bench_must(ant_chan_destroy(channel), "ant_chan_destroy");
    return (bench_seconds() - start) * 1e9 / count;
}

static int bench(void *arg)
{
    char param[64];

    (void)arg;
    snprintf(param, sizeof param, "p%d %d slots %d", procs, count, slots);
    bench_time("W3", param, rounds, one_round);
    return 0;
}

int main(int argc, char **argv)
{
    (void)argc;
    bench_parse(argv, (struct bench_option[]){{"procs", &procs},
                                              {"count", &count},
                                              {"slots", &slots},
                                              {"rounds", &rounds},
                                              {NULL, NULL}});
    return bench_run(bench, procs);
}
