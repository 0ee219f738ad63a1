/* panic_fault_sent - a SIGSEGV, SIGBUS or SIGFPE that somebody sent does what it would do without
 * us: it ends the process, is ignored, or goes to the program's handler. */
#include <signal.h>

#include <anthill.h>

#include "check.h"

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE};
static int signal_;
static bool panics;
static bool has_handler;
static volatile sig_atomic_t handled;

static void on_signal(int signal)
{
    handled++;
}

static void send(void)
{
    CHECK_INT(ant_start(&(ant_config){.fault_panics = panics}), 0);
    kill(getpid(), signal_); /* once: it must not be swallowed */
    while (has_handler && !handled)
        usleep(100); /* a thread that is just beginning may have taken it */
    printf("went on, handled %d\n", (int)handled);
    CHECK_INT(ant_stop(), 0);
}

static void send_by_default(void)
{
    signal(signal_, SIG_DFL);
    send();
}

static void send_ignored(void)
{
    signal(signal_, SIG_IGN);
    send();
}

static void send_handled(void)
{
    signal(signal_, on_signal);
    has_handler = true;
    send();
}

TEST(panic_fault_sent)
{
    for (int i = 0; i < 6; i++) {
        char output[4096];
        int status;

        signal_ = signals[i / 2];
        panics = i % 2;
        status = test_child(send_handled, output, sizeof output);
        if (status != 0)
            FAIL("signal %d handled: status 0x%x, %s", signal_, status, output);
        CHECK_STR(output, "went on, handled 1\n");
        status = test_child(send_ignored, output, sizeof output);
        if (status != 0)
            FAIL("signal %d ignored: status 0x%x, %s", signal_, status, output);
        CHECK_STR(output, "went on, handled 0\n");
        status = test_child(send_by_default, output, sizeof output);
        if (!WIFSIGNALED(status) || WTERMSIG(status) != signal_)
            FAIL("signal %d by default: status 0x%x, %s", signal_, status, output);
    }
    return 0;
}
