/* panic_fault_off - without the option faults stay what they are: the process dies by the signal,
 * ant_try does not catch it. With the option the same holds for a plain thread. */
#include <pthread.h>
#include <signal.h>

#include <anthill.h>

#include "check.h"

static void read_null(void *arg)
{
    *(volatile int *)NULL;
}

static void divide(void *arg)
{
    volatile int zero = 0;

    zero = 7 / zero;
}

static int fault_in_main(void *fn)
{
    ant_try((void (*)(void *))fn, NULL, NULL);
    return 0;
}

static void segv_in_goroutine(void)
{
    ant_run(fault_in_main, (void *)read_null, NULL);
}

static void fpe_in_goroutine(void)
{
    ant_run(fault_in_main, (void *)divide, NULL);
}

static void *fault_in_thread(void *arg)
{
    ant_try(read_null, NULL, NULL);
    return NULL;
}

static void segv_in_thread(void)
{
    pthread_t t;

    CHECK_INT(ant_start(&(ant_config){.fault_panics = true}), 0);
    CHECK_INT(pthread_create(&t, NULL, fault_in_thread, NULL), 0);
    CHECK_INT(pthread_join(t, NULL), 0);
    CHECK_INT(ant_stop(), 0);
}

static void caught_in_goroutine(void)
{
    ant_run(fault_in_main, (void *)read_null, &(ant_config){.fault_panics = true});
}

static void check(void (*fn)(void), int signal)
{
    char output[8192];
    int status = test_child(fn, output, sizeof output);

    if (!WIFSIGNALED(status) || WTERMSIG(status) != signal)
        FAIL("status 0x%x, not signal %d: %s", status, signal, output);
    CHECK(!strstr(output, "panic"));
}

TEST(panic_fault_off)
{
    char output[8192];

    check(segv_in_goroutine, SIGSEGV);
    check(segv_in_thread, SIGSEGV);
#if defined(__x86_64__)
    check(fpe_in_goroutine, SIGFPE);
#else
    (void)fpe_in_goroutine;
#endif
    CHECK_INT(test_child(caught_in_goroutine, output, sizeof output), 0);
    return 0;
}
