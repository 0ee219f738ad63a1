/* net_fair - more connections are ready than a P can serve, all the time: each gets its turn. What is
 * counted is how many messages each has exchanged when all together have exchanged a number of them.
 *
 * Catches: a P that looks for descriptors so often that those found earlier, for which its ring has no
 * room, wait in the global queue while others are served again and again. With one P, as between
 * threads the system has its own idea of whose turn it is. */
#include "net_help.h"
#include "one_p.h"

enum { CONNECTIONS = 450 }; /* with both ends below the usual limit of 1024 descriptors */

static ant_io ends[CONNECTIONS][2];
static _Atomic long total;
static long rounds[CONNECTIONS];
static long most;
static ant_waitgroup wg;

static void serve(void *arg)
{
    ant_io *end = arg;
    char byte;

    while (ant_read(*end, &byte, 1) == 1)
        CHECK_INT(ant_write(*end, &byte, 1), 1);
    ant_close(*end);
}

static void ask(void *arg)
{
    int i = (int)(intptr_t)arg;
    char byte = 'x';

    while (atomic_fetch_add(&total, 1) < most) {
        CHECK_INT(ant_write(ends[i][0], &byte, 1), 1);
        CHECK_INT(ant_read(ends[i][0], &byte, 1), 1);
        rounds[i]++;
    }
    ant_close(ends[i][0]);
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    int each = test_scale_least(300, 50);
    long least;

    most = (long)each * CONNECTIONS;
    for (int i = 0; i < CONNECTIONS; i++) {
        unix_pair(ends[i]);
        CHECK_INT(ant_go(serve, &ends[i][1]), 0);
    }
    ant_waitgroup_add(&wg, CONNECTIONS);
    for (int i = 0; i < CONNECTIONS; i++)
        CHECK_INT(ant_go(ask, (void *)(intptr_t)i), 0);
    ant_waitgroup_wait(&wg);
    least = rounds[0];
    for (int i = 1; i < CONNECTIONS; i++)
        least = rounds[i] < least ? rounds[i] : least;
    /* Where each takes long, those in the global queue have to wait longer. */
    CHECK(least >= each / (test_is_slow() ? 10 : 2));
    return 0;
}

TEST(net_fair)
{
    return run_with_procs_1(run);
}
