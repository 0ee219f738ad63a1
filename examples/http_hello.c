/* http_hello.c - the smallest server that a browser talks to: it reads a request's head and says
 * hello, as often as the connection lasts.
 *
 *   http_hello [address]     listens there, on any free port of 127.0.0.1 if none is given
 *   http_hello demo          the same, and asks itself
 *
 * Try: curl http://127.0.0.1:port/ */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include <anthill.h>

static const char answer[] =
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 6\r\n\r\n"
    "hello\n";

/* Reads up to the empty line that ends a head; false: the connection did. */
static bool read_head(ant_io io, char *buf, size_t size)
{
    size_t have = 0;

    while (have < size) {
        ssize_t n = ant_read(io, buf + have, size - have);

        if (n <= 0)
            return false;
        have += (size_t)n;
        if (memmem(buf, have, "\r\n\r\n", 4))
            return true;
    }
    return false; /* too long */
}

static void serve(void *arg)
{
    ant_io io = *(ant_io *)arg;
    char buf[8192];

    ant_set_deadline(io, ant_now() + 10 * ANT_SECOND);
    while (read_head(io, buf, sizeof buf)) {
        if (ant_write(io, answer, sizeof answer - 1) < 0)
            break;
        ant_set_deadline(io, ant_now() + 10 * ANT_SECOND);
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

static int ask(const char *address)
{
    static const char request[] = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    char buf[sizeof answer] = {0};
    ant_io io;

    if (ant_dial(&io, "tcp", address) || ant_write(io, request, sizeof request - 1) < 0 ||
        ant_read_full(io, buf, sizeof answer - 1) < 0)
        return 1;
    printf("%.15s\n%s", buf, strstr(buf, "\r\n\r\n") + 4);
    return ant_close(io);
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
        return ask(text);
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
