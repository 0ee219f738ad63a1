/* sanitized.c - what a user builds with a sanitizer: a program without an error, of which nothing is reported,
 * and with one, which is.
 *
 *     sanitized clean | use-after-free | race */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <anthill.h>

enum { GOROUTINES = 1000 };

static ant_waitgroup done;
static ant_chan *chan;
static int counter;

static __attribute__((noinline)) int recurse(int depth)
{
    volatile char bytes[200];

    memset((char *)bytes, depth, sizeof bytes);
    if (depth == 0)
        ant_yield();
    return depth == 0 ? bytes[7] : recurse(depth - 1) + bytes[depth];
}

static void panics(void *arg)
{
    recurse(10);
    ant_panic("%s", (const char *)arg);
}

static void clean(void *arg)
{
    int value = recurse(20);

    ant_chan_send(chan, &value);
    ant_try(panics, "as planned", NULL);
    ant_waitgroup_done(&done);
    (void)arg;
}

static void receive(void *arg)
{
    int value;

    (void)arg;
    for (int i = 0; i < GOROUTINES; i++) {
        ant_chan_recv(chan, &value);
        counter += value != 0;
    }
    ant_waitgroup_done(&done);
}

static void use_after_free(void *arg)
{
    char *memory = malloc(10);

    (void)arg;
    free(memory);
    ant_yield();
    counter = *(volatile char *)memory;
    ant_waitgroup_done(&done);
}

static void race(void *arg)
{
    (void)arg;
    for (int i = 0; i < 1000000; i++)
        ++*(volatile int *)&counter;
    ant_waitgroup_done(&done);
}

static void start(void (*fn)(void *), int n)
{
    ant_waitgroup_add(&done, n);
    for (int i = 0; i < n; i++)
        ant_go(fn, NULL);
}

static int run(void *arg)
{
    ant_chan_new(&chan, sizeof(int), 0);
    if (strcmp(arg, "clean") == 0) {
        start(receive, 1);
        start(clean, GOROUTINES);
    } else if (strcmp(arg, "use-after-free") == 0) {
        start(use_after_free, 1);
    } else {
        start(race, 8);
    }
    ant_waitgroup_wait(&done);
    ant_chan_destroy(chan);
    puts("done");
    return 0;
}

int main(int argc, char **argv)
{
    return argc == 2 ? ant_run(run, argv[1], &(ant_config){.procs = 2}) : 2;
}
