/* A file of 3 MB is sent to a socket, in parts and beyond its end; the offset moves on with it.
 *
 * Catches: an offset that does not, a sender that does not wait for room, a wrong count at the end. */
#include "net_help.h"

enum { SIZE = 3 << 20, PART = 1000 };

static unsigned char *sent, *got;
static ant_waitgroup wg;

static ant_io make_file(void)
{
    char name[64];
    ant_io file;

    snprintf(name, sizeof name, "/tmp/anthill-sendfile-%d", getpid());
    CHECK_INT(ant_open(&file, name, O_RDWR | O_CREAT | O_EXCL, 0600), 0);
    CHECK_INT(unlink(name), 0);
    CHECK_INT(ant_write(file, sent, SIZE), SIZE);
    return file;
}

static void send_file(void *arg)
{
    ant_io to = *(ant_io *)arg, file = make_file();
    off_t offset = 0;

    CHECK_INT(ant_sendfile(to, file, &offset, PART), PART);
    CHECK_INT(offset, PART);
    CHECK_INT(ant_sendfile(to, file, &offset, 2 * (size_t)SIZE), SIZE - PART);
    CHECK_INT(offset, SIZE);
    CHECK_INT(ant_sendfile(to, file, &offset, 1), 0);
    offset = SIZE + 10;
    CHECK_INT(ant_sendfile(to, file, &offset, 1), 0);
    CHECK_INT(ant_set_write_deadline(to, 1), 0);
    offset = 0;
    CHECK_INT(ant_sendfile(to, file, &offset, 1), ANT_ETIMEOUT);
    CHECK_INT(ant_close(file), 0);
    CHECK_INT(ant_close(to), 0);
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    ant_io ends[2];

    for (size_t i = 0; i < SIZE; i++)
        sent[i] = (unsigned char)(i * 3 + i / 253);
    for (int i = 0; i < 2; i++) {
        i ? unix_pair(ends) : tcp_pair(ends);
        memset(got, 0, SIZE);
        ant_waitgroup_add(&wg, 1);
        CHECK_INT(ant_go(send_file, &ends[0]), 0);
        CHECK_INT(ant_read_full(ends[1], got, SIZE), SIZE);
        CHECK(!memcmp(got, sent, SIZE));
        CHECK_INT(ant_read(ends[1], got, 1), 0);
        ant_waitgroup_wait(&wg);
        CHECK_INT(ant_close(ends[1]), 0);
    }
    return 0;
}

TEST(net_sendfile)
{
    sent = test_memory(SIZE);
    got = test_memory(SIZE);
    return run_and_check_leaks(run);
}
