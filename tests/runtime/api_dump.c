/* api_dump - what a dump shows: number, name, state, since when, where, created by; for goroutines
 * in every state. */
#include "dump_text.h"

static ant_waitgroup begun, never;

/* Not static: a dump shows the names of functions that the executable exports. */
void sleeper_function(void *arg);
void waiter_function(void *arg);
void tied_function(void *arg);
void not_begun_function(void *arg);
int main_function(void *arg);

void sleeper_function(void *arg)
{
    ant_waitgroup_done(&begun);
    ant_sleep(ANT_HOUR);
    FAIL("woke");
}

void waiter_function(void *arg)
{
    ant_waitgroup_done(&begun);
    ant_waitgroup_wait(&never);
    FAIL("woke");
}

void tied_function(void *arg)
{
    CHECK_INT(ant_lock_thread(), 0);
    ant_waitgroup_done(&begun);
    ant_waitgroup_wait(&never);
    FAIL("woke");
}

void not_begun_function(void *arg)
{
}

/* The part of the dump about the goroutine of this name, up to the empty line. */
static const char *part(const char *name)
{
    static char buf[8192];
    char pattern[64];
    char *at, *begin, *end;

    snprintf(pattern, sizeof pattern, "]: %s\n", name);
    at = strstr(text, pattern);
    if (!at)
        FAIL("no goroutine %s in: %s", name, text);
    for (begin = at; begin > text && begin[-1] != '\n'; begin--)
        continue;
    end = strstr(begin, "\n\n");
    CHECK(end && end - begin < (long)sizeof buf);
    memcpy(buf, begin, (size_t)(end - begin));
    buf[end - begin] = '\0';
    return buf;
}

static void check_waiting(const char *name, const char *state, const char *function)
{
    unsigned long long id;
    double seconds;
    char format[96], locked[64] = "";

    CHECK_HAS(part(name), "created by goroutine 1 at main_function+0x");
    CHECK_HAS(part(name), function); /* in its frames */
    snprintf(format, sizeof format, "\n  entry %s", function);
    CHECK_HAS(part(name), format);
    snprintf(format, sizeof format, "goroutine %%llu [%s, %%lf s%%60[^]]", state);
    CHECK(sscanf(part(name), format, &id, &seconds, locked) >= 2);
    CHECK(id > 1);
    CHECK(seconds >= 0 && seconds < 3600);
    CHECK_STR(locked, strcmp(name, "tied") ? "" : ", locked to thread");
}

int main_function(void *arg)
{
    int count, procs;
    ant_waitgroup_add(&begun, 3);
    ant_waitgroup_add(&never, 1);
    CHECK_INT(ant_go_opts(&(ant_go_options){.name = "sleeper"}, sleeper_function, NULL), 0);
    CHECK_INT(ant_go_opts(&(ant_go_options){.name = "waiter"}, waiter_function, NULL), 0);
    CHECK_INT(ant_go_opts(&(ant_go_options){.name = "tied"}, tied_function, NULL), 0);
    ant_waitgroup_wait(&begun);
    ant_sleep(5 * ANT_MILLISECOND); /* until they are parked, if the machine is not too busy */
    do
        take_dump();
    while (strstr(text, "[runnable") || strstr(part("tied"), "[running") ||
           strstr(part("waiter"), "[running") || strstr(part("sleeper"), "[running"));

    CHECK_INT(sscanf(text, "%d goroutines, %d procs\n\n", &count, &procs), 2);
    CHECK_INT(count, 4);
    CHECK_INT(procs, ant_procs());
    check_waiting("sleeper", "sleep", "sleeper_function+0x");
    check_waiting("waiter", "waitgroup wait", "waiter_function+0x");
    check_waiting("tied", "waitgroup wait", "tied_function+0x");
    CHECK_HAS(part("main"), "goroutine 1 [running]: main\n");
    CHECK_HAS(part("main"), "main_function+0x"); /* who asks sees his own frames */

    do { /* until it has not begun before we dump, nor while we did */
        CHECK_INT(ant_go_opts(&(ant_go_options){.name = "young"}, not_begun_function, NULL), 0);
        take_dump();
    } while (!strstr(text, "[runnable]: young\n"));
    CHECK_HAS(part("young"), "\n  entry not_begun_function+0x");
    CHECK_HAS(part("young"), "created by goroutine 1 at main_function+0x");
    return 0;
}

TEST(api_dump)
{
    CHECK_INT(ant_run(main_function, NULL, NULL), 0);
    return 0;
}
