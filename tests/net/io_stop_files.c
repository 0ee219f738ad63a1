/* The runtime is stopped while more goroutines write to files than may at the same time: those in the
 * middle of it, and those that wait for their turn, are abandoned. In the next run all is as
 * if nothing had been.
 *
 * Catches: turns that are never given back, and waiters of a former run, in what is shared by all. */
#include "net_help.h"

enum { WRITERS = 400, SIZE = 1 << 20, CYCLES = 3 };

static const char buf[SIZE];
static ant_io file;
static _Atomic int begun;

static void write_on(void *arg)
{
    for (;;) {
        atomic_fetch_add(&begun, 1);
        CHECK_INT(ant_pwrite(file, buf, SIZE, 0), SIZE);
    }
}

static void open_file(void)
{
    char name[64];

    snprintf(name, sizeof name, "/tmp/anthill-stop-files-%d", getpid());
    CHECK_INT(ant_open(&file, name, O_RDWR | O_CREAT | O_EXCL, 0600), 0);
    CHECK_INT(unlink(name), 0);
    CHECK_INT(ant_pwrite(file, buf, SIZE, 0), SIZE);
}

TEST(io_stop_files)
{
    for (int i = 0; i < CYCLES; i++) {
        CHECK_INT(ant_start(&(ant_config){.stop_timeout = ANT_MINUTE}), 0);
        open_file();
        atomic_store(&begun, 0);
        for (int k = 0; k < WRITERS; k++)
            CHECK_INT(ant_go(write_on, NULL), 0);
        while (atomic_load(&begun) < WRITERS)
            usleep(1000);
        CHECK_INT(ant_stop(), 0);
    }
    CHECK_INT(ant_start(NULL), 0);
    open_file();
    CHECK_INT(ant_pwrite(file, buf, 1, 0), 1);
    CHECK_INT(ant_stop(), 0);
    return 0;
}
