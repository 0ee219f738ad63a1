/* Addresses that are none, names that nobody has, places where nobody listens: each its error, and
 * nothing is opened. Numbers need no resolver, and come back from text as they went in.
 *
 * Catches: a port beyond 65535 that is cut to another one; a wrong split at the colons. */
#include <netinet/in.h>

#include "net_help.h"

static void check_bad(const char *network, const char *address, int err)
{
    ant_addr addr;
    ant_io io;
    int n = ant_resolve(network, address, &addr, 1);

    if (n != err)
        FAIL("%s %s: %d, not %d", network, address, n, err);
    CHECK_INT(ant_dial(&io, network, address), err);
    CHECK_INT(ant_listen(&io, network, address, NULL), err);
}

static void check_syntax(void)
{
    const char *no_host_and_port[] = {"host",      "::1:80", ":",       "[::1]",   "a:b:c", "",
                                      "[::1]x:80", "[::1",   "1.2.3.4", "[::1]80", "x:",    "[]"};
    const char *no_port[] = {"localhost:99999", "127.0.0.1:65536", "127.0.0.1:-1",
                             "127.0.0.1:4294967376", "127.0.0.1:no-such-service"};

    for (size_t i = 0; i < sizeof no_host_and_port / sizeof *no_host_and_port; i++)
        check_bad("tcp", no_host_and_port[i], -EINVAL);
    for (size_t i = 0; i < sizeof no_port / sizeof *no_port; i++)
        check_bad("tcp", no_port[i], ANT_ENOTFOUND);
    check_bad("tpc", "127.0.0.1:80", -EAFNOSUPPORT);
    check_bad("", "127.0.0.1:80", -EAFNOSUPPORT);
    check_bad("tcp4", "[::1]:80", ANT_ENOTFOUND);
    check_bad("tcp6", "127.0.0.1:80", ANT_ENOTFOUND);
    check_bad("unix", "", -EINVAL);
}

/* A name has up to 255 characters. */
static void check_long_host(void)
{
    char address[2000];

    memset(address, 'x', sizeof address);
    strcpy(address + sizeof address - 4, ":80");
    check_bad("tcp", address, -EINVAL);
}

static void check_unknown(void)
{
    ant_addr addr;
    int err = ant_resolve("tcp", "no-such-host.invalid:80", &addr, 1);

    if (err != ANT_ENOTFOUND && err != -EAGAIN)
        FAIL("an unknown host: %s", ant_err_name(err));
}

static void check_text(const char *network, const char *address)
{
    char text[ANT_ADDR_TEXT], small[4];
    ant_addr addrs[3];

    CHECK_INT(ant_resolve(network, address, addrs, 3), 1);
    CHECK_INT(ant_addr_text(&addrs[0], text, sizeof text), strlen(address));
    CHECK_STR(text, address);
    CHECK_INT(ant_addr_text(&addrs[0], small, sizeof small), -ENOSPC);
}

static void check_nobody_there(void)
{
    char path[100], long_path[200];
    ant_io io;

    snprintf(path, sizeof path, "/tmp/anthill-none-%d", getpid());
    CHECK_INT(ant_dial(&io, "unix", path), -ENOENT);
    CHECK_INT(ant_dial(&io, "unixgram", path), -ENOENT);
    snprintf(path, sizeof path, "/tmp/anthill-none-%d/socket", getpid());
    CHECK_INT(ant_listen(&io, "unix", path, NULL), -ENOENT);
    snprintf(path, sizeof path, "@anthill-none-%d", getpid());
    CHECK_INT(ant_dial(&io, "unix", path), -ECONNREFUSED);
    memset(long_path, 'x', sizeof long_path);
    long_path[sizeof long_path - 1] = '\0';
    CHECK_INT(ant_dial(&io, "unix", long_path), -ENAMETOOLONG);
    CHECK_INT(ant_listen(&io, "unix", long_path, NULL), -ENAMETOOLONG);
}

/* A port that is taken, but by one that does not listen. */
static void check_refused(void)
{
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof in;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    char address[32];
    ant_io io;

    CHECK_INT(bind(fd, (struct sockaddr *)&in, sizeof in), 0);
    CHECK_INT(getsockname(fd, (struct sockaddr *)&in, &size), 0);
    snprintf(address, sizeof address, "127.0.0.1:%d", ntohs(in.sin_port));
    CHECK_INT(ant_dial(&io, "tcp", address), -ECONNREFUSED);
    CHECK_INT(ant_listen(&io, "tcp", address, NULL), -EADDRINUSE);
    close(fd);
}

static int run(void *arg)
{
    check_syntax();
    check_long_host();
    check_unknown();
    check_text("tcp", "127.0.0.1:80");
    check_text("udp", "10.1.2.3:65535");
    check_text("tcp6", "[::1]:1");
    check_text("tcp6", "[fe80::1%1]:80"); /* by way of the first interface */
    check_text("unix", "/a/path");
    check_text("unixgram", "@a name");
    check_nobody_there();
    check_refused();
    return 0;
}

TEST(net_bad_address)
{
    return run_and_check_leaks(run);
}
