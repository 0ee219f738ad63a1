/* drain.c - a server that ends well. On SIGTERM or SIGINT it accepts nobody any more, lets the
 * connections that are there finish, for some seconds at most, and exits with 0.
 *
 *   drain [address]     listens there, on any free port of 127.0.0.1 if none is given
 *   drain demo          the same, talks to itself, and sends itself a SIGTERM
 *
 * Try: nc -N 127.0.0.1 port, and meanwhile: kill the server */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <anthill.h>

#define PATIENCE (10 * ANT_SECOND)

struct connection {
    ant_io io;
    ant_waitgroup *open;
};

static void serve(void *arg)
{
    struct connection *c = arg;
    char buf[4096];
    ssize_t n = 1;

    while (n > 0) {
        n = ant_read(c->io, buf, sizeof buf);
        if (n > 0)
            n = ant_write(c->io, buf, (size_t)n);
    }
    ant_close(c->io);
    ant_waitgroup_done(c->open);
}

static void accept_all(ant_io listener, ant_waitgroup *open, ant_ctx *ctx)
{
    struct connection c = {.open = open};
    int err;

    while ((err = ant_accept_ctx(listener, &c.io, ctx)) != ANT_ECANCELED) {
        if (err) { /* out of descriptors, say: those that are there go on */
            fprintf(stderr, "accept: %s\n", ant_strerror(err));
            ant_sleep_ctx(100 * ANT_MILLISECOND, ctx);
            continue;
        }
        ant_waitgroup_add(open, 1);
        if (ant_go_copy(serve, &c, sizeof c) != 0) {
            ant_close(c.io);
            ant_waitgroup_done(open);
        }
    }
}

static int finish(ant_waitgroup *open)
{
    ANT_TIMEOUT(patience, NULL, PATIENCE);

    return ant_waitgroup_wait_ctx(open, patience);
}

/* ---- the demo ---- */

static void say(ant_io io, const char *word)
{
    size_t length = strlen(word);
    char buf[16] = {0};

    if (ant_write(io, word, length) > 0 && ant_read_full(io, buf, length) > 0)
        printf("%s came back\n", buf);
}

static void talk(void *arg)
{
    ant_io io, late;

    if (ant_dial(&io, "tcp", arg) != 0)
        return;
    say(io, "one");
    raise(SIGTERM);
    while (ant_dial(&late, "tcp", arg) == 0) {
        ant_close(late);
        ant_sleep(ANT_MILLISECOND);
    }
    printf("nobody is accepted any more\n");
    say(io, "two");
    ant_close(io);
}

/* ---- the server ---- */

static int serve_until(ant_ctx *ctx, const char *address, bool demo)
{
    ant_waitgroup open = {0};
    char text[ANT_ADDR_TEXT];
    ant_addr addr;
    ant_io listener;
    int err = ant_listen(&listener, "tcp", address, NULL);

    if (err) {
        fprintf(stderr, "cannot listen at %s: %s\n", address, ant_strerror(err));
        return 1;
    }
    ant_local_addr(listener, &addr);
    ant_addr_text(&addr, text, sizeof text);
    if (demo)
        ant_go(talk, text);
    else
        printf("listening on %s\n", text);
    fflush(stdout);
    accept_all(listener, &open, ctx);
    printf("a signal came: finishing\n");
    fflush(stdout);
    ant_close(listener);
    err = finish(&open);
    printf(err ? "some did not finish in time\n" : "all connections have finished\n");
    return err ? 1 : 0;
}

static int run(void *arg)
{
    static const int ends[] = {SIGINT, SIGTERM};
    const char *address = *(const char **)arg;
    bool demo = address && strcmp(address, "demo") == 0;
    ant_ctx *ctx;
    int err = ant_ctx_with_signals(&ctx, NULL, ends, 2);

    if (err) {
        fprintf(stderr, "cannot catch signals: %s\n", ant_strerror(err));
        return 1;
    }
    err = serve_until(ctx, address && !demo ? address : "127.0.0.1:0", demo);
    ant_ctx_unref(ctx);
    return err;
}

int main(int argc, char **argv)
{
    return ant_run(run, &argv[argc > 1 ? 1 : argc], NULL) ? 1 : 0;
}
