/* hello.c - three goroutines and one that waits for them. */
#include <stdio.h>

#include <anthill.h>

enum { ANTS = 3 };

struct greeting {
    const char *name;
    char *text;
    ant_waitgroup *all;
};

static void greet(void *arg)
{
    struct greeting *g = arg; /* a copy that came along with the goroutine */

    ant_sleep(10 * ANT_MILLISECOND);
    sprintf(g->text, "hello from the %s", g->name);
    ant_waitgroup_done(g->all);
}

static int run(void *arg)
{
    const char *names[ANTS] = {"queen", "worker", "scout"};
    char texts[ANTS][32];
    ant_waitgroup all = {0};

    ant_waitgroup_add(&all, ANTS);
    for (int i = 0; i < ANTS; i++) {
        struct greeting g = {.name = names[i], .text = texts[i], .all = &all};

        ant_go_copy(greet, &g, sizeof g);
    }
    ant_waitgroup_wait(&all);
    for (int i = 0; i < ANTS; i++)
        puts(texts[i]);
    return 0;
}

int main(void)
{
    return ant_run(run, NULL, NULL) ? 1 : 0;
}
