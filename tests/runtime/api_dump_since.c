/* api_dump_since - a dump's "since when" does not count the time in which nothing ran before: a
 * goroutine that waits after a second of idleness does not seem to have waited since then. */
#include "dump_text.h"

static ant_waitgroup never;

/* Three, as those at the same place are shown as one. */
static void first(void *arg)
{
    ant_waitgroup_wait(&never);
}

static void second(void *arg)
{
    ant_waitgroup_wait(&never);
}

static void third(void *arg)
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

static void check(const char *name, void (*fn)(void *))
{
    double start = test_now(), seconds;

    CHECK_INT(ant_go_opts(&(ant_go_options){.name = name}, fn, NULL), 0);
    while ((seconds = waits_since(name)) < 0)
        usleep(1000);
    CHECK(seconds <= test_now() - start + 0.001); /* it is rounded */
}

TEST(api_dump_since)
{
    static const struct {
        const char *name;
        void (*fn)(void *);
    } all[] = {{"first", first}, {"second", second}, {"third", third}};

    ant_waitgroup_add(&never, 1);
    CHECK_INT(ant_start(NULL), 0);
    for (int i = 0; i < 3; i++) {
        check(all[i].name, all[i].fn);
        usleep(1000000); /* nothing runs, and no clock is read */
    }
    CHECK_INT(ant_stop(), 0);
    return 0;
}
