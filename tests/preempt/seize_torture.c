/* Everything at once (seize_rings.h), with slices of 100 us so that Ps are taken all the time.
 *
 * Catches: two threads with one P (tokens or queues get lost; TSan tells), a P that nobody has, a
 * goroutine that is queued twice or never. */
#include "seize_rings.h"

TEST(seize_torture)
{
    ant__slice = 100 * ANT_MICROSECOND;
    CHECK_INT(ant_run(run_rings, NULL, NULL), 0);
    return 0;
}
