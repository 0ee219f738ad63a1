/* api_dump_pool - dumps while goroutines of a pool begin: each has its pool's name, or none yet.
 *
 * Catches: a name that is stored while a dump reads it. (TSan sees it.) */
#include "dump_text.h"

enum { ROUNDS = 200, TASKS = 8 };

static ant_pool *pool;
static _Atomic bool over;

static void nap(void *arg)
{
    ant_sleep(50 * ANT_MICROSECOND);
}

static void submit(void *arg)
{
    for (int i = 0, n = test_scale_least(ROUNDS, 50); i < n; i++) {
        for (int k = 0; k < TASKS; k++)
            CHECK_INT(ant_pool_submit(pool, nap, NULL), 0);
        CHECK_INT(ant_pool_wait(pool), 0);
    }
    over = true;
}

/* " name", or " 5 name, 6 name, ..." */
static void check_names(char *names)
{
    char line[256];

    snprintf(line, sizeof line, "%.*s", (int)strcspn(names, "\n"), names);
    for (char *name = strtok(line, " ,0123456789"); name; name = strtok(NULL, " ,0123456789")) {
        if (strcmp(name, "main") && strcmp(name, "submitter") && strcmp(name, "nappers") &&
            strcmp(name, "..."))
            FAIL("who is \"%s\"?", name);
    }
}

static int run(void *arg)
{
    CHECK_INT(ant_pool_new(&pool, TASKS, &(ant_pool_options){.name = "nappers"}), 0);
    CHECK_INT(ant_go_opts(&(ant_go_options){.name = "submitter"}, submit, NULL), 0);
    while (!over) {
        take_dump();
        for (char *at = text; (at = strstr(at, "]:")); at++)
            check_names(at + 2);
        ant_yield();
    }
    CHECK_INT(ant_pool_destroy(pool), 0);
    return 0;
}

TEST(api_dump_pool)
{
    return ant_run(run, NULL, NULL);
}
