/* api_dump_since - a dump's "since when" does not count the time in which nothing ran before: a
 * goroutine that waits after a second of idleness does not seem to have waited since then. */
#include "dump_text.h"

static ant_waitgroup never;

static void wait_for_ever(void *arg)
{
    ant_waitgroup_wait(&never);
}

/* How long goroutine `name` waits, by the dump; -1: not yet. */
static double waits_since(const char *name)
{
    double seconds = -1;
    char pattern[64], *at;

    take_dump();
    snprintf(pattern, sizeof pattern, "s]: %s\n", name);
    at = strstr(text, pattern);
    while (at && at > text && at[-1] != '[')
        at--;
    if (at)
        CHECK_INT(sscanf(at, "waitgroup wait, %lf s", &seconds), 1);
    return seconds;
}

static void check(const char *name)
{
    double start = test_now(), seconds;

    CHECK_INT(ant_go_opts(&(ant_go_options){.name = name}, wait_for_ever, NULL), 0);
    while ((seconds = waits_since(name)) < 0)
        usleep(1000);
    CHECK(seconds <= test_now() - start + 0.001); /* it is rounded */
}

TEST(api_dump_since)
{
    static const char *const names[] = {"first", "second", "third"};

    ant_waitgroup_add(&never, 1);
    CHECK_INT(ant_start(NULL), 0);
    for (int i = 0; i < 3; i++) {
        check(names[i]);
        usleep(1000000); /* nothing runs, and no clock is read */
    }
    CHECK_INT(ant_stop(), 0);
    return 0;
}
