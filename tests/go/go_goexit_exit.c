/* go_goexit_exit.c - when the main goroutine has called ant_exit the others go on, and one of them
 * may end the program by exit.
 *
 * Catches: the program ends, or reports a deadlock, with the main goroutine.
 */
#include <anthill.h>

#include "check.h"

static void end_program(void *arg)
{
    for (int i = 0; i < 10; i++) {
        ant_yield();
        ant_sleep(ANT_MILLISECOND / 10);
    }
    printf("bye");
    exit(3);
}

static int run(void *arg)
{
    CHECK_INT(ant_go(end_program, NULL), 0);
    ant_exit();
}

static void child(void)
{
    alarm(50);
    ant_run(run, NULL, NULL);
    printf("ant_run returned");
}

TEST(go_goexit_exit)
{
    char output[4096];
    int status = test_child(child, output, sizeof output);

    CHECK_STR(output, "bye");
    CHECK(WIFEXITED(status));
    CHECK_INT(WEXITSTATUS(status), 3);
    return 0;
}
