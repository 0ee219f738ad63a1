/* fail_dial - the n-th thing that is asked of the system is refused while a name with two addresses is
 * dialed, of which the first one refuses, for every n until none is: each time there is a connection,
 * or an error that is told.
 *
 * Catches: success that is told without a connection, an attempt that goes on with what is gone. */
#include "base/sys.h"
#include "two_places.h"

static int dial(void)
{
    ant_io io;
    int err = ant_dial(&io, "tcp", "somewhere:1");

    if (!err)
        CHECK_INT(ant_close(io), 0);
    else if (err != -ENOMEM && err != -EMFILE && err != -ENOSPC && err != -ECONNREFUSED)
        FAIL("an undocumented error: %s", ant_err_name(err));
    return err;
}

static int run(void *arg)
{
    int refusing = open_place(0, false), listening = open_place(1, true), told = 0;
    bool refused = true;

    CHECK_INT(dial(), 0);
    for (int n = 1; refused; n++) {
        ant__fail_times = 1;
        ant__fail_after = n;
        told += dial() != 0;
        refused = ant__fail_times == 0; /* there were so many requests */
        ant__fail_times = 0;
        ant__fail_after = 0;
    }
    CHECK(told >= 3); /* the context, the channel, an attempt; what else is up to the clock */
    CHECK_INT(dial(), 0);
    CHECK_INT(close(refusing), 0);
    CHECK_INT(close(listening), 0);
    return 0;
}

TEST(fail_dial)
{
    CHECK_INT(setenv("ANTHILL", "procs=1", 1), 0); /* so that nobody else asks */
    return run_and_check_leaks(run);
}
