/* chan_null - sending to and receiving from no channel wait for ever, and a report of a deadlock
 * says so. */
#include <anthill.h>

#include "check.h"

static bool send;

static int use_null(void *arg)
{
    if (send)
        ant_chan_send(NULL, &send);
    else
        ant_chan_recv(NULL, NULL);
    return 0;
}

static void child(void)
{
    ant_run(use_null, NULL, NULL);
}

TEST(chan_null)
{
    char output[8192];

    for (int i = 0; i < 2; i++) {
        int status;

        send = i;
        status = test_child(child, output, sizeof output);
        CHECK(WIFEXITED(status));
        CHECK_INT(WEXITSTATUS(status), 2);
        CHECK_HAS(output, send ? "goroutine 1 [chan send (NULL channel)"
                               : "goroutine 1 [chan receive (NULL channel)");
    }
    return 0;
}
