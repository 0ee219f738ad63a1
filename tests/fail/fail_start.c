/* fail_start - the n-th thing that starting asks of the system is refused, for every n until none
 * is: ant_start returns an error, or goes on without; all is released, and the next start works.
 * Also with all from the n-th on refused. */
#include <errno.h>
#include <limits.h>

#include <anthill.h>

#include "base/sys.h"
#include "check.h"

static const ant_config config = {
    .procs = 4, .dump_on_quit = true, .fault_panics = true, .schedtrace = 3600000};

/* How a start fares whose n-th request and the following ones are refused; ret_reached: the n-th
 * was made at all. */
static int start_with_failure(long n, long times, bool *ret_reached)
{
    int err;

    ant__fail_times = times;
    ant__fail_after = n;
    err = ant_start(&config);
    *ret_reached = ant__fail_after == 0 || ant__fail_times < times;
    if (!err)
        CHECK_INT(ant_stop(), 0); /* also under failure */
    ant__fail_after = 0;
    return err;
}

static int try_all(long times)
{
    int failed = 0;
    bool reached = true;

    for (long n = 1; reached; n++) {
        int err = start_with_failure(n, times, &reached);

        if (err != 0 && err != -ENOMEM && err != -EAGAIN)
            FAIL("failure %ld: %s", n, ant_err_name(err));
        failed += err != 0;
        CHECK_INT(ant_procs(), 0);
        CHECK_INT(ant_start(&config), 0);
        CHECK_INT(ant_procs(), 4);
        CHECK_INT(ant_stop(), 0);
        if (n > 1000)
            FAIL("does it never end?");
    }
    return failed;
}

TEST(fail_start)
{
    struct test_resources before;

    test_one_arena();
    CHECK_INT(unsetenv("ANTHILL"), 0);
    CHECK(try_all(1) >= 4); /* the Ps at least */
    before = test_resources_now();
    for (int i = 0; i < test_scale(20); i++) {
        CHECK(try_all(1) >= 4);
        CHECK(try_all(LONG_MAX) >= 4);
    }
    test_resources_check(&before, 20);
    return 0;
}
