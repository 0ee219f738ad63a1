/* go_num_goroutine.c - a fresh program has one goroutine; the count equals the goroutines in a
 * dump, begun or not, running, waiting or asleep.
 *
 * Catches: goroutines of the runtime's own are counted; a goroutine is counted twice or never when
 * another P ends it than made it; a dump leaves out those that have not begun.
 */
#include <errno.h>
#include <sys/mman.h>

#include <anthill.h>

#include "check.h"

enum { TRIES = 10, GOROUTINES = 50 };

enum { SIZE = 1 << 20 };

static char *text;

static void read_dump(void)
{
    int fd = memfd_create("dump", 0);
    ssize_t n;
    int err;

    CHECK(fd >= 0);
    while ((err = ant_dump(fd)) == -EAGAIN) /* not within a second: a busy machine */
        CHECK(lseek(fd, 0, SEEK_SET) == 0 && ftruncate(fd, 0) == 0);
    CHECK_INT(err, 0);
    n = pread(fd, text, SIZE - 1, 0);
    CHECK(n > 0 && n < SIZE - 1);
    text[n] = '\0';
    close(fd);
}

static int goroutines_in(const char *dump)
{
    int all = 0, n;

    for (const char *at = dump; (at = strstr(at, "\n\n")); at++)
        all += sscanf(at, "\n\n%d goroutines", &n) == 1 ? n : at[2] != '\0';
    return all;
}

static ant_waitgroup hold, ended;

static void wait_held(void *arg)
{
    ant_waitgroup_wait(&hold);
    ant_waitgroup_done(&ended);
}

static void sleep_long(void *arg)
{
    ant_sleep(ANT_HOUR);
}

/* n goroutines that wait, of which none can end before it is let go. */
static void count_waiting(int n)
{
    int before = ant_count();

    ant_waitgroup_add(&hold, 1);
    ant_waitgroup_add(&ended, n);
    for (int i = 0; i < n; i++)
        CHECK_INT(ant_go(wait_held, NULL), 0);
    CHECK_INT(ant_count(), before + n);
    read_dump();
    CHECK_INT(goroutines_in(text), before + n);
    CHECK_INT(atoi(text), before + n); /* its head line */
    ant_waitgroup_done(&hold);
    ant_waitgroup_wait(&ended);
    while (ant_count() > before)
        ant_yield();
    CHECK_INT(ant_count(), before);
}

static int run(void *arg)
{
    CHECK_INT(ant_count(), 1);
    for (int i = 0; i < TRIES; i++)
        count_waiting(GOROUTINES);
    for (int i = 0; i < GOROUTINES; i++)
        CHECK_INT(ant_go(sleep_long, NULL), 0);
    CHECK_INT(ant_count(), 1 + GOROUTINES);
    count_waiting(1);
    return 0;
}

TEST(go_num_goroutine)
{
    text = test_memory(SIZE);
    CHECK_INT(ant_count(), 0);
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    CHECK_INT(ant_count(), 0);
    return 0;
}
