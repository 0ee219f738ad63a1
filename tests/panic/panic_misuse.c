/* panic_misuse - defers that are not ended, or not in order, are found out: one clear message and
 * SIGABRT. */
#include <setjmp.h>
#include <signal.h>

#include <anthill.h>

#include "check.h"

static void nothing(void *arg)
{
}

static void wrong_order(void *arg)
{
    ant_defer_node a, b;

    ant_defer(&a, nothing, NULL);
    ant_defer(&b, nothing, NULL);
    ant_defer_end(&a);
}

static void end_twice(void *arg)
{
    ant_defer_node a;

    ant_defer(&a, nothing, NULL);
    ant_defer_end(&a);
    ant_defer_end(&a);
}

static void not_ended(void *arg)
{
    static ant_defer_node a; /* static, so that the frame that is gone is not touched */

    ant_defer(&a, nothing, NULL);
}

static void not_ended_in_try(void *arg)
{
    ant_try(not_ended, NULL, NULL);
}

static jmp_buf away;

static void jump_away(void *arg)
{
    longjmp(away, 1);
}

static void panic_below(void *arg)
{
    ant_panic("who takes this?");
}

static void __attribute__((noinline)) jump_out_of_try(void)
{
    if (setjmp(away) == 0)
        ant_try(jump_away, NULL, NULL);
}

static void left_and_ended(void *arg)
{
    jump_out_of_try();
}

static void left_by_longjmp(void *arg)
{
    volatile char above[512]; /* so that the frame of the try is below that of the panic */

    above[0] = 0;
    jump_out_of_try();
    panic_below((void *)above);
}

static void no_node(void *arg)
{
    ant_defer(NULL, nothing, NULL);
}

static void no_function(void *arg)
{
    ant_defer_node a;

    ant_defer(&a, NULL, NULL);
}

static void (*fn)(void *);

static int run(void *arg)
{
    ant_waitgroup never = {0};

    if (arg) {
        CHECK_INT(ant_go(fn, NULL), 0);
        ant_waitgroup_add(&never, 1);
        ant_waitgroup_wait(&never);
    }
    fn(NULL);
    return 0;
}

static void in_goroutine(void)
{
    ant_run(run, &fn, NULL);
}

static void in_main_goroutine(void)
{
    ant_run(run, NULL, NULL);
}

static void in_thread(void)
{
    fn(NULL);
}

static void check(void (*where)(void), void (*misuse)(void *), const char *message)
{
    char output[8192];
    int status;

    fn = misuse;
    status = test_child(where, output, sizeof output);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT)
        FAIL("status 0x%x instead of \"%s\", output \"%s\"", status, message, output);
    CHECK_INT(strncmp(output, "anthill: ", 9), 0);
    CHECK_HAS(output, message);
}

TEST(panic_misuse)
{
    static void (*const places[])(void) = {in_goroutine, in_main_goroutine, in_thread};

    for (int i = 0; i < 3; i++) {
        check(places[i], wrong_order, "end them in reverse order");
        check(places[i], end_twice, "not the newest deferred call");
        check(places[i], not_ended_in_try, "returned without ant_defer_end");
        check(places[i], no_node, "ant_defer: the node is NULL");
        check(places[i], no_function, "ant_defer: the function is NULL");
    }
    check(in_goroutine, not_ended, "returned without ant_defer_end");
    check(in_main_goroutine, not_ended, "returned without ant_defer_end");
    if (!TEST_SANITIZED) { /* their frames lie elsewhere */
        check(in_goroutine, left_by_longjmp, "an ant_try was left by longjmp");
        check(in_main_goroutine, left_by_longjmp, "an ant_try was left by longjmp");
        check(in_goroutine, left_and_ended, "a goroutine ended inside of an ant_try");
    }
    return 0;
}
