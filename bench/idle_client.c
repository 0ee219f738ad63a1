/* idle_client.c PORT CONNS COUNT - the other end of idle_conns.c and its twin: opens that many
 * connections, prints a line, and when it gets one sends a byte on one of them after another, any
 * one, and waits until it comes back; prints the median in ns. Again for each line; ends with the
 * input. Plain threads and sockets, the same for all contestants. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* There are some 28000 ports for each address: so there are several addresses. */
static int dial(int i, int port)
{
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK + (uint32_t)(i / 20000))};
    int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;

    if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof to) != 0)
        die("connect");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median_round_trip(const int *fds, int conns, double *took, int count)
{
    unsigned at = 1;
    char byte = 0;

    for (int i = 0; i < count; i++) {
        double start = now();
        int fd;

        at = at * 1664525 + 1013904223;
        fd = fds[at % (unsigned)conns];
        if (write(fd, &byte, 1) != 1 || read(fd, &byte, 1) != 1)
            die("round trip");
        took[i] = now() - start;
    }
    qsort(took, (size_t)count, sizeof *took, by_value);
    return took[count / 2];
}

int main(int argc, char **argv)
{
    int port, conns, count;
    struct rlimit limit;
    double *took;
    int *fds;

    if (argc != 4)
        return 2;
    port = atoi(argv[1]);
    conns = atoi(argv[2]);
    count = atoi(argv[3]);
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    fds = calloc((size_t)conns, sizeof *fds);
    took = calloc((size_t)count, sizeof *took);
    for (int i = 0; i < conns; i++)
        fds[i] = dial(i, port);
    puts("connected");
    fflush(stdout);
    while (getchar() == '\n') {
        printf("%.0f\n", median_round_trip(fds, conns, took, count));
        fflush(stdout);
    }
    return 0;
}
