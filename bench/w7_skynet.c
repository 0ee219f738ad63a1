/* w7_skynet.c - W7: a tree of goroutines, ten children each, down to a million leaves; each sends a
 * number to its parent over an unbuffered channel, which adds them up; seconds for the tree. */
#include "bench.h"

static int procs = 2;
static int leaves = 1000000;
static int rounds = 5;

struct node {
    ant_chan *up;
    int64_t first, size;
};

static void skynet(void *arg)
{
    struct node *n = arg;
    int64_t sum = 0, v;
    ant_chan *c;

    if (n->size == 1) {
        ant_chan_send(n->up, &n->first);
        return;
    }
    bench_must(ant_chan_new(&c, sizeof sum, 0), "ant_chan_new");
    for (int64_t i = 0; i < 10; i++) {
        struct node child = {.up = c, .first = n->first + i * n->size / 10, .size = n->size / 10};

        bench_must(ant_go_copy(skynet, &child, sizeof child), "ant_go_copy");
    }
    for (int i = 0; i < 10; i++) {
        ant_chan_recv(c, &v);
        sum += v;
    }
    bench_must(ant_chan_destroy(c), "ant_chan_destroy");
    ant_chan_send(n->up, &sum);
}

static double one_round(void)
{
    double start = bench_seconds();
    struct node root = {.size = leaves};
    int64_t sum;

    bench_must(ant_chan_new(&root.up, sizeof sum, 0), "ant_chan_new");
    bench_must(ant_go_copy(skynet, &root, sizeof root), "ant_go_copy");
    ant_chan_recv(root.up, &sum);
    if (sum != (int64_t)leaves * (leaves - 1) / 2)
        bench_die("w7_skynet", "the sum is wrong");
    bench_must(ant_chan_destroy(root.up), "ant_chan_destroy");
    return (bench_seconds() - start) * 1e9;
}

static int bench(void *arg)
{
    char param[64];

    (void)arg;
    snprintf(param, sizeof param, "p%d %d", procs, leaves);
    bench_time("W7", param, rounds, one_round);
    return 0;
}

int main(int argc, char **argv)
{
    (void)argc;
    bench_parse(argv,
                (struct bench_option[]){
                    {"procs", &procs}, {"leaves", &leaves}, {"rounds", &rounds}, {NULL, NULL}});
    return bench_run(bench, procs);
}
