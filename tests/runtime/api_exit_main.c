/* api_exit_main - when the main goroutine calls ant_exit the others go on until they are done, and
 * then the program ends with a report. */
#include <anthill.h>

#include "check.h"

static void last_words(void *arg)
{
    for (int i = 0; i < 10; i++)
        ant_sleep(ANT_MILLISECOND);
    printf("the other one ended\n");
    fflush(stdout);
}

static int exit_main(void *arg)
{
    CHECK_INT(ant_go(last_words, NULL), 0);
    ant_exit();
}

static void main_exits(void)
{
    ant_run(exit_main, NULL, NULL);
    FAIL("ant_run returned");
}

TEST(api_exit_main)
{
    char output[4096];
    int status = test_child(main_exits, output, sizeof output);

    CHECK(WIFEXITED(status));
    CHECK_INT(WEXITSTATUS(status), 2);
    CHECK_HAS(output, "the other one ended\n");
    CHECK_HAS(output, "anthill: no goroutines (main called ant_exit) - deadlock!");
    return 0;
}
