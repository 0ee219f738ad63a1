/* spinlock_misuse - unlocking a spin lock that is not locked ends the process with a message, and
 * ant_try does not help. */
#include <signal.h>

#include <anthill.h>

#include "check.h"

static void never_locked(void *arg)
{
    ant_spinlock lock = {0};

    ant_spinlock_unlock(&lock);
}

static void unlocked_twice(void *arg)
{
    ant_spinlock lock = {0};

    ant_spinlock_lock(&lock);
    ant_spinlock_unlock(&lock);
    ant_spinlock_unlock(&lock);
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

static void check_dies(void (*where)(void), void (*fn)(void *))
{
    char output[8192];
    int status;

    misuse = fn;
    status = test_child(where, output, sizeof output);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT)
        FAIL("status 0x%x, output \"%s\"", status, output);
    CHECK_HAS(output, "anthill: ant_spinlock_unlock: the lock is unlocked\n");
}

TEST(spinlock_misuse)
{
    check_dies(in_thread, never_locked);
    check_dies(in_thread, unlocked_twice);
    check_dies(in_goroutine, never_locked);
    check_dies(in_goroutine, unlocked_twice);
    return 0;
}
