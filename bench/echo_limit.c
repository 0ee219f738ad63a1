/* echo_limit.c - what echo.c (ping-pong) would cost without a scheduler: two threads, each with its own
 * half of the connections, both ends of them, and a bare loop around the kernel: epoll, or io_uring
 * (uring=1, where liburing was there at build time). apart=1: the two ends of a connection belong to
 * different threads. The figure is ns for each message. */
#define _GNU_SOURCE
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#ifdef HAVE_LIBURING
#include <liburing.h>
#endif

#include "bench.h"

enum { MESSAGE = 512, THREADS = 2, LOOK_MS = 1 };

static int conns = 64;
static int count = 200000;
static int uring = 2;
static int apart = 2;
static atomic_int at_work; /* threads whose messages have not all come back: the others serve on */
static int rounds = 4;

struct end {
    int fd;
    bool client;
    char buf[MESSAGE];
};

static void must(bool ok, const char *what)
{
    if (!ok)
        bench_die(what, strerror(errno));
}

static void connect_pair(int listener, const struct sockaddr_in *to, struct end *client,
                         struct end *server)
{
    int on = 1;

    client->client = true;
    client->fd = socket(AF_INET, SOCK_STREAM, 0);
    must(connect(client->fd, (const struct sockaddr *)to, sizeof *to) == 0, "connect");
    server->fd = accept(listener, NULL, NULL);
    must(server->fd >= 0, "accept");
    setsockopt(client->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(server->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

static struct end *connect_all(int n)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    struct end *ends = calloc((size_t)n * 2, sizeof *ends);
    int listener = socket(AF_INET, SOCK_STREAM, 0);

    must(bind(listener, (struct sockaddr *)&at, sizeof at) == 0 && listen(listener, n) == 0 &&
             getsockname(listener, (struct sockaddr *)&at, &size) == 0,
         "listen");
    for (int i = 0; i < n; i++)
        connect_pair(listener, &at, &ends[2 * i], &ends[2 * i + 1]);
    close(listener);
    return ends;
}

static void close_all(struct end *ends, int n)
{
    for (int i = 0; i < 2 * n; i++)
        close(ends[i].fd);
    free(ends);
}

/* A message has come to this end. True: it is to be answered. */
static bool count_in(const struct end *end, int *left)
{
    if (!end->client)
        return true;
    if (--*left == 0)
        atomic_fetch_sub(&at_work, 1);
    return *left > 0;
}

static void loop_epoll(struct end *ends, int n, int messages)
{
    struct epoll_event events[128];
    int epoll = epoll_create1(0);

    for (int i = 0; i < 2 * n; i++) {
        struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.ptr = &ends[i]};

        must(epoll_ctl(epoll, EPOLL_CTL_ADD, ends[i].fd, &event) == 0, "epoll_ctl");
        if (ends[i].client)
            must(send(ends[i].fd, ends[i].buf, MESSAGE, 0) == MESSAGE, "send");
    }
    while (atomic_load(&at_work) > 0) {
        int ready = epoll_wait(epoll, events, 128, LOOK_MS);

        for (int i = 0; i < ready; i++) {
            struct end *end = events[i].data.ptr;

            if (recv(end->fd, end->buf, MESSAGE, MSG_DONTWAIT) != MESSAGE)
                continue;
            if (count_in(end, &messages))
                must(send(end->fd, end->buf, MESSAGE, 0) == MESSAGE, "send");
        }
    }
    close(epoll);
}

#ifdef HAVE_LIBURING
static struct io_uring_sqe *next_entry(struct io_uring *ring)
{
    struct io_uring_sqe *entry = io_uring_get_sqe(ring);

    while (!entry) {
        io_uring_submit(ring);
        entry = io_uring_get_sqe(ring);
    }
    return entry;
}

static void want(struct io_uring *ring, struct end *end)
{
    struct io_uring_sqe *entry = next_entry(ring);

    io_uring_prep_recv(entry, end->fd, end->buf, MESSAGE, MSG_WAITALL);
    io_uring_sqe_set_data(entry, end);
}

static void give(struct io_uring *ring, struct end *end)
{
    struct io_uring_sqe *entry = next_entry(ring);

    io_uring_prep_send(entry, end->fd, end->buf, MESSAGE, 0);
    io_uring_sqe_set_data(entry, NULL);
    entry->flags |= IOSQE_CQE_SKIP_SUCCESS;
}

static void loop_uring(struct end *ends, int n, int messages)
{
    struct io_uring_params params = {.flags =
                                         IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN};
    struct io_uring ring;

    must(io_uring_queue_init_params(1024, &ring, &params) == 0, "io_uring");
    for (int i = 0; i < 2 * n; i++) {
        if (ends[i].client)
            give(&ring, &ends[i]);
        want(&ring, &ends[i]);
    }
    while (atomic_load(&at_work) > 0) {
        struct __kernel_timespec look = {.tv_nsec = LOOK_MS * 1000000};
        struct io_uring_cqe *done;
        unsigned head, seen = 0;

        io_uring_submit_and_wait_timeout(&ring, &done, 1, &look, NULL);
        io_uring_for_each_cqe(&ring, head, done)
        {
            struct end *end = io_uring_cqe_get_data(done);

            seen++;
            if (!end)
                continue;
            must(done->res == MESSAGE, "recv");
            if (count_in(end, &messages)) {
                give(&ring, end);
                want(&ring, end);
            }
        }
        io_uring_cq_advance(&ring, seen);
    }
    io_uring_queue_exit(&ring);
}
#else
static void loop_uring(struct end *ends, int n, int messages)
{
    (void)ends, (void)n, (void)messages;
    bench_die("uring=1", "built without liburing");
}
#endif

static void *thread(void *arg)
{
    int n = conns / THREADS;
    struct end *ends = arg;

    (uring == 1 ? loop_uring : loop_epoll)(ends, n, count / THREADS);
    return NULL;
}

/* Each thread gets the other one's servers. */
static void part(struct end *a, struct end *b, int n)
{
    for (int i = 1; i < 2 * n; i += 2) {
        struct end server = a[i];

        a[i] = b[i];
        b[i] = server;
    }
}

static double one_round(void)
{
    struct end *ends[THREADS];
    pthread_t threads[THREADS];
    double start, took;

    for (int i = 0; i < THREADS; i++)
        ends[i] = connect_all(conns / THREADS);
    if (apart == 1)
        part(ends[0], ends[1], conns / THREADS);
    atomic_store(&at_work, THREADS);
    start = bench_seconds();
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, thread, ends[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    took = bench_seconds() - start;
    for (int i = 0; i < THREADS; i++)
        close_all(ends[i], conns / THREADS);
    return took * 1e9 / count;
}

int main(int argc, char **argv)
{
    char param[64];

    (void)argc;
    bench_parse(argv, (struct bench_option[]){{"conns", &conns},
                                              {"count", &count},
                                              {"uring", &uring},
                                              {"apart", &apart},
                                              {"rounds", &rounds},
                                              {NULL, NULL}});
    if (conns < THREADS || count < THREADS)
        bench_die("conns, count", "each of the two threads needs one");
    snprintf(param, sizeof param, "%d conns %d %s%s", count, conns, uring == 1 ? "uring" : "epoll",
             apart == 1 ? " apart" : "");
    bench_time("echo_limit", param, rounds, one_round);
    return fflush(stdout) == 0 ? 0 : 1;
}
