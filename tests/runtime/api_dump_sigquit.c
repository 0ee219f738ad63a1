/* api_dump_sigquit - with the option, SIGQUIT prints all goroutines and the program goes on;
 * without it, SIGQUIT ends the program as ever; after the runtime has stopped, it does so again. */
#include <signal.h>

#include <anthill.h>

#include "base/sys.h"
#include "check.h"

static ant_waitgroup begun;

static void sleeper(void *arg)
{
    ant_waitgroup_done(&begun);
    ant_sleep(ANT_HOUR);
}

/* Reads what comes on standard error until both goroutines were shown, and tells it on. */
static void wait_for_dump(FILE *dump)
{
    bool head = false, sleeper_shown = false, main_shown = false;
    char line[512];

    while (!head || !sleeper_shown || !main_shown) {
        if (!fgets(line, sizeof line, dump))
            _exit(9);
        head |= !strncmp(line, "2 goroutines, ", 14);
        sleeper_shown |= strstr(line, "]: the sleeper\n") != NULL;
        main_shown |= strstr(line, "]: main\n") != NULL;
        fputs(line, stdout);
    }
}

static void wait_for_line(FILE *dump, const char *part)
{
    char line[512] = "";

    while (!strstr(line, part)) {
        if (!fgets(line, sizeof line, dump))
            _exit(9);
    }
}

static FILE *redirect(void)
{
    int fds[2];

    CHECK_INT(pipe(fds), 0);
    CHECK(dup2(fds[1], STDERR_FILENO) >= 0);
    return fdopen(fds[0], "r");
}

static int quit_twice(void *arg)
{
    ant_waitgroup_add(&begun, 1);
    CHECK_INT(ant_go_opts(&(ant_go_options){.name = "the sleeper"}, sleeper, NULL), 0);
    ant_waitgroup_wait(&begun);
    for (int i = 0; i < 2; i++) {
        CHECK_INT(kill(getpid(), SIGQUIT), 0);
        if (arg)
            wait_for_dump(arg);
    }
    return 0;
}

static void by_struct(void)
{
    CHECK_INT(ant_run(quit_twice, redirect(), &(ant_config){.dump_on_quit = true}), 0);
    printf("went on\n");
}

static void by_variable(void)
{
    CHECK_INT(setenv("ANTHILL", "sigquit=1", 1), 0);
    CHECK_INT(ant_run(quit_twice, redirect(), NULL), 0);
    printf("went on\n");
}

/* No thread can be made for it at first. */
static int quit_without_thread(void *dump)
{
    ant_waitgroup_add(&begun, 1);
    CHECK_INT(ant_go_opts(&(ant_go_options){.name = "the sleeper"}, sleeper, NULL), 0);
    ant_waitgroup_wait(&begun);
    usleep(10000); /* now nobody makes another one */
    ant__fail_times = 1;
    ant__fail_after = 1;
    CHECK_INT(kill(getpid(), SIGQUIT), 0);
    wait_for_line(dump, "trying again");
    wait_for_dump(dump);
    CHECK(ant__fail_after == 0);
    return 0;
}

static void without_thread(void)
{
    CHECK_INT(ant_run(quit_without_thread, redirect(), &(ant_config){.dump_on_quit = true}), 0);
    printf("went on\n");
}

static void without(void)
{
    ant_run(quit_twice, NULL, NULL);
}

static void after_stop(void)
{
    CHECK_INT(ant_start(&(ant_config){.dump_on_quit = true}), 0);
    CHECK_INT(ant_stop(), 0);
    raise(SIGQUIT);
}

static void check_dumps(void (*fn)(void))
{
    char output[16384];

    CHECK_INT(test_child(fn, output, sizeof output), 0);
    CHECK_HAS(output, "2 goroutines, ");
    CHECK_HAS(output, "]: the sleeper\n");
    CHECK_HAS(output, "]: main\n");
    CHECK_HAS(output, "went on\n");
}

static void check_dies(void (*fn)(void))
{
    char output[4096];
    int status = test_child(fn, output, sizeof output);

    CHECK(WIFSIGNALED(status));
    CHECK_INT(WTERMSIG(status), SIGQUIT);
    CHECK_STR(output, "");
}

TEST(api_dump_sigquit)
{
    check_dumps(by_struct);
    check_dumps(by_variable);
    check_dumps(without_thread);
    check_dies(without);
    check_dies(after_stop);
    return 0;
}
