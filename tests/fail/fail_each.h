/* fail_each.h - for tests in which the n-th thing that is asked of the system is refused, for every n
 * until none is. Each n has a process of its own, for places of files are never given back. */
#ifndef ANT_TESTS_FAIL_EACH_H
#define ANT_TESTS_FAIL_EACH_H

#include "base/sys.h"
#include "net_help.h"
#include "runtime/netpoll.h"

enum { FAIL_NOT_REACHED = 3 };

static int (*fail__run)(void *);
static long fail__nth;
static bool fail__told; /* an error came */

/* Whether the call succeeded; an error is to be one of those that a refusal may lead to, and is
 * printed with the call's name for fail_each to find. */
static inline bool worked(const char *call, int err)
{
    if (err && err != -ENOMEM && err != -EMFILE && err != -EAGAIN && err != -ENOSPC)
        FAIL("%s: an undocumented error: %s", call, ant_err_name(err));
    if (err)
        fprintf(stderr, "<%s %s>", call, ant_err_name(err));
    fail__told |= err != 0;
    return !err;
}

/* What is open when all handles are closed: at a stop they would be closed for us. */
static inline int fail__run_and_count(void *arg)
{
    int before = test__count_entries("/proc/self/fd");
    int err = fail__run(arg);

    if (ant__poll_is_open())
        before += 2;
    CHECK_INT(test__count_entries("/proc/self/fd"), before);
    return err;
}

static inline void fail__child(void)
{
    struct test_resources before;
    int err;

    alarm(100);
    CHECK_INT(ant_start(NULL), 0); /* TSan makes a thread of its own with the first */
    CHECK_INT(ant_stop(), 0);
    before = test_resources_now();
    ant__fail_after = fail__nth;
    err = ant_run(fail__run_and_count, NULL, NULL);
    if (ant__fail_after > 0)
        _exit(FAIL_NOT_REACHED);
    ant__fail_after = 0;
    if (err != 0 && err != -ENOMEM && err != -EAGAIN)
        FAIL("ant_run returned %s", ant_err_name(err));
    test_resources_check(&before, 100);
    fail__told = false;
    CHECK_INT(ant_run(fail__run_and_count, NULL, NULL), 0);
    CHECK(!fail__told);
    test_resources_check(&before, 100);
}

static inline const char *const *fail__missing(const char *const *errors, uint64_t came)
{
    while (*errors && came & 1) {
        errors++;
        came >>= 1;
    }
    return errors;
}

/* One round: every n. Returns with *came those of the errors that came too. */
static inline void fail__round(const char *const *errors, uint64_t *came)
{
    static char output[65536];

    for (fail__nth = 1; fail__nth < 10000; fail__nth++) {
        int status = test_child(fail__child, output, sizeof output);

        if (WIFEXITED(status) && WEXITSTATUS(status) == FAIL_NOT_REACHED)
            break;
        for (int i = 0; errors[i]; i++)
            *came |= (uint64_t)(strstr(output, errors[i]) != NULL) << i;
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT && strstr(output, "anthill: "))
            continue;
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            FAIL("failure %ld: status 0x%x: %s", fail__nth, status, output);
    }
}

/* Runs fn until nothing is refused any more. Each of the errors, "<call error>" as worked prints them
 * and ended by NULL, must have come once; as threads ask at the same time for what they need, that may
 * take some rounds. Which errors come does not depend on the build: in slow ones one round does. */
static inline int fail_each(int (*fn)(void *), const char *const *errors)
{
    int rounds = TEST_SANITIZED || test_is_slow() ? 1 : 30;
    uint64_t came = 0;

    fail__run = fn;
    for (int round = 0; round == 0 || (round < rounds && *fail__missing(errors, came)); round++)
        fail__round(errors, &came);
    if (rounds > 1 && *fail__missing(errors, came))
        FAIL("%s never came", *fail__missing(errors, came));
    return 0;
}

#endif
