/* api_dump_no_tables - a goroutine whose code was compiled without tables for unwinding, so that the walk of
 * its stack ends there: all that was found is shown.
 *
 * Catches: the last two frames taken for ours wherever the walk ends. */
#include <anthill.h>

#include "check.h"

static __attribute__((noinline)) void waits_without_tables(void)
{
    ant_sleep(ANT_SECOND);
    __asm__ volatile("");
}

static void start(void *arg)
{
    waits_without_tables();
    __asm__ volatile("");
}

static int run(void *fd)
{
    CHECK_INT(ant_go(start, NULL), 0);
    ant_sleep(ANT_MILLISECOND);
    return ant_dump(*(int *)fd);
}

TEST(api_dump_no_tables)
{
    static char text[65536];
    int fd = memfd_create("dump", MFD_CLOEXEC);

    CHECK_INT(ant_run(run, &fd, NULL), 0);
    CHECK(pread(fd, text, sizeof text - 1, 0) > 0);
    CHECK_HAS(text, "ant_sleep");
    close(fd);
    return 0;
}
