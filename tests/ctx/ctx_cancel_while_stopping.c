/* ctx_cancel_while_stopping - a goroutine cancels a long line of contexts while the runtime stops:
 * all of them are done, or none; and where one has an error its channel is closed. */
#include <errno.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { LINE = 200 };

static ant_ctx *line[LINE];
static atomic_bool begun;

static void cancel(void *arg)
{
    atomic_store(&begun, true);
    ant_ctx_cancel(line[0]);
}

static void check_line(void)
{
    int done = 0;

    for (int i = 0; i < LINE; i++) {
        int err = ant_ctx_err(line[i]);

        CHECK_INT(ant_chan_try_recv(ant_ctx_done(line[i]), NULL), err ? ANT_ECLOSED : -EAGAIN);
        done += err != 0;
    }
    CHECK(done == 0 || done == LINE);
}

TEST(ctx_cancel_while_stopping)
{
    int rounds = test_scale(400);

    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < LINE; i++)
            CHECK_INT(ant_ctx_with_cancel(&line[i], i > 0 ? line[i - 1] : NULL), 0);
        atomic_store(&begun, false);
        CHECK_INT(ant_start(NULL), 0);
        CHECK_INT(ant_go(cancel, NULL), 0);
        while (!atomic_load(&begun))
            continue;
        for (volatile int i = round * 37 % 3000; i > 0; i--)
            continue;
        CHECK_INT(ant_stop(), 0);
        check_line();
        ant_ctx_cancel(line[0]);
        CHECK_INT(ant_ctx_err(line[LINE - 1]), ANT_ECANCELED);
        for (int i = 0; i < LINE; i++)
            ant_ctx_unref(line[i]);
    }
    return 0;
}
