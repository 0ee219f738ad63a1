/* mutex_misuse - unlocking what is not locked ends the process with a message, and ant_try does not
 * help: in goroutines, in threads, with and without a runtime. */
#include <signal.h>

#include <anthill.h>

#include "check.h"

static void never_locked(void *arg)
{
    ant_mutex mutex = {0};

    ant_mutex_unlock(&mutex);
}

static void unlocked_twice(void *arg)
{
    ant_mutex mutex = {0};

    ant_mutex_lock(&mutex);
    ant_mutex_unlock(&mutex);
    ant_mutex_unlock(&mutex);
}

static void (*misuse)(void *);

static void in_thread(void)
{
    ant_try(misuse, NULL, NULL);
}

static int run(void *arg)
{
    in_thread();
    return 0;
}

static void in_goroutine(void)
{
    ant_run(run, NULL, NULL);
}

static void beside_runtime(void)
{
    ant_start(NULL);
    in_thread();
}

static void check_dies(void (*where)(void), void (*fn)(void *))
{
    char output[8192];
    int status;

    misuse = fn;
    status = test_child(where, output, sizeof output);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT)
        FAIL("status 0x%x, output \"%s\"", status, output);
    CHECK_HAS(output, "anthill: ant_mutex_unlock: the mutex is unlocked\n");
}

TEST(mutex_misuse)
{
    static void (*const places[])(void) = {in_thread, in_goroutine, beside_runtime};

    for (int i = 0; i < 3; i++) {
        check_dies(places[i], never_locked);
        check_dies(places[i], unlocked_twice);
    }
    return 0;
}
