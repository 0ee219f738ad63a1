/* chan_misuse - bad sizes, sending on a closed channel, closing one twice or none, destroying one
 * on which somebody waits, a NULL channel where nothing waits. */
#include <errno.h>
#include <stdint.h>

#include <anthill.h>

#include "check.h"

static ant_waitgroup woken;

static void send_one(void *c)
{
    ant_chan_send(c, &(int){1});
}

static void close_it(void *c)
{
    ant_chan_close(c);
}

static void panics_with(void (*fn)(void *), void *arg, const char *message)
{
    ant_panic_info info;

    CHECK_INT(ant_try(fn, arg, &info), ANT_EPANIC);
    CHECK_STR(info.message, message);
}

static void waiting_sender(void *c)
{
    panics_with(send_one, c, "ant_chan_send: the channel is closed");
    ant_waitgroup_done(&woken);
}

static int run(void *arg)
{
    ant_chan *c;

    CHECK_INT(ant_chan_new(NULL, 1, 1), -EINVAL);
    CHECK_INT(ant_chan_new(&c, SIZE_MAX, 2), -EINVAL);
    CHECK_INT(ant_chan_new(&c, 1, SIZE_MAX), -EINVAL);
    CHECK_INT(ant_chan_new(&c, 0, SIZE_MAX), -EINVAL);
    CHECK_INT(ant_chan_new(&c, sizeof(int), 0), 0);
    ant_waitgroup_add(&woken, 3);
    for (int i = 0; i < 3; i++)
        CHECK_INT(ant_go(waiting_sender, c), 0);
    ant_yield();
    CHECK_INT(ant_chan_destroy(c), -EBUSY);
    ant_chan_close(c);
    ant_waitgroup_wait(&woken);
    panics_with(send_one, c, "ant_chan_send: the channel is closed");
    panics_with(close_it, c, "ant_chan_close: the channel is closed already");
    panics_with(close_it, NULL, "ant_chan_close: the channel is NULL");
    CHECK_INT(ant_chan_destroy(c), 0);
    CHECK_INT(ant_chan_destroy(NULL), 0);
    CHECK_INT(ant_chan_try_send(NULL, &(int){1}), -EAGAIN);
    CHECK_INT(ant_chan_try_recv(NULL, NULL), -EAGAIN);
    CHECK_INT(ant_chan_len(NULL) + ant_chan_cap(NULL), 0);
    return 0;
}

TEST(chan_misuse)
{
    CHECK_INT(unsetenv("ANTHILL"), 0);
    return ant_run(run, NULL, &(ant_config){.procs = 1}); /* so that a yield lets all others wait */
}
