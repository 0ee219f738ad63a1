/* w11_blocked.c - a thousand calls that block for 300 ms at a time, with a 1 ms ticker beside them: by
 * goroutines that announce them, by goroutines that do not, and by plain threads. For each the time in
 * ms until all are done, and by how much the ticks came late, the 99th of a hundred, in us.
 *
 * The ticker is the same goroutine each time. A round begins with as few threads as there can be. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "bench.h"

enum { MOST_TICKS = 100000 };

static int procs = 2;
static int count = 1000;
static int ms = 300;
static int rounds = 4;
static int settle = 1; /* seconds, before each crowd */

static ant_waitgroup done;

static void announced(void *arg)
{
    (void)arg;
    ant_blocking_begin();
    usleep((useconds_t)ms * 1000);
    ant_blocking_end();
    ant_waitgroup_done(&done);
}

static void unannounced(void *arg)
{
    (void)arg;
    usleep((useconds_t)ms * 1000);
    ant_waitgroup_done(&done);
}

static void go_all(void (*fn)(void *))
{
    for (int i = 0; i < count; i++)
        bench_must(ant_go(fn, NULL), "ant_go");
}

static void all_announced(void)
{
    go_all(announced);
}

static void all_unannounced(void)
{
    go_all(unannounced);
}

static void *thread(void *arg)
{
    unannounced(arg);
    return NULL;
}

static void *make_threads(void *arg)
{
    pthread_t id;

    (void)arg;
    for (int i = 0; i < count; i++) {
        if (pthread_create(&id, NULL, thread, NULL) != 0)
            bench_die("pthread_create", "no thread");
        pthread_detach(id);
    }
    return NULL;
}

/* One of them makes the others, as a program without goroutines would. */
static void all_threads(void)
{
    pthread_t id;

    if (pthread_create(&id, NULL, make_threads, NULL) != 0)
        bench_die("pthread_create", "no thread");
    pthread_detach(id);
}

/* ---- the ticker ---- */

static struct {
    double late[MOST_TICKS];
    int n;
    atomic_bool stop;
    ant_waitgroup ended;
} ticks;

static void listen_to_ticks(void *arg)
{
    ant_ticker *ticker;
    ant_time last, tick, now;

    (void)arg;
    bench_must(ant_ticker_new(&ticker, ANT_MILLISECOND), "ant_ticker_new");
    ant_chan_recv(ant_ticker_chan(ticker), &tick);
    for (last = ant_now(); !atomic_load(&ticks.stop) && ticks.n < MOST_TICKS; last = now) {
        ant_chan_recv(ant_ticker_chan(ticker), &tick);
        now = ant_now();
        ticks.late[ticks.n] = (double)(now - last - ANT_MILLISECOND) / 1000;
        if (ticks.late[ticks.n] < 0)
            ticks.late[ticks.n] = 0; /* the one before was late */
        ticks.n++;
    }
    ant_ticker_destroy(ticker);
    ant_waitgroup_done(&ticks.ended);
}

static void begin_ticks(void)
{
    ticks.n = 0;
    atomic_store(&ticks.stop, false);
    ant_waitgroup_add(&ticks.ended, 1);
    bench_must(ant_go(listen_to_ticks, NULL), "ant_go");
    ant_sleep(10 * ANT_MILLISECOND);
}

static double end_ticks(void)
{
    atomic_store(&ticks.stop, true);
    ant_waitgroup_wait(&ticks.ended);
    qsort(ticks.late, (size_t)ticks.n, sizeof *ticks.late, bench_by_value);
    return ticks.late[ticks.n * 99 / 100];
}

/* ---- the crowds ---- */

static struct {
    void (*begin)(void);
    struct bench_series time, late;
} crowds[] = {
    {all_announced,
     {.metric = "announced", .unit = "ms"},
     {.metric = "announced late", .unit = "us"}},
    {all_unannounced,
     {.metric = "unannounced", .unit = "ms"},
     {.metric = "unannounced late", .unit = "us"}},
    {all_threads, {.metric = "threads", .unit = "ms"}, {.metric = "threads late", .unit = "us"}},
};

enum { CROWDS = sizeof crowds / sizeof *crowds };

static void one_crowd(int i)
{
    double start;

    ant_sleep(settle * ANT_SECOND);
    begin_ticks();
    start = bench_seconds();
    ant_waitgroup_add(&done, count);
    crowds[i].begin();
    ant_waitgroup_wait(&done);
    bench_add(&crowds[i].time, (bench_seconds() - start) * 1e3);
    bench_add(&crowds[i].late, end_ticks());
}

static int bench(void *arg)
{
    char param[64];

    (void)arg;
    snprintf(param, sizeof param, "p%d %d of %d ms", procs, count, ms);
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < CROWDS; i++)
            one_crowd(i);
    }
    for (int i = 0; i < CROWDS; i++) {
        bench_print("W11", param, &crowds[i].time);
        bench_print("W11", param, &crowds[i].late);
    }
    return 0;
}

int main(int argc, char **argv)
{
    (void)argc;
    bench_parse(argv, (struct bench_option[]){{"procs", &procs},
                                              {"count", &count},
                                              {"ms", &ms},
                                              {"rounds", &rounds},
                                              {"settle", &settle},
                                              {NULL, NULL}});
    return bench_run(bench, procs);
}
