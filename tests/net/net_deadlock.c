/* Goroutines that wait for one another are a deadlock though there is an open socket, if none waits
 * for it; also after some have waited, and were woken by data, a deadline, a context or the closing.
 *
 * Catches: waits for descriptors that are counted up and not down again. */
#include "go_deadlock.h"
#include "net_help.h"

static int idle_socket(void *arg)
{
    char address[ANT_ADDR_TEXT];

    listen_tcp(address);
    wait_for_ever();
    return 0;
}

static int after_waits(void *arg)
{
    struct reader readers[4];
    ant_io ends[2];
    ant_ctx *ctx;

    tcp_pair(ends);
    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    reader_start(&readers[0], ends[0], ctx);
    await_waiters(1);
    ant_ctx_cancel(ctx);
    CHECK_INT(reader_end(&readers[0]), ANT_ECANCELED);
    for (int i = 0; i < 4; i++)
        reader_start(&readers[i], ends[0], NULL);
    await_waiters(4);
    CHECK_INT(ant_write(ends[1], "x", 1), 1);
    await_waiters(3);
    CHECK_INT(ant_set_read_deadline(ends[0], ant_now() + ANT_MILLISECOND), 0);
    for (int i = 0; i < 4; i++)
        reader_end(&readers[i]);
    CHECK_INT(ant_set_read_deadline(ends[0], 0), 0);
    for (int i = 0; i < 4; i++)
        reader_start(&readers[i], ends[0], NULL);
    await_waiters(4);
    CHECK_INT(ant_close(ends[0]), 0);
    wait_for_ever();
    return 0;
}

TEST(net_deadlock)
{
    expect_deadlock(idle_socket, ALL_ASLEEP, "goroutine 1 [waitgroup wait", NULL);
    expect_deadlock(after_waits, ALL_ASLEEP, NULL);
    return 0;
}
