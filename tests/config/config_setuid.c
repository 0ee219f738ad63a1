/* config_setuid - a program that runs with other rights than its caller does not obey the caller's
 * ANTHILL. As root a copy of this program is made set-uid and started by another user; nobody but root
 * can do that.
 *
 * Catches: a variable that is read from an environment that is not to be trusted. */
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <anthill.h>

#include "check.h"

enum { OWNER = 65534, CALLER = 65533 };

static char copy[] = "/tmp/config_setuid.XXXXXX";

static int run(void *arg)
{
    printf("procs=%d", ant_procs());
    return 0;
}

/* A copy that its owner alone may change, and all may run with his rights. */
static void make_copy(void)
{
    int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), to = mkstemp(copy);

    CHECK(from >= 0 && to >= 0);
    while (sendfile(to, from, NULL, 1 << 20) > 0)
        continue;
    CHECK_INT(fchown(to, OWNER, OWNER), 0);
    CHECK_INT(fchmod(to, 04755), 0);
    close(from);
    close(to);
}

static void child(void)
{
    if (setgid(CALLER) != 0 || setuid(CALLER) != 0)
        _exit(1);
    setenv("ANTHILL", "procs=7", 1);
    setenv("ANT_TEST_SETUID", "1", 1);
    execl(copy, copy, "config_setuid", (char *)NULL);
    _exit(1);
}

TEST(config_setuid)
{
    char output[256];

    if (getenv("ANT_TEST_SETUID"))
        return ant_run(run, NULL, &(ant_config){.procs = 3});
    if (getuid() != 0)
        return 0;
    make_copy();
    CHECK_INT(test_child(child, output, sizeof output), 0);
    unlink(copy);
    if (!strstr(output, "procs=3"))
        FAIL("it printed: %s", output);
    return 0;
}
