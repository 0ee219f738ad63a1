/* panic_print - ant_panic_print writes what an unhandled panic would: message, goroutine, backtrace
 * with the names of functions, static ones too. */
#include <errno.h>

#include <anthill.h>

#include "check.h"

static char text[8192];

static __attribute__((noinline)) void innermost_function(void)
{
    ant_panic("the message");
}

static __attribute__((noinline)) void tried_function(void *arg)
{
    innermost_function();
    text[0] = 1; /* not a tail call */
}

static void print(const ant_panic_info *info)
{
    int fds[2];
    ssize_t n;

    CHECK_INT(pipe(fds), 0);
    CHECK_INT(ant_panic_print(fds[1], info), 0);
    n = read(fds[0], text, sizeof text - 1);
    CHECK(n > 0);
    text[n] = '\0';
    close(fds[0]);
    close(fds[1]);
}

static int run(void *arg)
{
    ant_panic_info info;
    const char *inner, *outer;

    CHECK_INT(ant_try(tried_function, NULL, &info), ANT_EPANIC);
    print(&info);
    CHECK_INT(strncmp(text, arg, strlen(arg)), 0);
    inner = strstr(text, "\n    innermost_function+0x");
    outer = strstr(text, "\n    tried_function+0x");
    CHECK(inner && outer && inner < outer); /* innermost first */
    info.frame_count = 0;
    print(&info);
    CHECK_STR(text, arg);
    return 0;
}

TEST(panic_print)
{
    CHECK_INT(ant_panic_print(1, NULL), -EINVAL);
    CHECK_INT(ant_run(run, "panic in goroutine 1: the message\n", NULL), 0);
    CHECK_INT(run("panic: the message\n"), 0);
    return 0;
}
