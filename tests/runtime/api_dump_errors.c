/* api_dump_errors - what cannot be written is told: a dump, and the print of a panic, on a full disk.
 *
 * Catches: half a dump that is reported as a whole one. */
#include <errno.h>
#include <fcntl.h>

#include <anthill.h>

#include "check.h"

static void panic(void *arg)
{
    ant_panic("on purpose");
}

static int run(void *arg)
{
    ant_panic_info info;
    int full = open("/dev/full", O_WRONLY | O_CLOEXEC);

    CHECK(full >= 0);
    CHECK_INT(ant_dump(full), -ENOSPC);
    CHECK_INT(ant_try(panic, NULL, &info), ANT_EPANIC);
    CHECK_INT(ant_panic_print(full, &info), -ENOSPC);
    CHECK_INT(ant_panic_print(-1, &info), -EBADF);
    close(full);
    return 0;
}

TEST(api_dump_errors)
{
    return ant_run(run, NULL, NULL);
}
