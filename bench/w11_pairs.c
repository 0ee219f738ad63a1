/* w11_pairs.c - pairs of sockets over which two ends play ping-pong with blocking read and write: us for
 * each round trip of a pair. By plain threads, by goroutines that announce each call, by goroutines that
 * do not, and by goroutines that use ant_read and ant_write. */
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench.h"

enum { MOST = 1000 };

static int procs = 2;
static int pairs = 16;
static int count = 2000; /* round trips of each pair */
static int rounds = 4;

static int ends[MOST][2];
static ant_waitgroup done;

enum how { THREADS, ANNOUNCED, UNANNOUNCED, PARKED, HOWS };

struct end {
    enum how how;
    int fd;
    ant_io io;
    bool first;
};

static struct end all[2 * MOST];

static void move(struct end *e, bool writing)
{
    char byte = 0;
    ssize_t n;

    if (e->how == PARKED) {
        n = writing ? ant_write(e->io, &byte, 1) : ant_read(e->io, &byte, 1);
    } else {
        if (e->how == ANNOUNCED)
            ant_blocking_begin();
        n = writing ? write(e->fd, &byte, 1) : read(e->fd, &byte, 1);
        if (e->how == ANNOUNCED)
            ant_blocking_end();
    }
    if (n != 1)
        bench_die("socket", "no byte");
}

static void play(void *arg)
{
    struct end *e = arg;

    for (int i = 0; i < count; i++) {
        move(e, e->first);
        move(e, !e->first);
    }
    ant_waitgroup_done(&done);
}

static void *thread(void *arg)
{
    play(arg);
    return NULL;
}

static void begin(struct end *e)
{
    pthread_t id;

    if (e->how != THREADS) {
        bench_must(ant_go(play, e), "ant_go");
        return;
    }
    if (pthread_create(&id, NULL, thread, e) != 0)
        bench_die("pthread_create", "no thread");
    pthread_detach(id);
}

static void open_pairs(enum how how)
{
    for (int i = 0; i < 2 * pairs; i++) {
        struct end *e = &all[i];

        if (i % 2 == 0 && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends[i / 2]) != 0)
            bench_die("socketpair", strerror(errno));
        *e = (struct end){.how = how, .fd = ends[i / 2][i % 2], .first = i % 2 == 0};
        if (how == PARKED)
            bench_must(ant_io_from_fd(&e->io, e->fd), "ant_io_from_fd");
    }
}

static void close_pairs(void)
{
    for (int i = 0; i < 2 * pairs; i++) {
        if (all[i].how == PARKED)
            ant_close(all[i].io);
        else
            close(all[i].fd);
    }
}

static double one_round(enum how how)
{
    double start;

    open_pairs(how);
    ant_waitgroup_add(&done, 2 * pairs);
    start = bench_seconds();
    for (int i = 0; i < 2 * pairs; i++)
        begin(&all[i]);
    ant_waitgroup_wait(&done);
    start = bench_seconds() - start;
    close_pairs();
    return start * 1e6 / count / pairs;
}

static int bench(void *arg)
{
    static struct bench_series series[HOWS] = {
        [THREADS] = {.metric = "threads", .unit = "us"},
        [ANNOUNCED] = {.metric = "announced", .unit = "us"},
        [UNANNOUNCED] = {.metric = "unannounced", .unit = "us"},
        [PARKED] = {.metric = "parked", .unit = "us"},
    };
    char param[64];

    (void)arg;
    snprintf(param, sizeof param, "p%d %d pairs", procs, pairs);
    for (int i = 0; i < rounds; i++) {
        for (int how = 0; how < HOWS; how++)
            bench_add(&series[how], one_round((enum how)how));
    }
    for (int how = 0; how < HOWS; how++)
        bench_print("W11", param, &series[how]);
    return 0;
}

int main(int argc, char **argv)
{
    (void)argc;
    bench_parse(argv, (struct bench_option[]){{"procs", &procs},
                                              {"pairs", &pairs},
                                              {"count", &count},
                                              {"rounds", &rounds},
                                              {NULL, NULL}});
    if (pairs > MOST)
        bench_die("pairs", "1000 at most");
    return bench_run(bench, procs);
}
