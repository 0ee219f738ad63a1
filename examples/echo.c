/* echo.c - a server: one goroutine for each connection, written as if there were no other.
 *
 *   echo [address]     listens there, on any free port of 127.0.0.1 if none is given
 *   echo demo          the same, and talks to itself
 *
 * Try: nc -N 127.0.0.1 port */
#include <stdio.h>
#include <string.h>

#include <anthill.h>

#define IDLE (60 * ANT_SECOND)

static void serve(void *arg)
{
    ant_io io = *(ant_io *)arg;
    char buf[4096];
    ssize_t n = 1;

    while (n > 0) {
        ant_set_deadline(io, ant_now() + IDLE); /* who says nothing for so long is dropped */
        n = ant_read(io, buf, sizeof buf);
        if (n > 0)
            n = ant_write(io, buf, (size_t)n);
    }
    ant_close(io);
}

static void accept_all(void *arg)
{
    ant_io listener = *(ant_io *)arg, io;
    int err;

    while ((err = ant_accept(listener, &io)) != ANT_ECLOSED) {
        if (err) { /* out of descriptors, say: those that are there go on */
            fprintf(stderr, "accept: %s\n", ant_strerror(err));
            ant_sleep(100 * ANT_MILLISECOND);
            continue;
        }
        ant_go_copy(serve, &io, sizeof io);
    }
}

static int talk(const char *address)
{
    static const char *const words[] = {"one", "two", "three"};
    char buf[16] = {0};
    ant_io io;
    int err = ant_dial(&io, "tcp", address);

    for (int i = 0; i < 3 && !err; i++) {
        size_t length = strlen(words[i]);

        if (ant_write(io, words[i], length) < 0 || ant_read_full(io, buf, length) < 0)
            return 1;
        printf("%.*s came back\n", (int)length, buf);
    }
    return err ? err : ant_close(io);
}

static int run(void *arg)
{
    const char *address = *(const char **)arg;
    bool demo = address && strcmp(address, "demo") == 0;
    char text[ANT_ADDR_TEXT];
    ant_addr addr;
    ant_io listener;
    int err = ant_listen(&listener, "tcp", address && !demo ? address : "127.0.0.1:0", NULL);

    if (err) {
        fprintf(stderr, "cannot listen at %s: %s\n", address, ant_strerror(err));
        return 1;
    }
    ant_local_addr(listener, &addr);
    ant_addr_text(&addr, text, sizeof text);
    if (demo) {
        ant_go(accept_all, &listener);
        return talk(text);
    }
    printf("listening on %s\n", text);
    fflush(stdout);
    accept_all(&listener);
    return 0;
}

int main(int argc, char **argv)
{
    return ant_run(run, &argv[argc > 1 ? 1 : argc], NULL) ? 1 : 0;
}
