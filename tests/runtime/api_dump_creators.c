/* api_dump_creators - "created by" names the goroutine that made it, or none for a plain thread; it
 * stays right when the creator has ended. */
#include <errno.h>

#include <anthill.h>

#include "check.h"

static ant_waitgroup begun, never;
static char text[1 << 16];

static void child(void *arg)
{
    ant_waitgroup_done(&begun);
    ant_waitgroup_wait(&never);
}

static void parent(void *arg)
{
    CHECK_INT(ant_go_opts(&(ant_go_options){.name = "of a goroutine"}, child, NULL), 0);
    *(uint64_t *)arg = ant_id();
}

static void take_dump(void)
{
    int err, fds[2];
    ssize_t n;

    CHECK_INT(pipe(fds), 0);
    while ((err = ant_dump(fds[1])) == -EAGAIN) /* the machine is busy */
        CHECK(read(fds[0], text, sizeof text) > 0);
    CHECK_INT(err, 0);
    n = read(fds[0], text, sizeof text - 1);
    CHECK(n > 0);
    text[n] = '\0';
    close(fds[0]);
    close(fds[1]);
}

/* The line "created ..." of the goroutine of this name. */
static const char *created(const char *name)
{
    static char line[256];
    const char *at = strstr(text, name);

    CHECK(at);
    at = strstr(at, "\n  created ");
    CHECK(at);
    snprintf(line, sizeof line, "%.*s", (int)strcspn(at + 3, "\n"), at + 3);
    return line;
}

TEST(api_dump_creators)
{
    static uint64_t parent_id;
    char expected[64];

    ant_waitgroup_add(&begun, 2);
    ant_waitgroup_add(&never, 1);
    CHECK_INT(ant_start(NULL), 0);
    CHECK_INT(ant_go_opts(&(ant_go_options){.name = "of a thread"}, child, NULL), 0);
    CHECK_INT(ant_go(parent, &parent_id), 0);
    ant_waitgroup_wait(&begun);
    while (ant_count() > 2)
        ant_sleep(ANT_MILLISECOND);
    take_dump();
    CHECK_HAS(created("of a thread"), "created at test__api_dump_creators+0x");
    snprintf(expected, sizeof expected, "created by goroutine %llu at ",
             (unsigned long long)parent_id);
    CHECK_HAS(created("of a goroutine"), expected);
    CHECK_INT(ant_stop(), 0);
    return 0;
}
