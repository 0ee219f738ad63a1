/* go_timer_fairness2.c - the same as go_timer_fairness with goroutines that also make short system
 * calls.
 *
 * Catches: how far the scheduler looks between two readings of the clock grows while slices are
 * short and does not fall again. (Then this hangs, or nearly so.)
 */
#include <stdatomic.h>

#include <anthill.h>

#include "go_pair.h"

enum { PAIRS = 4 };

static void call(struct pair *pair)
{
    char byte = 0;
    int fd = open("/dev/null", O_WRONLY);

    CHECK(fd >= 0);
    CHECK_INT(write(fd, &byte, 1), 1);
    close(fd);
}

static int run(void *arg)
{
    static struct pair pairs[PAIRS];

    for (int i = 0; i < PAIRS; i++) {
        pairs[i].work = i % 2 ? call : NULL;
        pair_start(&pairs[i]);
    }
    for (int i = 0; i < 10; i++)
        ant_sleep(ANT_MILLISECOND);
    for (int i = 0; i < PAIRS; i++)
        pair_stop(&pairs[i]);
    return 0;
}

TEST(go_timer_fairness2)
{
    return ant_run(run, NULL, NULL);
}
