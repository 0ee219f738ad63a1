/* pool_panic_info - the panic handler is told what happened: message, goroutine, where; with the
 * argument that was given for it, in the goroutine that panicked. Without a handler the logger is
 * given message and backtrace, several lines, in which the function that panicked is named; without
 * a logger they go to standard error. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_pool *pool;
static int token;
static atomic_int called;
static uint64_t goroutine;

static void panic_on_purpose(void *arg)
{
    goroutine = ant_id();
    ant_panic("number %d", 4711);
}

static void handle(const ant_panic_info *info, void *arg)
{
    CHECK(arg == &token);
    CHECK_STR(info->message, "number 4711");
    CHECK_INT(info->goroutine, goroutine);
    CHECK_INT(ant_id(), goroutine);
    CHECK_INT(info->signal, 0);
    CHECK(info->frame_count > 0 && info->frames[0]);
    CHECK_INT(ant_pool_running(pool), 0);
    atomic_fetch_add(&called, 1);
}

static void log_text(const char *text, void *arg)
{
    CHECK(arg == &token);
    CHECK_HAS(text, "number 4711");
    CHECK_HAS(text, "\n    panic_on_purpose+");
    atomic_fetch_add(&called, 1);
}

static void play(int expected, ant_pool_options options)
{
    atomic_store(&called, 0);
    options.panic_arg = options.logger_arg = &token;
    CHECK_INT(ant_pool_new(&pool, 1, &options), 0);
    CHECK_INT(ant_pool_submit(pool, panic_on_purpose, NULL), 0);
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK_INT(atomic_load(&called), expected);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static int run(void *arg)
{
    play(1, (ant_pool_options){.panic_handler = handle});
    play(1, (ant_pool_options){.panic_handler = handle, .logger = log_text, .prealloc = true});
    play(1, (ant_pool_options){.logger = log_text});
    return 0;
}

static int run_without(void *arg)
{
    play(0, (ant_pool_options){.name = "crawler"});
    return 0;
}

static void child(void)
{
    CHECK_INT(ant_run(run_without, NULL, NULL), 0);
}

static void panic_again(const ant_panic_info *info, void *arg)
{
    ant_panic("in the handler");
}

static int run_twice(void *arg)
{
    play(0, (ant_pool_options){.panic_handler = panic_again});
    return 0;
}

static void child_that_dies(void)
{
    ant_run(run_twice, NULL, NULL);
}

TEST(pool_panic_info)
{
    char output[8192];

    CHECK_INT(test_child(child, output, sizeof output), 0);
    CHECK_HAS(output, "number 4711");
    CHECK_HAS(output, "crawler");
    CHECK_HAS(output, "\n    panic_on_purpose+");
    CHECK(WIFSIGNALED(test_child(child_that_dies, output, sizeof output)));
    CHECK_HAS(output, "in the handler");
    return ant_run(run, NULL, NULL);
}
