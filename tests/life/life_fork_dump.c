/* The child of a fork is told not to call us also if somebody was writing a dump in the parent, whose
 * locks came along.
 *
 * Catches: a lock that is taken before the child is told. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { GOROUTINES = 3000, FORKS = 20 };

static atomic_bool stop;

static void sleep_long(void *arg)
{
    ant_sleep(ANT_HOUR);
}

static void *dump(void *arg)
{
    while (!atomic_load(&stop))
        CHECK_INT(ant_dump(*(int *)arg), 0);
    return NULL;
}

static void child(void)
{
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    alarm(30);
    close(STDERR_FILENO);
    ant_dump(STDOUT_FILENO);
    _exit(0);
}

static void fork_once(void)
{
    int status;
    pid_t pid = fork();

    if (pid == 0)
        child();
    CHECK(pid > 0);
    CHECK_INT(waitpid(pid, &status, 0), pid);
    CHECK(WIFSIGNALED(status));
    CHECK_INT(WTERMSIG(status), SIGABRT);
}

TEST(life_fork_dump)
{
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC), n = test_scale_least(GOROUTINES, 100);
    pthread_t thread;

    CHECK_INT(ant_start(NULL), 0);
    for (int i = 0; i < n; i++)
        CHECK_INT(ant_go(sleep_long, NULL), 0);
    CHECK_INT(pthread_create(&thread, NULL, dump, &null), 0);
    for (int i = 0; i < FORKS; i++) {
        usleep((useconds_t)(1000 + i * 300));
        fork_once();
    }
    atomic_store(&stop, true);
    CHECK_INT(pthread_join(thread, NULL), 0);
    CHECK_INT(ant_stop(), 0);
    close(null);
    return 0;
}
