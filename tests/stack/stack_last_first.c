/* stack_last_first - the stack that was in use last is the next one to be used: it is still in the
 * cache, and those below may be given back. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { DEPTH = 4, NEAR = 16 << 10 /* far less than a stack */ };

struct guest {
    char *_Atomic at; /* somewhere on its stack */
    ant_waitgroup gate, ended;
};

static struct guest guests[2 * DEPTH];

static void stay(void *arg)
{
    struct guest *guest = arg;

    atomic_store(&guest->at, __builtin_frame_address(0));
    ant_waitgroup_wait(&guest->gate);
    ant_waitgroup_done(&guest->ended);
}

static void come(struct guest *guest)
{
    ant_waitgroup_add(&guest->gate, 1);
    ant_waitgroup_add(&guest->ended, 1);
    CHECK_INT(ant_go(stay, guest), 0);
    while (!atomic_load(&guest->at))
        ant_yield();
}

/* Returns when its stack is free too. */
static void go(struct guest *guest)
{
    int before = ant_count();

    ant_waitgroup_done(&guest->gate);
    ant_waitgroup_wait(&guest->ended);
    while (ant_count() == before)
        ant_yield();
}

static int run(void *arg)
{
    for (int i = 0; i < DEPTH; i++)
        come(&guests[i]);
    for (int i = 0; i < DEPTH; i++)
        go(&guests[i]);
    for (int i = 0; i < DEPTH; i++) {
        char *last = atomic_load(&guests[DEPTH - 1 - i].at);
        char *now;

        come(&guests[DEPTH + i]);
        now = atomic_load(&guests[DEPTH + i].at);
        CHECK(now > last - NEAR && now < last + NEAR);
    }
    for (int i = DEPTH; i < 2 * DEPTH; i++)
        go(&guests[i]);
    return 0;
}

TEST(stack_last_first)
{
    CHECK_INT(unsetenv("ANTHILL"), 0);
    return ant_run(run, NULL, &(ant_config){.procs = 1});
}
