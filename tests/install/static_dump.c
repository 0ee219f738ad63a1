/* static_dump - a program that is linked with nothing shared: goroutines, a pool, a dump with stacks. Exits
 * with 1 if something is wrong. With an argument it expects a dump without stacks: without the tables by
 * which a stack is walked. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <anthill.h>

enum { TASKS = 1000 };

static ant_waitgroup wg;
static char text[65536];

static void task(void *arg)
{
    ant_yield();
    ant_waitgroup_done(&wg);
}

static int dump(void)
{
    FILE *file = tmpfile();
    int err = file ? ant_dump(fileno(file)) : -1;

    if (!err) {
        rewind(file);
        fread(text, 1, sizeof text - 1, file);
        fclose(file);
    }
    return err;
}

static int run(void *no_tables)
{
    ant_pool *pool;

    if (ant_pool_new(&pool, 10, NULL) != 0)
        return 1;
    ant_waitgroup_add(&wg, TASKS);
    for (int i = 0; i < TASKS; i++) {
        if (ant_pool_submit(pool, task, NULL) != 0)
            return 1;
    }
    ant_waitgroup_wait(&wg);
    if (ant_pool_destroy(pool) != 0 || dump() != 0)
        return 1;
    printf("%s", text);
    if (!strstr(text, "goroutine 1 [running]: main\n"))
        return 1;
    return !strstr(text, "\n    run+0x") != (no_tables != NULL);
}

int main(int argc, char **argv)
{
    return ant_run(run, argc > 1 ? argv[1] : NULL, NULL);
}
