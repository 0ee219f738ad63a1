/* select.c - a goroutine that receives from two unbuffered channels by select, each of which has a
 * sender; ns for each message. */
#include "bench.h"

static int procs = 1;
static int count = 1000000;
static int rounds = 5;

static ant_chan *channels[2];

static void sender(void *arg)
{
    for (int64_t i = 0; i < count / 2; i++)
        ant_chan_send(arg, &i);
}

static double one_round(void)
{
    double start = bench_seconds();
    int64_t sum = 0;

    for (int i = 0; i < 2; i++) {
        bench_must(ant_chan_new(&channels[i], sizeof sum, 0), "ant_chan_new");
        bench_must(ant_go(sender, channels[i]), "ant_go");
    }
    for (int i = 0; i < count; i++) {
        int64_t v;
        ant_case cases[] = {ANT_RECV(channels[0], &v), ANT_RECV(channels[1], &v)};

        bench_must(ant_select(cases, 2), "ant_select");
        sum += v;
    }
    if (sum != (int64_t)(count / 2) * (count / 2 - 1))
        bench_die("select", "the sum is wrong");
    for (int i = 0; i < 2; i++)
        bench_must(ant_chan_destroy(channels[i]), "ant_chan_destroy");
    return (bench_seconds() - start) * 1e9 / count;
}

static int bench(void *arg)
{
    char param[64];

    (void)arg;
    snprintf(param, sizeof param, "p%d %d", procs, count);
    bench_time("select", param, rounds, one_round);
    return 0;
}

int main(int argc, char **argv)
{
    (void)argc;
    bench_parse(argv, (struct bench_option[]){
                          {"procs", &procs}, {"count", &count}, {"rounds", &rounds}, {NULL, NULL}});
    return bench_run(bench, procs);
}
