/* fail_io - the n-th thing that is asked of the system is refused while descriptors are opened, for
 * every n until none is: each call succeeds or tells, nothing leaks, and it all works afterwards.
 *
 * Catches: a descriptor in nobody's hands after a failure half-way. */
#include "base/sys.h"
#include "net_help.h"

static bool told; /* an error came */

static bool worked(int err)
{
    if (err && err != -ENOMEM && err != -EMFILE && err != -EAGAIN)
        FAIL("an undocumented error: %s", ant_err_name(err));
    told |= err != 0;
    return !err;
}

static int run(void *arg)
{
    char address[ANT_ADDR_TEXT] = "";
    ant_io listener, ends[2];
    ant_addr addr;

    if (worked(ant_pipe(ends)))
        close_pair(ends);
    if (!worked(ant_listen(&listener, "tcp4", "127.0.0.1:0", NULL)))
        return 0;
    CHECK_INT(ant_local_addr(listener, &addr), 0);
    CHECK(ant_addr_text(&addr, address, sizeof address) > 0);
    if (worked(ant_dial(&ends[0], "tcp", address))) {
        if (worked(ant_accept(listener, &ends[1])))
            CHECK_INT(ant_close(ends[1]), 0);
        CHECK_INT(ant_close(ends[0]), 0);
    }
    if (worked(ant_open(&ends[0], "/proc/self/exe", O_RDONLY, 0)))
        CHECK_INT(ant_close(ends[0]), 0);
    if (worked(ant_dial(&ends[0], "udp", address)))
        CHECK_INT(ant_close(ends[0]), 0);
    CHECK_INT(ant_close(listener), 0);
    return 0;
}

/* Whether there was an n-th request. In a process of its own, for places are never given back. */
static long nth;

static void child(void)
{
    struct test_resources before;
    int err;

    alarm(100);
    CHECK_INT(ant_start(NULL), 0); /* TSan makes a thread of its own with the first */
    CHECK_INT(ant_stop(), 0);
    before = test_resources_now();
    ant__fail_after = nth;
    err = ant_run(run, NULL, NULL);
    if (ant__fail_after > 0)
        _exit(3);
    ant__fail_after = 0;
    if (err != 0 && err != -ENOMEM && err != -EAGAIN)
        FAIL("ant_run returned %s", ant_err_name(err));
    test_resources_check(&before, 100);
    told = false;
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    CHECK(!told);
    test_resources_check(&before, 100);
}

int main(void)
{
    static char output[65536];

    for (nth = 1; nth < 10000; nth++) {
        int status = test_child(child, output, sizeof output);

        if (WIFEXITED(status) && WEXITSTATUS(status) == 3)
            break;
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT && strstr(output, "anthill: "))
            continue;
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            FAIL("failure %ld: status 0x%x: %s", nth, status, output);
    }
    CHECK(nth > 4);
    return 0;
}
