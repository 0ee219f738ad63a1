/* check_self.c - the checks of check.h fail when they should, and only then. */
#include "check.h"

#include <pthread.h>

static char output[4096];

static void fail_cond(void)
{
    CHECK(1 + 1 == 3);
}

static void fail_int(void)
{
    CHECK_INT(2 + 2, -5);
}

static void fail_str(void)
{
    const char *actual = "ant";

    CHECK_STR(actual, "bee");
}

static void fail_null(void)
{
    const char *actual = NULL;

    CHECK_STR(actual, "bee");
}

static void leak_fd(void)
{
    struct test_resources before = test_resources_now();

    CHECK(dup(0) >= 0);
    test_resources_check(&before, 0);
}

static void pass(void)
{
    CHECK(true);
    CHECK_INT(4096u, 4096L);
    CHECK_STR("ant", "ant");
    printf("all is well");
}

static void expect_failure(void (*fn)(void), const char *message)
{
    int status = test_child(fn, output, sizeof output);

    CHECK(WIFEXITED(status));
    CHECK_INT(WEXITSTATUS(status), 1);
    CHECK_HAS(output, "check_self.c:");
    CHECK_HAS(output, message);
}

static void *nothing(void *arg)
{
    return arg;
}

static void thread_is_no_leak(void)
{
    struct test_resources before;
    pthread_t thread;

    for (int i = 0; i < 100; i++) {
        CHECK_INT(pthread_create(&thread, NULL, nothing, NULL), 0);
        pthread_join(thread, NULL);
        if (i == 0)
            before = test_resources_now();
    }
    test_resources_check(&before, 0);
}

static void scale_and_torture(void)
{
    setenv("ANT_TEST_SCALE", "20", 1);
    CHECK_INT(test_scale(1000), 50);
    CHECK_INT(test_scale(3), 1);
    unsetenv("ANT_TEST_SCALE");
    CHECK_INT(test_scale(1000), 1000);
    CHECK_INT(test_scale(0), 1);

    unsetenv("ANT_TORTURE_SECONDS");
    CHECK(torture_seconds(0.5) == 0.5);
    setenv("ANT_TORTURE_SECONDS", "0", 1);
    CHECK(torture_seconds(0.5) == 0.5);
    setenv("ANT_TORTURE_SECONDS", "60", 1);
    CHECK(torture_seconds(0.5) == 60);
}

TEST(check_self)
{
    expect_failure(fail_cond, "1 + 1 == 3 is false");
    expect_failure(fail_int, "2 + 2 is 4, not -5");
    expect_failure(fail_str, "actual is \"ant\", not \"bee\"");
    expect_failure(fail_null, "actual is \"(NULL)\", not \"bee\"");
    expect_failure(leak_fd, "left behind");
    CHECK_INT(test_child(pass, output, sizeof output), 0);
    CHECK_STR(output, "all is well");
    CHECK_INT(test_child(pass, output, 5), 0);
    CHECK_STR(output, "all ");
    thread_is_no_leak();
    scale_and_torture();
    return 0;
}
