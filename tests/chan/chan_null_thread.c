/* chan_null_thread - a plain thread that receives from no channel, or sends to it, waits for ever. */
#include <pthread.h>

#include <anthill.h>

#include "check.h"

static _Atomic int begun, returned;

static void *use_null(void *send)
{
    begun++;
    if (send)
        ant_chan_send(NULL, send);
    else
        ant_chan_recv(NULL, NULL);
    returned++;
    return NULL;
}

/* A process of its own, which takes the two along when it ends. */
static void child(void)
{
    pthread_t threads[2];

    CHECK_INT(ant_start(NULL), 0);
    for (int i = 0; i < 2; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, use_null, i ? &begun : NULL), 0);
    while (begun < 2)
        usleep(1000);
    usleep(20000);
    CHECK_INT(ant_stop(), 0); /* which does not wait for them */
    usleep(20000);
    CHECK_INT(returned, 0);
    _exit(10);
}

TEST(chan_null_thread)
{
    char output[512];
    int status = test_child(child, output, sizeof output);

    if (!WIFEXITED(status) || WEXITSTATUS(status) != 10)
        FAIL("status 0x%x: %s", status, output);
    return 0;
}
