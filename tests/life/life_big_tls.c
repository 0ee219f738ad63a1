/* life_big_tls - a program with very many bytes of thread-locals: the library's threads have as much stack as
 * in any other.
 *
 * Catches: threads whose stack is so small that the thread-locals, which libc puts there too, leave
 * nothing or next to nothing of it. */
#include <anthill.h>

#include "check.h"

enum { BIG = 700 << 10, GOROUTINES = 20 };

static __thread char big[BIG];

static void use(void *arg)
{
    char on_stack[8192];

    memset(on_stack, 1, sizeof on_stack);
    big[(uintptr_t)on_stack % BIG] = on_stack[17];
    usleep(1000); /* unannounced: other threads take over */
    ant_waitgroup_done(arg);
}

static int run(void *arg)
{
    ant_waitgroup wg = {0};

    ant_waitgroup_add(&wg, GOROUTINES);
    for (int i = 0; i < GOROUTINES; i++)
        CHECK_INT(ant_go(use, &wg), 0);
    ant_waitgroup_wait(&wg);
    return 0;
}

TEST(life_big_tls)
{
    return ant_run(run, NULL, NULL);
}
