/* api_dump_torture - dumps from goroutines and plain threads, several at once, while goroutines are
 * made, run, park, sleep and end, tied ones among them: each dump is well-formed, and shows each
 * goroutine once. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include <anthill.h>

#include "check.h"

enum {
    THREADS = 3,
    BUSY = 20,
    MOST = 400,
    SIZE = 8 << 20,
    SMALL = TEST_SANITIZED ? 256 << 10 : 16 << 10
};

static atomic_bool stop;
static atomic_int dumps;
static ant_waitgroup wg;

static void short_lived(void *arg)
{
    if (arg)
        ant_yield();
}

static void busy(void *arg)
{
    char copy[100] = "x";

    for (int i = 0; !atomic_load(&stop); i++) {
        while (ant_count() > MOST)
            ant_yield();
        CHECK_INT(ant_go(short_lived, i % 2 ? &stop : NULL), 0);
        CHECK_INT(ant_go_copy(short_lived, copy, 1 + i % 100), 0);
        CHECK_INT(ant_go_opts(&(ant_go_options){.name = "named", .stack_size = SMALL << i % 4},
                              short_lived, NULL),
                  0);
        if (i % 5 == 0)
            ant_sleep(20 * ANT_MICROSECOND);
        else
            ant_yield();
    }
    ant_waitgroup_done(&wg);
}

static void tied(void *arg)
{
    CHECK_INT(ant_lock_thread(), 0);
    while (!atomic_load(&stop))
        ant_sleep(100 * ANT_MICROSECOND);
    ant_waitgroup_done(&wg);
}

static void check_text(const char *text, size_t size)
{
    int count, procs, shown = 0;

    CHECK_INT(sscanf(text, "%d goroutines, %d procs\n\n", &count, &procs), 2);
    CHECK_INT(text[size - 1], '\n');
    for (const char *at = text; (at = strstr(at, "\n\n")) && at[2]; at++) {
        long long n = 1, id;
        char state[32];

        if (sscanf(at, "\n\ngoroutine %lld [%31[^],]", &id, state) != 2)
            CHECK_INT(sscanf(at, "\n\n%lld goroutines [%31[^],]", &n, state), 2);
        CHECK(n > 0);
        if (strcmp(state, "running") && strcmp(state, "runnable") && strcmp(state, "sleep") &&
            strcmp(state, "waitgroup wait") && strcmp(state, "waiting"))
            FAIL("what state is \"%s\"?", state);
        shown += (int)n;
    }
    CHECK_INT(shown, count); /* each once */
    if (!atomic_load(&stop))
        CHECK(shown >= BUSY);
}

static void dump_once(int fd, char *text)
{
    ssize_t n;
    int err;

    do { /* -EAGAIN: they could not be stopped within a second, as the machine is busy */
        CHECK_INT(ftruncate(fd, 0), 0);
        CHECK_INT(lseek(fd, 0, SEEK_SET), 0);
        err = ant_dump(fd);
    } while (err == -EAGAIN);
    CHECK_INT(err, 0);
    n = pread(fd, text, SIZE - 1, 0);
    CHECK(n > 0);
    text[n] = '\0';
    check_text(text, (size_t)n);
    atomic_fetch_add(&dumps, 1);
}

static void dump_all_the_time(void)
{
    int fd = memfd_create("dump", MFD_CLOEXEC);
    char *text = malloc(SIZE);

    CHECK(fd >= 0 && text);
    do {
        dump_once(fd, text);
        ant_sleep(100 * ANT_MICROSECOND);
    } while (!atomic_load(&stop));
    free(text);
    close(fd);
}

static void dumper(void *arg)
{
    dump_all_the_time();
    ant_waitgroup_done(&wg);
}

static void *dumper_thread(void *arg)
{
    dump_all_the_time();
    return NULL;
}

static int run(void *arg)
{
    pthread_t threads[THREADS];
    double end = test_now() + torture_seconds(0.4);

    ant_waitgroup_add(&wg, BUSY + 3);
    for (int i = 0; i < BUSY; i++)
        CHECK_INT(ant_go(busy, NULL), 0);
    CHECK_INT(ant_go(tied, NULL), 0);
    CHECK_INT(ant_go(dumper, NULL), 0);
    CHECK_INT(ant_go(dumper, NULL), 0);
    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, dumper_thread, NULL), 0);
    while (test_now() < end)
        ant_sleep(ANT_MILLISECOND);
    atomic_store(&stop, true);
    ant_waitgroup_wait(&wg);
    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    CHECK(atomic_load(&dumps) >= THREADS + 2);
    return 0;
}

TEST(api_dump_torture)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
