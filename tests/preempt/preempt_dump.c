/* preempt_dump - a dump shows where a goroutine was interrupted: the frames below are walked
 * through. */
#include <stdatomic.h>
#include <sys/mman.h>

#include <anthill.h>

#include "preempt.h"

enum { HOGS = 3 };

static _Atomic bool released;

__attribute__((noinline)) static void spin_in_here(void)
{
    while (!atomic_load_explicit(&released, memory_order_relaxed))
        continue;
}

static void hog_of_test(void *arg)
{
    spin_in_here();
    ant_waitgroup_done(arg);
}

static bool seen_in_dump(const char *name)
{
    int fd = memfd_create("dump", MFD_CLOEXEC);
    static char text[1 << 16];
    ssize_t n;

    CHECK(fd >= 0);
    CHECK_INT(ant_dump(fd), 0);
    n = pread(fd, text, sizeof text - 1, 0);
    CHECK(n > 0);
    text[n] = '\0';
    close(fd);
    return strstr(text, name) != NULL;
}

static int run(void *arg)
{
    const ant_go_options options = {.preempt = ANT_PREEMPT_SIGNAL};
    ant_waitgroup wg = {0};

    if (!can_preempt())
        return 0;
    ant_waitgroup_add(&wg, HOGS);
    for (int i = 0; i < HOGS; i++)
        CHECK_INT(ant_go_opts(&options, hog_of_test, &wg), 0);
    while (preempted() < HOGS)
        ant_sleep(ANT_MILLISECOND);
    while (!seen_in_dump("spin_in_here"))
        ant_sleep(ANT_MILLISECOND);
    atomic_store(&released, true);
    ant_waitgroup_wait(&wg);
    return 0;
}

TEST(preempt_dump)
{
    ant__slice = ANT_MILLISECOND;
    CHECK_INT(setenv("ANTHILL", "procs=1", 1), 0);
    CHECK_INT(ant_run(run, NULL, &(ant_config){.max_hogs = 1}), 0);
    return 0;
}
