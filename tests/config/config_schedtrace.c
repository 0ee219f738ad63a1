/* config_schedtrace - with schedtrace a line about the scheduler comes again and again on standard
 * error, with a time that goes on, the figures, and the length of each P's queue. */
#include <anthill.h>

#include "check.h"

enum { LINES = 5 };

static char lines[LINES][512];

static void check_line(const char *line)
{
    static long long last_ms = -1;
    long long ms;
    int procs, idle_procs, threads, idle_threads, spinning, goroutines, queue, at = 0, queues = 0;
    const char *rest;

    if (sscanf(line,
               "SCHED %lldms: procs=%d idleprocs=%d threads=%d idlethreads=%d spinning=%d "
               "goroutines=%d runqueue=%d [%n",
               &ms, &procs, &idle_procs, &threads, &idle_threads, &spinning, &goroutines, &queue,
               &at) != 8 ||
        at == 0)
        FAIL("what is \"%s\"?", line);
    CHECK(ms >= last_ms); /* what was late comes at once */
    last_ms = ms;
    CHECK_INT(procs, 3);
    CHECK(idle_procs >= 0 && idle_procs <= procs);
    CHECK(threads >= 0 && idle_threads >= 0 && idle_threads <= threads);
    CHECK(spinning >= 0 && spinning <= procs);
    CHECK(goroutines >= 0 && goroutines <= 6);
    CHECK(queue >= 0);
    for (rest = line + at; *rest >= '0' && *rest <= '9'; queues++)
        rest += strspn(rest, "0123456789"), rest += *rest == ' ';
    CHECK_INT(queues, procs);
    CHECK_STR(rest, "]\n");
}

static void yields(void *arg)
{
    for (;;)
        ant_yield();
}

static int run(void *arg)
{
    for (int i = 0; i < 5; i++)
        CHECK_INT(ant_go(yields, NULL), 0);
    for (int i = 0; i < LINES; i++) {
        if (!fgets(lines[i], sizeof lines[i], arg))
            return 1;
    }
    return 0;
}

TEST(config_schedtrace)
{
    int fds[2], result, saved = dup(STDERR_FILENO);
    FILE *reader;

    CHECK_INT(pipe(fds), 0);
    reader = fdopen(fds[0], "r");
    CHECK(saved >= 0 && reader);
    CHECK_INT(setenv("ANTHILL", "procs=3", 1), 0);
    CHECK(dup2(fds[1], STDERR_FILENO) >= 0);
    result = ant_run(run, reader, &(ant_config){.schedtrace = 5});
    CHECK(dup2(saved, STDERR_FILENO) >= 0);
    CHECK_INT(result, 0);
    for (int i = 0; i < LINES; i++)
        check_line(lines[i]);
    fclose(reader);
    close(fds[1]);
    close(saved);
    return 0;
}
