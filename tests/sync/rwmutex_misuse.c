/* rwmutex_misuse - Go's TestMutexMisuse: unlocking what is not locked, or not in that way, ends the
 * process with a message, and ant_try does not help. Also while somebody waits. */
#include <signal.h>

#include <anthill.h>

#include "check.h"

static const char read_message[] =
    "anthill: ant_rwmutex_runlock: the mutex is unlocked, or locked for writing\n";
static const char write_message[] =
    "anthill: ant_rwmutex_unlock: the mutex is unlocked, or locked for reading\n";

static ant_rwmutex rw; /* each child has its own */

static void unlock_unlocked(void *arg)
{
    ant_rwmutex_unlock(&rw);
}

static void unlock_read_locked(void *arg)
{
    ant_rwmutex_rlock(&rw);
    ant_rwmutex_unlock(&rw);
}

static void unlock_twice(void *arg)
{
    ant_rwmutex_lock(&rw);
    ant_rwmutex_unlock(&rw);
    ant_rwmutex_unlock(&rw);
}

static void runlock_unlocked(void *arg)
{
    ant_rwmutex_runlock(&rw);
}

static void runlock_write_locked(void *arg)
{
    ant_rwmutex_lock(&rw);
    ant_rwmutex_runlock(&rw);
}

static void runlock_twice(void *arg)
{
    ant_rwmutex_rlock(&rw);
    ant_rwmutex_runlock(&rw);
    ant_rwmutex_runlock(&rw);
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

static void wait_for_write(void *arg)
{
    ant_rwmutex_lock(&rw);
    FAIL("should wait for ever");
}

/* With one lock of the kind that is given, and a writer that waits. */
static int run_beside_waiter(void *for_reading)
{
    CHECK(for_reading ? ant_rwmutex_try_rlock(&rw) : ant_rwmutex_try_lock(&rw));
    CHECK_INT(ant_go(wait_for_write, NULL), 0);
    for (int i = 0; i < 20; i++)
        ant_yield();
    ant_try(misuse, NULL, NULL);
    return 0;
}

static void beside_waiter_reading(void)
{
    ant_run(run_beside_waiter, &rw, NULL);
}

static void beside_waiter_writing(void)
{
    ant_run(run_beside_waiter, NULL, NULL);
}

static void check_dies(void (*where)(void), void (*fn)(void *), const char *message)
{
    char output[8192];
    int status;

    misuse = fn;
    status = test_child(where, output, sizeof output);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT)
        FAIL("status 0x%x, output \"%s\"", status, output);
    CHECK_HAS(output, message);
}

TEST(rwmutex_misuse)
{
    static void (*const places[])(void) = {in_thread, in_goroutine};

    for (int i = 0; i < 2; i++) {
        check_dies(places[i], unlock_unlocked, write_message);
        check_dies(places[i], unlock_read_locked, write_message);
        check_dies(places[i], unlock_twice, write_message);
        check_dies(places[i], runlock_unlocked, read_message);
        check_dies(places[i], runlock_write_locked, read_message);
        check_dies(places[i], runlock_twice, read_message);
    }
    check_dies(beside_waiter_reading, unlock_unlocked, write_message);
    check_dies(beside_waiter_writing, runlock_unlocked, read_message);
    return 0;
}
