/* stack_libc - how much stack functions of libc take, measured on painted stacks: not more than go.h says
 * of those that programs call, nor more than tools/stackdepth counts for those that we call
 * (libc_needs.h).
 *
 * Catches: a figure that is no longer true, with another libc for instance. `--list` of this test's
 * figures: run it with ANT_TEST_PRINT=1. */
#include <anthill.h>
#include <arpa/inet.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "check.h"

enum { PAINTED = 200 << 10, PAINT = 0xa5, ABOVE = 64 };

struct need {
    const char *name;
    void (*call)(void);
    size_t stated; /* bytes */
    size_t measured;
};

/* ---- the calls ---- */

static volatile int number = 1234567;
static volatile double fraction = 1234.567e-89;
static char text[4096];
static void *blocks[64];

static void call_nothing(void)
{
}

static void call_malloc(void)
{
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        blocks[i] = i % 3 == 2 ? calloc(1, (size_t)1 << i % 22) : malloc((size_t)1 << i % 22);
    if (posix_memalign(&blocks[0], 64, 100000) != 0)
        blocks[0] = NULL;
}

static void call_free(void)
{
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        free(blocks[i]);
}

static void call_realloc(void)
{
    void *p = realloc(NULL, 10);

    for (size_t size = 10; size < 1 << 20; size *= 3)
        p = realloc(p, size);
    free(p);
}

static void call_snprintf(void)
{
    snprintf(text, sizeof text, "%d %s %p %llx %zu %c", number, "text", (void *)text, 77ll,
             sizeof text, 'c');
}

static void call_snprintf_double(void)
{
    snprintf(text, sizeof text, "%g %f %.17g", fraction, fraction, 1 / fraction);
}

static void call_fprintf(void)
{
    FILE *f = fopen("/dev/null", "w");

    fprintf(f, "%d %s\n", number, "text");
    fclose(f);
}

static void call_fgets(void)
{
    FILE *f = fopen("/proc/self/status", "r");

    while (f && fgets(text, sizeof text, f)) {
    }
    if (f)
        fclose(f);
}

static int compare(const void *a, const void *b)
{
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

static void call_qsort(void)
{
    int *numbers = (int *)text;

    for (int i = 0; i < 1000; i++)
        numbers[i] = i * 7919 % 1000;
    qsort(numbers, 1000, sizeof *numbers, compare);
}

static void call_strtod(void)
{
    fraction = strtod("1234.5678901234567890123456789e-100", NULL);
}

static void call_sscanf(void)
{
    static int n;
    static double d;

    sscanf("12 3.5e7", "%d %lf", &n, &d);
}

static void call_localtime(void)
{
    static time_t now;
    static struct tm tm;

    time(&now);
    localtime_r(&now, &tm);
    strftime(text, sizeof text, "%c", &tm);
}

static void call_getaddrinfo_numeric(void)
{
    static struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV}, *list;

    if (getaddrinfo("127.0.0.1", "80", &hints, &list) == 0)
        freeaddrinfo(list);
}

static void call_getaddrinfo(void)
{
    static struct addrinfo *list;

    if (getaddrinfo("localhost", "http", NULL, &list) == 0)
        freeaddrinfo(list);
}

static void call_inet_ntop(void)
{
    static struct in6_addr any;

    inet_ntop(AF_INET6, &any, text, sizeof text);
}

static void call_clock_gettime(void)
{
    static struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
    clock_getres(CLOCK_MONOTONIC_COARSE, &ts);
}

static void call_system_call(void)
{
    static void *p;
    static int fd;
    static struct pollfd ready;

    p = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    fd = open("/dev/zero", O_RDWR | O_CLOEXEC);
    ready = (struct pollfd){.fd = fd, .events = POLLIN};
    if (read(fd, text, 10) + pread(fd, text, 10, 0) + write(fd, text, 10) != 30)
        abort();
    poll(&ready, 1, 0);
    fcntl(fd, F_GETFL);
    lseek(fd, 0, SEEK_CUR);
    close(fd);
    madvise(p, 1 << 20, MADV_DONTNEED);
    munmap(p, 1 << 20);
    syscall(SYS_gettid);
}

static void call_rare_call(void)
{
    static struct stat st;
    static sigset_t set;
    static int state;

    fstat(0, &st);
    pthread_sigmask(SIG_BLOCK, NULL, &set);
    sigpending(&set);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    pthread_setcancelstate(state, NULL);
    sched_yield();
    usleep(1);
    waitpid(-1, NULL, WNOHANG);
}

static void call_socket_call(void)
{
    static struct sockaddr_in in = {.sin_family = AF_INET};
    static socklen_t size = sizeof in;
    static int on = 1, fd;

    in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    bind(fd, (struct sockaddr *)&in, sizeof in);
    getsockname(fd, (struct sockaddr *)&in, &size);
    listen(fd, 1);
    accept4(fd, NULL, NULL, SOCK_CLOEXEC);
    connect(fd, (struct sockaddr *)&in, sizeof in);
    recvfrom(fd, text, 1, MSG_DONTWAIT, NULL, NULL);
    sendto(fd, text, 1, MSG_DONTWAIT | MSG_NOSIGNAL, NULL, 0);
    shutdown(fd, SHUT_RDWR);
    close(fd);
}

/* ---- painting ---- */

static __attribute__((noinline)) char *here(void)
{
    return __builtin_frame_address(0);
}

static __attribute__((noinline, no_sanitize_address)) void paint(void)
{
    volatile char *top = here() - ABOVE;

    for (size_t i = 0; i < PAINTED; i++)
        top[-(ptrdiff_t)i] = (char)PAINT;
}

static __attribute__((noinline)) size_t depth(void)
{
    volatile char *top = here() - ABOVE;
    size_t n = PAINTED - 1;

    while (n > 0 && top[-(ptrdiff_t)n] == (char)PAINT)
        n--;
    return n;
}

static void measure(void *arg)
{
    struct need *need = arg;

    paint();
    need->call();
    need->measured = depth();
}

#define WE_CALL(name, bytes, functions) {#name, call_##name, bytes, 0},
#define THEY_CALL(name, bytes) {#name, call_##name, bytes, 0},
static struct need needs[] = {
#include "libc_needs.h"
};

/* Each in a goroutine, tied to a thread of its own: the first call of malloc in a thread takes the most. */
static void goroutine(void *arg)
{
    measure(arg);
    ant_lock_thread();
}

static int run(void *arg)
{
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++) {
        CHECK_INT(ant_go_opts(&(ant_go_options){.stack_size = 2 * PAINTED}, goroutine, &needs[i]),
                  0);
        while (ant_count() > 1)
            ant_sleep(ANT_MILLISECOND);
        if (getenv("ANT_TEST_PRINT"))
            fprintf(stderr, "%-24s %6zu of %6zu\n", needs[i].name, needs[i].measured,
                    needs[i].stated);
    }
    return 0;
}

TEST(stack_libc)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++) {
        if (needs[i].measured > needs[i].stated)
            FAIL("%s takes %zu bytes of stack, %zu are stated", needs[i].name, needs[i].measured,
                 needs[i].stated);
    }
    return 0;
}
