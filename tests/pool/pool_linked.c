/* pool_linked - who links the library and does not use it gets nothing: no thread, file descriptor
 * or mapping before main. A run that does not use the default pool does not make one, other pools or
 * not. */
#include <limits.h>

#include <anthill.h>

#include "check.h"
#include "fail_from.h"

static struct test_resources at_first;

/* Before any constructor of the library. What there is then is the system's, or a sanitizer's. */
__attribute__((constructor(101))) static void look_first(void)
{
    at_first = test_resources_now();
}

static void count(void *arg)
{
    ++*(int *)arg;
}

/* Were it there it would be found, without asking for memory. */
static bool has_default_pool(void)
{
    bool found;

    fail_from(1);
    found = ant_default_pool() != NULL;
    fail_no_more();
    return found;
}

static int run(void *arg)
{
    int ran = 0;
    ant_pool *pool;

    CHECK(!has_default_pool());
    CHECK_INT(ant_pool_new(&pool, 1, NULL), 0);
    CHECK_INT(ant_pool_submit(pool, count, &ran), 0);
    CHECK_INT(ant_pool_destroy(pool), 0);
    CHECK_INT(ran, 1);
    CHECK(!has_default_pool());
    if (arg) {
        CHECK_INT(ant_submit(count, arg), 0);
        CHECK(has_default_pool());
        CHECK_INT(ant_pool_wait(ant_default_pool()), 0);
        CHECK_INT(*(int *)arg, 2);
    }
    return 0;
}

TEST(pool_linked)
{
    struct test_resources now = test_resources_now();

    CHECK_INT(now.threads, at_first.threads);
    CHECK_INT(now.fds, at_first.fds);
    if (!TEST_SANITIZED)
        CHECK(now.mappings <= at_first.mappings + 1); /* libc's heap: we read directories */
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    CHECK_INT(ant_run(run, &(int){1}, NULL), 0);
    CHECK_INT(ant_run(run, NULL, NULL), 0); /* that of the last run does not count */
    CHECK(!has_default_pool());
    return 0;
}
