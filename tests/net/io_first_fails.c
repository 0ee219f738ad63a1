/* The very first descriptor cannot be had: no descriptor is free for the poller, or the system
 * refuses to wait for this one. After that all works, for threads too while no goroutine runs.
 *
 * Catches: a poller that is half open; one that is open while all threads of the runtime sleep as if
 * it were not, so that nobody looks. */
#include "net_help.h"

static int held[1024], n;

static void use_up(int but)
{
    for (n = 0; n < 1024 && (held[n] = dup(STDERR_FILENO)) >= 0; n++)
        continue;
    while (but-- > 0)
        close(held[--n]);
}

static void give_back(void)
{
    while (n > 0)
        close(held[--n]);
}

static void *write_one(void *arg)
{
    await_waiters(1);
    CHECK_INT(ant_write(*(ant_io *)arg, "x", 1), 1);
    return NULL;
}

static void check_works(void)
{
    pthread_t other;
    ant_io ends[2];
    char c;

    CHECK_INT(ant_pipe(ends), 0);
    CHECK_INT(pthread_create(&other, NULL, write_one, &ends[1]), 0);
    CHECK_INT(ant_read(ends[0], &c, 1), 1);
    pthread_join(other, NULL);
    close_pair(ends);
}

/* Long enough for all Ms to fall asleep; if one has not, the test checks less. */
static void let_sleep(void)
{
    usleep(20000);
}

static void check_emfile(int but)
{
    ant_io ends[2];

    CHECK_INT(ant_start(NULL), 0);
    let_sleep();
    use_up(but);
    CHECK_INT(ant_pipe(ends), -EMFILE);
    give_back();
    check_works();
    CHECK_INT(ant_stop(), 0);
}

static void check_refused(void)
{
    ant_io null;

    CHECK_INT(ant_start(NULL), 0);
    let_sleep();
    CHECK_INT(ant_open(&null, "/dev/null", O_RDWR, 0), 0);
    let_sleep();
    check_works();
    CHECK_INT(ant_close(null), 0);
    CHECK_INT(ant_stop(), 0);
}

static void check_all(void)
{
    for (int but = 0; but < 4; but++) /* two for the pipe, two for the poller */
        check_emfile(but);
    check_refused();
}

TEST(io_first_fails)
{
    struct test_resources before;

    CHECK_INT(setrlimit(RLIMIT_NOFILE, &(struct rlimit){256, 256}), 0);
    check_all();
    before = test_resources_now();
    check_all();
    test_resources_check(&before, 20);
    return 0;
}
