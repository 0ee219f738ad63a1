/* A stop while a thread sends a file: it holds one descriptor and sleeps for another one.
 *
 * Catches: waiting for it to leave the first before it is woken from the second. (Then this hangs.) */
#include <pthread.h>
#include <sys/mman.h>

#include "net_help.h"

enum { SIZE = 64 << 20 };

static ant_io from, to[2];

static void *send_all(void *arg)
{
    off_t offset = 0;
    ssize_t n = ant_sendfile(to[0], from, &offset, SIZE); /* nobody reads */

    CHECK(n == ANT_ECLOSED || (n > 0 && n < SIZE));
    return NULL;
}

TEST(net_stop_sendfile)
{
    int file = memfd_create("file", MFD_CLOEXEC);
    pthread_t thread;

    CHECK_INT(ftruncate(file, SIZE), 0);
    CHECK_INT(ant_start(NULL), 0);
    CHECK_INT(ant_io_from_fd(&from, file), 0);
    unix_pair(to);
    CHECK_INT(pthread_create(&thread, NULL, send_all, NULL), 0);
    await_waiters(1);
    CHECK_INT(ant_stop(), 0);
    CHECK_INT(pthread_join(thread, NULL), 0);
    return 0;
}
