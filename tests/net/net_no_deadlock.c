/* A program all of whose goroutines wait is no deadlock if one of them waits for a descriptor: another
 * process connects, later. */
#include "net_help.h"

#define ADDRESS "ANT_TEST_ADDRESS" /* set: this is the process that connects, to there */

static int ready[2]; /* the port goes through this pipe */

static void connect_later(void)
{
    char address[ANT_ADDR_TEXT] = "";

    usleep(20000);
    CHECK(read(ready[0], address, sizeof address) > 0);
    usleep(20000);
    setenv(ADDRESS, address, 1);
    test_restart();
}

static int dial(void *arg)
{
    ant_io io;

    CHECK_INT(ant_dial(&io, "tcp", arg), 0);
    CHECK_INT(ant_write(io, "x", 1), 1);
    CHECK_INT(ant_close(io), 0);
    return 0;
}

static int run(void *arg)
{
    char address[ANT_ADDR_TEXT], c;
    ant_io listener = listen_tcp(address), io;

    CHECK_INT(write(ready[1], address, strlen(address) + 1), strlen(address) + 1);
    CHECK_INT(ant_accept(listener, &io), 0);
    CHECK_INT(ant_read(io, &c, 1), 1);
    CHECK_INT(ant_read(io, &c, 1), 0);
    CHECK_INT(ant_close(io), 0);
    CHECK_INT(ant_close(listener), 0);
    return 0;
}

TEST(net_no_deadlock)
{
    char *address = getenv(ADDRESS);
    pid_t child;
    int status;

    if (address)
        return ant_run(dial, address, NULL);
    CHECK_INT(pipe(ready), 0);
    child = fork();
    CHECK(child >= 0);
    if (child == 0)
        connect_later();
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    CHECK_INT(waitpid(child, &status, 0), child);
    CHECK_INT(status, 0);
    close(ready[0]);
    close(ready[1]);
    return 0;
}
