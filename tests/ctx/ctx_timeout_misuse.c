/* ctx_timeout_misuse - the mistakes that ANT_TIMEOUT can see end the process with a message: a
 * child or a reference that outlives the block, an unref of what is nobody's, a NULL. */
#include <anthill.h>

#include "check.h"

static int leave_child(void *arg)
{
    ant_ctx *child;
    ANT_TIMEOUT(ctx, NULL, ANT_HOUR);

    return ant_ctx_with_value(&child, ctx, "key", NULL);
}

static int leave_reference(void *arg)
{
    ANT_TIMEOUT(ctx, NULL, ANT_HOUR);

    ant_ctx_ref(ctx);
    return 0;
}

static int unref(void *arg)
{
    ANT_TIMEOUT(ctx, NULL, ANT_HOUR);

    ant_ctx_unref(ctx);
    return 0;
}

static int begin_null(void *arg)
{
    ant_timeout_begin(NULL, NULL, ANT_HOUR);
    return 0;
}

static int end_null(void *arg)
{
    ant_timeout_end(NULL);
    return 0;
}

static int (*mistake)(void *);

static void make_mistake(void)
{
    ant_run(mistake, NULL, NULL);
}

static void check_aborts(int (*fn)(void *), const char *message)
{
    char output[16384];
    int status;

    mistake = fn;
    status = test_child(make_mistake, output, sizeof output);
    CHECK_HAS(output, message);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

TEST(ctx_timeout_misuse)
{
    check_aborts(leave_child, "somebody had a reference to its context");
    check_aborts(leave_reference, "somebody had a reference to its context");
    check_aborts(unref, "ends with its scope");
    check_aborts(begin_null, "ant_timeout_begin: the ant_timeout is NULL");
    check_aborts(end_null, "ant_timeout_end: the ant_timeout is NULL");
    return 0;
}
