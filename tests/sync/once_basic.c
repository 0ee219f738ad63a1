/* once_basic - Go's TestOnce: of many calls one calls the function; all others return when it has
 * returned, and see what it did. Goroutines and threads, over and over. */
#include <pthread.h>

#include <anthill.h>

#include "check.h"

enum { GOROUTINES = 10, THREADS = 2 };

static struct game {
    ant_once once;
    int calls, value; /* not atomic: the once orders them */
} * game;

static ant_waitgroup wg;

static void make_value(void *arg)
{
    struct game *g = arg;

    g->calls++;
    for (int i = 0; i < 3; i++)
        ant_yield();
    g->value = 42;
}

static void caller(void *arg)
{
    struct game *g = arg;

    ant_once_do(&g->once, make_value, g);
    CHECK_INT(g->value, 42);
    ant_once_do(&g->once, make_value, g);
    CHECK_INT(g->calls, 1);
    ant_waitgroup_done(&wg);
}

static void *thread(void *arg)
{
    caller(arg);
    return NULL;
}

static void play(bool with_threads)
{
    pthread_t threads[THREADS];

    game = calloc(1, sizeof *game);
    CHECK(game);
    ant_waitgroup_add(&wg, GOROUTINES + (with_threads ? THREADS : 0));
    for (int i = 0; with_threads && i < THREADS; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, thread, game), 0);
    for (int i = 0; i < GOROUTINES; i++)
        CHECK_INT(ant_go(caller, game), 0);
    ant_waitgroup_wait(&wg);
    for (int i = 0; with_threads && i < THREADS; i++)
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    CHECK_INT(game->calls, 1);
    free(game);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(5000); i++)
        play(i % 10 == 0);
    return 0;
}

TEST(once_basic)
{
    struct game alone = {.value = 0};

    ant_once_do(&alone.once, make_value, &alone); /* without a runtime */
    ant_once_do(&alone.once, make_value, &alone);
    CHECK_INT(alone.calls, 1);
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
