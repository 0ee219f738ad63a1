/* ticker.c - how late the ticks of a 1 ms ticker are while 8 goroutines compute without end and 8 sit
 * in system calls of a second, of which nobody was told: the 50th, 99th and 100th of a hundred, in
 * us. */
#include <stdatomic.h>
#include <unistd.h>

#include "bench.h"

static int procs = 2;
static int hogs = 8;
static int blocked = 8;
static int count = 2000; /* ticks */
static int rounds = 2;

static atomic_bool stop;
static ant_waitgroup done;

static void hog(void *arg)
{
    (void)arg;
    while (!atomic_load_explicit(&stop, memory_order_relaxed))
        continue;
    ant_waitgroup_done(&done);
}

static void block(void *arg)
{
    (void)arg;
    while (!atomic_load_explicit(&stop, memory_order_relaxed))
        usleep(1000000);
    ant_waitgroup_done(&done);
}

static struct bench_series p50 = {.metric = "p50", .unit = "us"};
static struct bench_series p99 = {.metric = "p99", .unit = "us"};
static struct bench_series worst = {.metric = "max", .unit = "us"};

static void listen_to_ticks(void)
{
    double *late = calloc((size_t)count, sizeof *late);
    ant_ticker *ticker;
    ant_time last, tick;

    bench_must(ant_ticker_new(&ticker, ANT_MILLISECOND), "ant_ticker_new");
    ant_chan_recv(ant_ticker_chan(ticker), &tick);
    last = ant_now();
    for (int i = 0; i < count; i++) {
        ant_time now;

        ant_chan_recv(ant_ticker_chan(ticker), &tick);
        now = ant_now();
        late[i] = (double)(now - last - ANT_MILLISECOND) / 1000;
        if (late[i] < 0)
            late[i] = 0; /* the one before was late */
        last = now;
    }
    ant_ticker_destroy(ticker);
    qsort(late, (size_t)count, sizeof *late, bench_by_value);
    bench_add(&p50, late[count / 2]);
    bench_add(&p99, late[count * 99 / 100]);
    bench_add(&worst, late[count - 1]);
    free(late);
}

static int bench(void *arg)
{
    char param[64];

    (void)arg;
    snprintf(param, sizeof param, "p%d %d hogs %d blocked %d", procs, count, hogs, blocked);
    for (int i = 0; i < rounds; i++) {
        atomic_store(&stop, false);
        ant_waitgroup_add(&done, hogs + blocked);
        for (int j = 0; j < hogs; j++)
            bench_must(ant_go(hog, NULL), "ant_go");
        for (int j = 0; j < blocked; j++)
            bench_must(ant_go(block, NULL), "ant_go");
        ant_sleep(300 * ANT_MILLISECOND);
        listen_to_ticks();
        atomic_store(&stop, true);
        ant_waitgroup_wait(&done);
    }
    bench_print("ticker", param, &p50);
    bench_print("ticker", param, &p99);
    bench_print("ticker", param, &worst);
    return 0;
}

int main(int argc, char **argv)
{
    (void)argc;
    bench_parse(argv, (struct bench_option[]){{"procs", &procs},
                                              {"hogs", &hogs},
                                              {"blocked", &blocked},
                                              {"count", &count},
                                              {"rounds", &rounds},
                                              {NULL, NULL}});
    return bench_run(bench, procs);
}
