/* lazy - a program that is linked to bind functions at their first call, which takes 3 KB of stack: in
 * goroutines with stacks of all sizes, nothing was called before.
 *
 * Catches: a call of ours through the dynamic linker on a goroutine's stack. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <anthill.h>

static ant_waitgroup wg;
static char text[128], bytes[64];
static int failed;

static void expect(int line, int is)
{
    if (!is)
        failed = line;
}

#define EXPECT(cond) expect(__LINE__, cond)

static void use_files(void *arg)
{
    ant_io io;

    EXPECT(ant_open(&io, "/dev/zero", O_RDONLY, 0) == 0);
    EXPECT(ant_read(io, bytes, sizeof bytes) == sizeof bytes);
    EXPECT(ant_close(io) == 0);
    ant_waitgroup_done(&wg);
}

static void serve(void *arg)
{
    ant_io accepted;

    EXPECT(ant_accept(*(ant_io *)arg, &accepted) == 0);
    EXPECT(ant_write(accepted, "hello", 5) == 5);
    ant_close(accepted);
    ant_waitgroup_done(&wg);
}

static void use_sockets(void *arg)
{
    static ant_io listener;
    static ant_addr address;
    ant_io io;

    EXPECT(ant_listen(&listener, "tcp", "127.0.0.1:0", NULL) == 0);
    EXPECT(ant_local_addr(listener, &address) == 0);
    EXPECT(ant_addr_text(&address, text, sizeof text) > 0);
    ant_waitgroup_add(&wg, 1);
    EXPECT(ant_go_opts(&(ant_go_options){.stack_size = (size_t)(intptr_t)arg}, serve, &listener) ==
           0);
    EXPECT(ant_dial(&io, "tcp", text) == 0);
    EXPECT(ant_read(io, bytes, sizeof bytes) == 5);
    ant_close(io);
    ant_close(listener);
    ant_waitgroup_done(&wg);
}

static void panic(void *arg)
{
    ant_panic("%s", "no luck");
}

static void use_panics(void *arg)
{
    static ant_panic_info info;

    EXPECT(ant_try(panic, NULL, &info) == ANT_EPANIC);
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    static void (*const uses[])(void *) = {use_files, use_sockets, use_panics};
    size_t size = (size_t)(intptr_t)arg;

    for (int i = 0; i < 3; i++) {
        ant_waitgroup_add(&wg, 1);
        EXPECT(ant_go_opts(&(ant_go_options){.stack_size = size}, uses[i],
                           (void *)(intptr_t)size) == 0);
        ant_waitgroup_wait(&wg);
    }
    return failed;
}

int main(int argc, char **argv)
{
    int line = ant_run(run, (void *)(intptr_t)atoi(argv[1]), NULL);

    if (line)
        printf("line %d failed with stacks of %s bytes\n", line, argv[1]);
    return line != 0;
}
