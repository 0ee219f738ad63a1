/* As seize_torture, on a kernel without membarrier: there every entry into the runtime makes a fence of
 * its own, in place of the one that sysmon would make for all threads.
 *
 * Catches: what takes that fence's claim for another one, and a P with two owners. An entry without
 * the fence does so too seldom to be seen here: it is the model that catches it (seize.pml,
 * FENCE_LATE). */
#include "refuse.h"
#include "seize_rings.h"

static int run(void *arg)
{
    CHECK_INT(atomic_load(&ant__m()->claim) & ANT__CLAIM_FENCE, ANT__CLAIM_FENCE);
    return run_rings(arg);
}

TEST(seize_no_membarrier)
{
    CHECK(refuse_call(SYS_membarrier, ENOSYS));
    ant__slice = 100 * ANT_MICROSECOND;
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
