/* panic_unhandled - a panic that nobody catches: message, goroutine, backtrace, all goroutines, and
 * the end of the process by SIGABRT; deferred calls are not run. In goroutines, the main one, plain
 * threads with and without a runtime; also panics that the library raises itself. */
#include <signal.h>

#include <anthill.h>

#include "check.h"

static ant_waitgroup begun;

void unlucky_function(void *arg);
void bystander_function(void *arg);

static void must_not_run(void *arg)
{
    printf("deferred\n");
    fflush(stdout);
}

void bystander_function(void *arg)
{
    ant_waitgroup_done(&begun);
    ant_sleep(ANT_HOUR);
}

__attribute__((noinline)) void unlucky_function(void *arg)
{
    ant_defer_node node;

    ant_defer(&node, must_not_run, NULL);
    ant_panic("no luck: %d", 7);
}

static int panic_beside_others(void *arg)
{
    ant_waitgroup_add(&begun, 1);
    CHECK_INT(ant_go_opts(&(ant_go_options){.name = "bystander"}, bystander_function, NULL), 0);
    ant_waitgroup_wait(&begun);
    CHECK_INT(ant_go_opts(&(ant_go_options){.name = "unlucky"}, unlucky_function, NULL), 0);
    ant_sleep(ANT_HOUR);
    return 0;
}

static int panic_in_main(void *arg)
{
    unlucky_function(NULL);
    return 0;
}

static void negative_group(void *arg)
{
    ant_waitgroup wg = {0};

    ant_waitgroup_done(&wg);
}

static int panic_of_library(void *arg)
{
    CHECK_INT(ant_go(negative_group, NULL), 0);
    ant_sleep(ANT_HOUR);
    return 0;
}

static void in_goroutine(void)
{
    ant_run(panic_beside_others, NULL, NULL);
}

static void in_main(void)
{
    ant_run(panic_in_main, NULL, NULL);
}

static void in_library(void)
{
    ant_run(panic_of_library, NULL, NULL);
}

static void in_thread(void)
{
    unlucky_function(NULL);
}

static void beside_runtime(void)
{
    CHECK_INT(ant_start(NULL), 0);
    ant_waitgroup_add(&begun, 1);
    CHECK_INT(ant_go_opts(&(ant_go_options){.name = "bystander"}, bystander_function, NULL), 0);
    ant_waitgroup_wait(&begun);
    unlucky_function(NULL);
}

static const char *dies(void (*fn)(void))
{
    static char output[32768];
    int status = test_child(fn, output, sizeof output);

    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT)
        FAIL("status 0x%x, output \"%s\"", status, output);
    CHECK(!strstr(output, "deferred"));
    return output;
}

TEST(panic_unhandled)
{
    const char *text = dies(in_goroutine);
    unsigned long long id;
    char line[64];

    if (sscanf(text, "panic in goroutine %llu: no luck: 7\n", &id) != 1)
        FAIL("output is \"%s\"", text);
    CHECK_HAS(text, "\n    unlucky_function+0x");
    snprintf(line, sizeof line, "\ngoroutine %llu [running]: unlucky\n", id);
    CHECK_HAS(text, line);
    CHECK_HAS(text, "3 goroutines, ");
    CHECK_HAS(text, "]: bystander\n");
    CHECK_HAS(text, "]: main\n");

    text = dies(in_main);
    CHECK_HAS(text, "panic in goroutine 1: no luck: 7\n");

    text = dies(in_library);
    CHECK_HAS(text, ": ant_waitgroup: the counter is negative");
    CHECK_HAS(text, "negative_group+0x");

    text = dies(in_thread);
    CHECK_INT(strncmp(text, "panic: no luck: 7\n    ", 22), 0);
    CHECK_HAS(text, "\n    unlucky_function+0x");
    CHECK(!strstr(text, "goroutine"));

    text = dies(beside_runtime);
    CHECK_INT(strncmp(text, "panic: no luck: 7\n    ", 22), 0);
    CHECK_HAS(text, "]: bystander\n");
    return 0;
}
