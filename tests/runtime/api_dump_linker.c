/* api_dump_linker - a program that was started by naming it to the dynamic linker shows the names of its own
 * functions.
 *
 * Catches: taking the file that was executed for the program. */
#include <anthill.h>

#include "check.h"

static __attribute__((noinline)) void waits_here(void *arg)
{
    ant_sleep(ANT_SECOND);
    __asm__ volatile("");
}

static int run(void *fd)
{
    CHECK_INT(ant_go(waits_here, NULL), 0);
    ant_sleep(ANT_MILLISECOND);
    return ant_dump(*(int *)fd);
}

static void find_linker(char *path, size_t size)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[1024];

    path[0] = '\0';
    while (maps && !path[0] && fgets(line, sizeof line, maps)) {
        char *at = strchr(line, '/');

        if (at && strstr(at, "/ld-"))
            snprintf(path, size, "%.*s", (int)strcspn(at, "\n"), at);
    }
    if (maps)
        fclose(maps);
}

TEST(api_dump_linker)
{
    static char text[65536];
    char linker[1024], exe[1024] = "";
    int fd;

    if (!getenv("ANT_TEST_BY_LINKER")) {
        find_linker(linker, sizeof linker);
        CHECK(linker[0] && readlink("/proc/self/exe", exe, sizeof exe - 1) > 0);
        setenv("ANT_TEST_BY_LINKER", "1", 1);
        execl(linker, linker, exe, "api_dump_linker", (char *)NULL);
        FAIL("cannot start %s", linker);
    }
    fd = memfd_create("dump", MFD_CLOEXEC);
    CHECK_INT(ant_run(run, &fd, NULL), 0);
    CHECK(pread(fd, text, sizeof text - 1, 0) > 0);
    CHECK_HAS(text, "waits_here+0x");
    close(fd);
    return 0;
}
