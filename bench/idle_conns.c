/* idle_conns.c - TCP connections on which nothing happens, each with a goroutine that reads: memory of
 * the server for each, and how long it takes until a byte that comes on any one of them is sent back.
 * The other end is idle_client.c, a process of its own, which the variable IDLE_CLIENT names.
 *   hold=1: nothing is measured; says when the connections are there, and ends with the input */
#include <sys/resource.h>

#include "bench.h"

static int procs = 2;
static int conns = 10000;
static int count = 5000; /* bytes sent */
static int rounds = 3;
static int hold = 2;

static ant_io listener, to_client, from_client;

static void serve(void *arg)
{
    ant_io io = *(ant_io *)arg;
    char buf[64];
    ssize_t n;

    while ((n = ant_read(io, buf, sizeof buf)) > 0)
        if (ant_write(io, buf, (size_t)n) != n)
            break;
    ant_close(io);
}

static void accept_all(void *arg)
{
    ant_io io;

    (void)arg;
    while (ant_accept(listener, &io) == 0)
        bench_must(ant_go_copy(serve, &io, sizeof io), "ant_go_copy");
}

static void start_client(void)
{
    char text[ANT_ADDR_TEXT], numbers[2][16];
    const char *client = getenv("IDLE_CLIENT");
    const char *argv[] = {client, NULL, numbers[0], numbers[1], NULL};
    ant_process process;
    ant_addr addr;

    if (!client)
        bench_die("IDLE_CLIENT", "is not set: the path of bench_idle_client");
    bench_must(ant_listen(&listener, "tcp4", "0.0.0.0:0", NULL), "ant_listen");
    bench_must(ant_local_addr(listener, &addr), "ant_local_addr");
    bench_must(ant_addr_text(&addr, text, sizeof text), "ant_addr_text");
    argv[1] = strchr(text, ':') + 1;
    snprintf(numbers[0], sizeof numbers[0], "%d", conns);
    snprintf(numbers[1], sizeof numbers[1], "%d", count);
    bench_must(ant_go(accept_all, NULL), "ant_go");
    bench_must(ant_spawn(&process, argv,
                         &(ant_spawn_options){.ret_in = &to_client, .ret_out = &from_client}),
               "ant_spawn");
}

static double read_number(void)
{
    char line[64] = {0};

    for (size_t n = 0; n < sizeof line - 1 && !strchr(line, '\n'); n++)
        bench_must(ant_read(from_client, line + n, 1) == 1 ? 0 : -EIO, "the client");
    return atof(line);
}

static void connect_all(void)
{
    read_number(); /* "connected" */
    while (ant_count() < conns + 2)
        ant_sleep(ANT_MILLISECOND);
}

static void wait_for_end_of_input(void)
{
    puts("held");
    fflush(stdout);
    ant_blocking_begin();
    while (getchar() != EOF)
        ;
    ant_blocking_end();
}

static int bench(void *arg)
{
    static struct bench_series memory = {.metric = "rss", .unit = "B"};
    static struct bench_series wake = {.metric = "wake", .unit = "ns"};
    double before = bench_rss();
    char param[64];

    (void)arg;
    start_client();
    connect_all();
    if (hold == 1) {
        wait_for_end_of_input();
        return 0;
    }
    bench_add(&memory, (bench_rss() - before) / conns);
    for (int i = 0; i < rounds; i++) {
        bench_must((int)ant_write(to_client, "\n", 1), "ant_write");
        bench_add(&wake, read_number());
    }
    snprintf(param, sizeof param, "p%d %d", procs, conns);
    bench_print("idle_conns", param, &memory);
    bench_print("idle_conns", param, &wake);
    return 0;
}

int main(int argc, char **argv)
{
    struct rlimit limit;

    (void)argc;
    bench_parse(argv, (struct bench_option[]){{"procs", &procs},
                                              {"conns", &conns},
                                              {"count", &count},
                                              {"rounds", &rounds},
                                              {"hold", &hold},
                                              {NULL, NULL}});
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    return bench_run(bench, procs);
}
