/* api_dump_argv0 - a program whose argv[0] is the path of a pipe, or of another file: a dump names its
 * functions and its file all the same.
 *
 * Catches: symbols that are read from what argv[0] names, which hangs, or gives false names. */
#include <sys/stat.h>
#include <unistd.h>

#include <anthill.h>

#include "check.h"

static char pipe_path[] = "/tmp/anthill-argv0-XXXXXX";
static const char *name;
static char output[65536];

static __attribute__((noinline)) void function_of_program(void *arg)
{
    ant_sleep(ANT_HOUR);
}

static int run(void *arg)
{
    CHECK_INT(ant_go(function_of_program, NULL), 0);
    ant_yield();
    return ant_dump(STDERR_FILENO);
}

static void child(void)
{
    alarm(30);
    setenv("ANT_TEST_CHILD", "1", 1);
    execl("/proc/self/exe", name, "api_dump_argv0", (char *)NULL);
    _exit(1);
}

static void check(const char *argv0)
{
    char exe[512] = "";

    name = argv0;
    CHECK_INT(test_child(child, output, sizeof output), 0);
    CHECK(readlink("/proc/self/exe", exe, sizeof exe - 1) > 0);
    if (!strstr(output, "function_of_program+0x") || !strstr(output, exe) || strstr(output, argv0))
        FAIL("argv[0] %s: %s", argv0, output);
}

TEST(api_dump_argv0)
{
    int fd;

    if (getenv("ANT_TEST_CHILD"))
        return ant_run(run, NULL, NULL);
    fd = mkstemp(pipe_path);
    CHECK(fd >= 0);
    close(fd);
    unlink(pipe_path);
    CHECK_INT(mkfifo(pipe_path, 0600), 0);
    check(pipe_path);
    check("/bin/sh");
    check("no/such/file");
    unlink(pipe_path);
    return 0;
}
