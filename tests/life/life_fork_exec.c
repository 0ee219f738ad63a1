/* life_fork_exec - fork and exec work while the runtime runs, from a goroutine and from a plain
 * thread, as do posix_spawn and system; the parent goes on undisturbed. */
#include <pthread.h>
#include <spawn.h>

#include "life_fork.h"

extern char **environ;

static ant_waitgroup wg;

static void exec_echo(void)
{
    execl("/bin/sh", "sh", "-c", "echo hello from the child", (char *)NULL);
    _exit(9);
}

static void leave(void)
{
    _exit(7);
}

static void check_all(void)
{
    char *const argv[] = {"sh", "-c", "exit 5", NULL};
    char output[256];
    int status;
    pid_t pid;

    CHECK_INT(fork_and(exec_echo, output, sizeof output), 0);
    CHECK_STR(output, "hello from the child\n");
    status = fork_and(leave, output, sizeof output);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    CHECK_INT(posix_spawn(&pid, "/bin/sh", NULL, NULL, argv, environ), 0);
    CHECK_INT(waitpid(pid, &status, 0), pid);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 5);
    status = system("exit 3");
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 3);
}

static void busy(void *arg)
{
    for (int i = 0; i < test_scale(2000); i++) {
        ant_yield();
        if (i % 10 == 0)
            ant_sleep(10 * ANT_MICROSECOND);
    }
    ant_waitgroup_done(&wg);
}

static void *thread(void *arg)
{
    check_all();
    return NULL;
}

static int run(void *arg)
{
    pthread_t t;

    ant_waitgroup_add(&wg, 20);
    for (int i = 0; i < 20; i++)
        CHECK_INT(ant_go(busy, NULL), 0);
    CHECK_INT(pthread_create(&t, NULL, thread, NULL), 0);
    check_all();
    CHECK_INT(pthread_join(t, NULL), 0);
    ant_waitgroup_wait(&wg);
    return 0;
}

TEST(life_fork_exec)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
