/* ants_16_panic_without_handler - rows 16 and 17: without a handler a panic in a task goes to the
 * logger, or to standard error, and the process and the pool go on. With and without preallocation.
 * */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"
#include "run_both.h"

static atomic_int ran, logged;

__attribute__((noinline)) static void panic_or_count(const char *text)
{
    if (text)
        ant_panic("%s", text);
    atomic_fetch_add(&ran, 1);
}

static void panic_or_count_now(void *arg)
{
    panic_or_count(arg);
}

static void panic_or_count_by_copy(void *arg)
{
    panic_or_count(*(const char **)arg);
}

ANT_FUNC_POOL_DEFINE(text_pool, const char *);

static int invoke_copy(const text_pool *pool, const char *text)
{
    return ant_func_pool_invoke(text_pool_any(pool), &text);
}

static void plain(const ant_pool_options *options)
{
    ant_pool *pool;

    CHECK_INT(ant_pool_new(&pool, 10, options), 0);
    CHECK_INT(ant_pool_submit(pool, panic_or_count_now, "Oops!"), 0);
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK_INT(ant_pool_running(pool), 0);
    CHECK_INT(ant_pool_submit(pool, panic_or_count_now, NULL), 0);
    CHECK_INT(ant_pool_destroy(pool), 0);
    CHECK_INT(atomic_exchange(&ran, 0), 1);
}

static void use_and_destroy(text_pool *pool, int (*invoke)(const text_pool *, const char *))
{
    CHECK_INT(invoke(pool, "Oops!"), 0);
    CHECK_INT(ant_func_pool_wait(text_pool_any(pool)), 0);
    CHECK_INT(ant_func_pool_running(text_pool_any(pool)), 0);
    CHECK_INT(invoke(pool, NULL), 0);
    CHECK_INT(text_pool_destroy(pool), 0);
    CHECK_INT(atomic_exchange(&ran, 0), 1);
}

static void with_func(const ant_pool_options *options)
{
    text_pool pool = {0};

    CHECK_INT(
        ant_func_pool_new(&pool.pool, 10, panic_or_count_by_copy, sizeof(const char *), options),
        0);
    use_and_destroy(&pool, invoke_copy);
}

static void typed(const ant_pool_options *options)
{
    text_pool pool;

    CHECK_INT(text_pool_new(&pool, 10, panic_or_count, options), 0);
    use_and_destroy(&pool, text_pool_invoke);
}

static void log_text(const char *text, void *arg)
{
    CHECK_HAS(text, "Oops!");
    CHECK_HAS(text, "\n    panic_or_count+"); /* in the backtrace */
    atomic_fetch_add((atomic_int *)arg, 1);
}

static void all_kinds(ant_pool_options options)
{
    plain(&options);
    with_func(&options);
    typed(&options);
    options.prealloc = true;
    plain(&options);
    with_func(&options);
    typed(&options);
}

static int run(void *arg)
{
    all_kinds((ant_pool_options){.logger = log_text, .logger_arg = &logged});
    CHECK_INT(atomic_exchange(&logged, 0), 6);
    return 0;
}

static int run_without_logger(void *arg)
{
    all_kinds((ant_pool_options){.name = "ants 16"});
    return 0;
}

static void child(void)
{
    CHECK_INT(ant_run(run_without_logger, NULL, NULL), 0);
}

static int count_parts(const char *text, const char *part)
{
    int n = 0;

    while ((text = strstr(text, part))) {
        text += strlen(part);
        n++;
    }
    return n;
}

TEST(ants_16_panic_without_handler)
{
    static char output[65536];

    CHECK_INT(test_child(child, output, sizeof output), 0);
    CHECK_INT(count_parts(output, "ants 16"), 6);
    CHECK_INT(count_parts(output, "Oops!"), 6);
    CHECK_INT(count_parts(output, "\n    panic_or_count+"), 6);
    return run_both(run);
}
