/* panic_fault_chain - the handlers that were there before the runtime get what is not ours, with
 * all that belongs to it, and are there again after it; who comes after us keeps his own. */
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

#include <anthill.h>

#include "check.h"

static volatile sig_atomic_t plain_calls, info_calls;
static sigjmp_buf back;
static char *address; /* of a page without rights */

static void plain_handler(int signal)
{
    CHECK_INT(signal, SIGBUS);
    plain_calls++;
}

static void info_handler(int signal, siginfo_t *info, void *context)
{
    CHECK_INT(signal, SIGSEGV);
    CHECK(info->si_addr == address);
    CHECK(info->si_code > 0);
    CHECK(context);
    info_calls++;
    siglongjmp(back, 1);
}

static void late_handler(int signal)
{
}

static void fault_and_come_back(void)
{
    int before = info_calls;

    if (sigsetjmp(back, 1) == 0)
        *(volatile char *)address;
    CHECK_INT(info_calls, before + 1);
}

static void fault(void *arg)
{
    *(volatile char *)address;
}

/* Faults of goroutines are panics, but not in a plain thread. */
static int caught_in_goroutine(void *arg)
{
    int before = info_calls;
    ant_panic_info info;

    for (int i = 0; i < 10; i++) {
        CHECK_INT(ant_try(fault, NULL, &info), ANT_EPANIC);
        CHECK_INT(info.signal, SIGSEGV);
    }
    CHECK_INT(info_calls, before);
    return 0;
}

static void check_restored(void)
{
    struct sigaction now;

    CHECK_INT(sigaction(SIGSEGV, NULL, &now), 0);
    CHECK(now.sa_sigaction == info_handler && now.sa_flags & SA_SIGINFO);
    CHECK_INT(sigaction(SIGBUS, NULL, &now), 0);
    CHECK(now.sa_handler == plain_handler && !(now.sa_flags & SA_SIGINFO));
    CHECK_INT(sigaction(SIGFPE, NULL, &now), 0);
    CHECK(now.sa_handler == SIG_IGN);
}

TEST(panic_fault_chain)
{
    struct sigaction action = {.sa_sigaction = info_handler, .sa_flags = SA_SIGINFO}, now;

    address = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(address != MAP_FAILED);
    CHECK_INT(sigaction(SIGSEGV, &action, NULL), 0);
    CHECK(signal(SIGBUS, plain_handler) != SIG_ERR);
    CHECK(signal(SIGFPE, SIG_IGN) != SIG_ERR);

    for (int i = 0; i < 4; i++) {
        const ant_config config = {.fault_panics = i % 2};

        CHECK_INT(ant_start(&config), 0);
        fault_and_come_back();
        fault_and_come_back();
        raise(SIGBUS);
        CHECK_INT(plain_calls, i + 1);
        CHECK_INT(ant_stop(), 0);
        check_restored();
        fault_and_come_back();
    }
    CHECK_INT(ant_run(caught_in_goroutine, NULL, &(ant_config){.fault_panics = true}), 0);
    check_restored();

    CHECK_INT(ant_start(&(ant_config){.fault_panics = true}), 0);
    CHECK(signal(SIGSEGV, late_handler) != SIG_ERR);
    CHECK_INT(ant_stop(), 0);
    CHECK_INT(sigaction(SIGSEGV, NULL, &now), 0);
    CHECK(now.sa_handler == late_handler);
    return 0;
}
