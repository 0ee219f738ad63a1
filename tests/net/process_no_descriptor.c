/* process_no_descriptor - a program is to be started while there are too few descriptors, whichever one
 * it is that is missing: -EMFILE, and nothing is open that was not. */
#include "net_help.h"

/* Our own 1 and 2 are exchanged, for which duplicates are needed. */
static int spawn(ant_process *ret_child, ant_io *ret_out)
{
    return ant_spawn(ret_child, (const char *[]){"true", NULL},
                     &(ant_spawn_options){.in = ANT_SPAWN_NULL, .ret_out = ret_out, .err = 1});
}

static int lowest_free(void)
{
    int fd = dup(STDERR_FILENO);

    CHECK(fd > 0);
    close(fd);
    return fd;
}

static int spawn_with(rlim_t limit, const struct rlimit *before)
{
    int err, open = test__count_entries("/proc/self/fd");
    ant_process child;
    ant_io out;

    CHECK_INT(setrlimit(RLIMIT_NOFILE, &(struct rlimit){limit, before->rlim_max}), 0);
    err = spawn(&child, &out);
    CHECK_INT(setrlimit(RLIMIT_NOFILE, before), 0);
    if (!err) {
        CHECK_INT(ant_process_wait(child, NULL), 0);
        CHECK_INT(ant_close(out), 0);
    }
    CHECK_INT(test__count_entries("/proc/self/fd"), open);
    return err;
}

static int run(void *arg)
{
    struct rlimit before;
    ant_process child;
    int refused = 0, err;
    ant_io out;

    CHECK_INT(spawn(&child, &out), 0); /* opens the poller, which stays */
    CHECK_INT(ant_process_wait(child, NULL), 0);
    CHECK_INT(ant_close(out), 0);
    CHECK_INT(getrlimit(RLIMIT_NOFILE, &before), 0);
    while ((err = spawn_with((rlim_t)(lowest_free() + refused), &before)) != 0) {
        CHECK_INT(err, -EMFILE);
        refused++;
    }
    CHECK(refused >= 4); /* /dev/null, a pipe's two ends, a duplicate */
    return 0;
}

TEST(process_no_descriptor)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
