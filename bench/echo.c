/* echo.c - TCP echo over loopback, client and server in one process, on the same Ps. Each connection
 * has a goroutine at each end.
 *   stream=1: the client writes on while another goroutine reads
 *   otherwise: the client writes a message and waits until it has come back
 *   cubic=1: with the kernel's usual congestion control, whatever the machine is set to
 * The figures are ns for each message of `size` bytes that has come back, over all connections, how
 * much of it the CPUs spent in the kernel, how many packets the machine sent for it; and, unless it is a
 * stream, how long one of a hundred messages was under way at least. */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "bench.h"

static int procs = 2;
static int conns = 64;
static int size = 512;
static int count = 200000; /* messages of all connections together */
static int stream = 2;
static int cubic = 1;
static int rounds = 4;

static ant_waitgroup done;
static ant_io listener;
static char address[ANT_ADDR_TEXT];

static void serve(void *arg)
{
    ant_io io = *(ant_io *)arg;
    char buf[16384];
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

struct client {
    ant_io io;
    int messages;
    double *took; /* of each message */
};

static void write_all(void *arg)
{
    struct client *c = arg;
    char out[16384] = {0};

    for (int i = 0; i < c->messages; i++)
        bench_must((int)ant_write(c->io, out, (size_t)size), "ant_write");
}

static void client_stream(void *arg)
{
    struct client *c = arg;
    char in[16384];
    int64_t left = (int64_t)c->messages * size;

    bench_must(ant_go(write_all, c), "ant_go");
    while (left > 0) {
        ssize_t n = ant_read(c->io, in, sizeof in);

        bench_must(n > 0 ? 0 : -EIO, "ant_read");
        left -= n;
    }
    ant_waitgroup_done(&done);
}

static void client_ping_pong(void *arg)
{
    struct client *c = arg;
    char out[16384] = {0}, in[16384];

    for (int i = 0; i < c->messages; i++) {
        double start = bench_seconds();

        bench_must((int)ant_write(c->io, out, (size_t)size), "ant_write");
        bench_must((int)ant_read_full(c->io, in, (size_t)size), "ant_read_full");
        c->took[i] = bench_seconds() - start;
    }
    ant_waitgroup_done(&done);
}

static struct client *clients;
static double *took;

static double kernel_seconds(void)
{
    struct rusage use;

    getrusage(RUSAGE_SELF, &use);
    return (double)use.ru_stime.tv_sec + (double)use.ru_stime.tv_usec / 1e6;
}

/* The machine's, sent by TCP so far. */
static double packets(void)
{
    FILE *f = fopen("/proc/self/net/snmp", "r");
    char line[512];
    double n = -1;

    while (f && n < 0 && fgets(line, sizeof line, f)) {
        if (sscanf(line, "Tcp: %*d %*d %*d %*d %*d %*d %*d %*d %*d %*d %lf", &n) != 1)
            n = -1;
    }
    bench_must(n < 0 ? -EIO : 0, "/proc/self/net/snmp");
    fclose(f);
    return n;
}

static void run_clients(void)
{
    ant_waitgroup_add(&done, conns);
    for (int i = 0; i < conns; i++)
        bench_must(ant_go(stream == 1 ? client_stream : client_ping_pong, &clients[i]), "ant_go");
    ant_waitgroup_wait(&done);
}

/* Before there is a connection: BBR leaves its pacing behind. A listener's setting is inherited. */
static void set_cubic(int fd)
{
    static const char name[] = "cubic";

    if (setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name, sizeof name - 1) != 0)
        bench_must(-errno, "TCP_CONGESTION (try cubic=2)");
}

/* As ant_dial, whose socket cannot be had before it is connected. */
static void dial_cubic(ant_io *ret_io, const ant_addr *addr)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;

    bench_must(fd < 0 ? -errno : 0, "socket");
    set_cubic(fd);
    if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0 ||
        connect(fd, (const struct sockaddr *)addr->bytes, addr->len) != 0)
        bench_must(-errno, "connect");
    bench_must(ant_io_from_fd(ret_io, fd), "ant_io_from_fd");
}

static void connect_all(void)
{
    ant_addr addr;

    bench_must(ant_listen(&listener, "tcp", "127.0.0.1:0", NULL), "ant_listen");
    if (cubic == 1)
        set_cubic(ant_io_fd(listener));
    bench_must(ant_local_addr(listener, &addr), "ant_local_addr");
    bench_must(ant_addr_text(&addr, address, sizeof address), "ant_addr_text");
    bench_must(ant_go(accept_all, NULL), "ant_go");
    for (int i = 0; i < conns; i++) {
        clients[i].messages = count / conns;
        clients[i].took = took + (ptrdiff_t)i * (count / conns);
        if (cubic == 1)
            dial_cubic(&clients[i].io, &addr);
        else
            bench_must(ant_dial(&clients[i].io, "tcp", address), "ant_dial");
    }
}

/* Of all messages of a round. */
static double slowest_percent(void)
{
    size_t n = (size_t)(count / conns) * (size_t)conns;

    qsort(took, n, sizeof *took, bench_by_value);
    return took[n * 99 / 100] * 1e9;
}

static int bench(void *arg)
{
    static struct bench_series all = {.metric = "time", .unit = "ns"};
    static struct bench_series kernel = {.metric = "kernel", .unit = "ns"};
    static struct bench_series sent = {.metric = "packets", .unit = "packets"};
    static struct bench_series p99 = {.metric = "p99", .unit = "ns"};
    double each = 1e9 / ((double)(count / conns) * conns);
    char param[80];

    (void)arg;
    clients = calloc((size_t)conns, sizeof *clients);
    took = calloc((size_t)count, sizeof *took);
    connect_all();
    snprintf(param, sizeof param, "p%d %d conns %d size %d stream %d cubic %d", procs, count, conns,
             size, stream, cubic);
    for (int i = 0; i < rounds; i++) {
        double start = bench_seconds(), kernel_start = kernel_seconds();
        double sent_before = packets();

        run_clients();
        bench_add(&all, (bench_seconds() - start) * each);
        bench_add(&kernel, (kernel_seconds() - kernel_start) * each / procs);
        bench_add(&sent, (packets() - sent_before) * each / 1e9);
        if (stream != 1)
            bench_add(&p99, slowest_percent());
    }
    bench_print("echo", param, &all);
    bench_print("echo", param, &kernel);
    bench_print("echo", param, &sent);
    if (stream != 1)
        bench_print("echo", param, &p99);
    free(took);
    free(clients);
    return 0;
}

int main(int argc, char **argv)
{
    (void)argc;
    bench_parse(argv, (struct bench_option[]){{"procs", &procs},
                                              {"conns", &conns},
                                              {"size", &size},
                                              {"count", &count},
                                              {"stream", &stream},
                                              {"cubic", &cubic},
                                              {"rounds", &rounds},
                                              {NULL, NULL}});
    return bench_run(bench, procs);
}
