/* A name server that does not answer keeps neither other goroutines nor files from getting on: many
 * more look-ups than may run at once wait, while files are read and goroutines run. The names are
 * answered by a getaddrinfo of our own, when it is told to.
 *
 * Catches: look-ups that take the turns of files, or all threads. (Then this hangs.) */
#include <errno.h>
#include <netdb.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { LOOKUPS = 300, FILES = 20 };

static _Atomic bool answer;
static _Atomic int asked, at_once, most;
static ant_waitgroup wg;

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                struct addrinfo **res)
{
    int now;

    if (hints->ai_flags & AI_NUMERICHOST)
        return EAI_NONAME;
    atomic_fetch_add(&asked, 1);
    now = atomic_fetch_add(&at_once, 1) + 1;
    for (int seen = atomic_load(&most); now > seen;)
        if (atomic_compare_exchange_weak(&most, &seen, now))
            break;
    while (!atomic_load(&answer))
        usleep(1000);
    atomic_fetch_sub(&at_once, 1);
    return EAI_NONAME;
}

static void look_up(void *arg)
{
    ant_addr addr;

    CHECK_INT(ant_resolve("tcp", "somewhere:80", &addr, 1), ANT_ENOTFOUND);
    ant_waitgroup_done(&wg);
}

static void read_file(void)
{
    char byte;
    ant_io io;

    CHECK_INT(ant_open(&io, "/proc/self/stat", O_RDONLY, 0), 0);
    CHECK_INT(ant_read(io, &byte, 1), 1);
    CHECK_INT(ant_close(io), 0);
}

static int run(void *arg)
{
    ant_ctx *ctx;
    ant_addr addr;
    ant_io io;

    ant_waitgroup_add(&wg, LOOKUPS);
    for (int i = 0; i < LOOKUPS; i++)
        CHECK_INT(ant_go(look_up, NULL), 0);
    while (atomic_load(&at_once) < 32)
        ant_sleep(ANT_MILLISECOND);
    for (int i = 0; i < FILES; i++)
        read_file();
    CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, ANT_MILLISECOND), 0);
    CHECK_INT(ant_resolve_ctx("tcp", "elsewhere:80", &addr, 1, ctx), ANT_ETIMEOUT);
    ant_ctx_unref(ctx);
    CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, ANT_MILLISECOND), 0);
    CHECK_INT(ant_listen_ctx(&io, "tcp", "elsewhere:80", NULL, ctx), ANT_ETIMEOUT);
    ant_ctx_unref(ctx);
    CHECK_INT(ant_resolve("tcp", "127.0.0.1:80", &addr, 0), -EINVAL);
    atomic_store(&answer, true);
    ant_waitgroup_wait(&wg);
    CHECK_INT(atomic_load(&asked), LOOKUPS);
    CHECK_INT(atomic_load(&most), 32);
    return 0;
}

TEST(net_slow_names)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
