/* select_default_race - if at each moment at least one of two channels can be received from, a
 * select with a default never takes the default, as Go's NonblockSelectRace (the second channel
 * gets an element before the first one loses its own) and NonblockSelectRace2 (the second one is
 * closed before). The one who selects is a goroutine or a plain thread. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

struct pair {
    ant_chan *first, *second;
};

static ant_chan *turns, *results;

static void selector(void *arg)
{
    struct pair p;
    int v;

    while (ant_chan_recv(turns, &p)) {
        ant_case cases[] = {ANT_RECV(p.first, &v), ANT_RECV(p.second, &v), ANT_DEFAULT};
        int chosen = ant_select(cases, 3);

        if (chosen != 0 && chosen != 1)
            FAIL("the select took %d", chosen);
        ant_chan_send(results, &chosen);
    }
    ant_chan_close(results);
}

static void *selector_in_thread(void *arg)
{
    selector(arg);
    return NULL;
}

static void one_round(bool close)
{
    struct pair p;
    int v = 1;

    CHECK_INT(ant_chan_new(&p.first, sizeof v, 1), 0);
    CHECK_INT(ant_chan_new(&p.second, sizeof v, 1), 0);
    ant_chan_send(p.first, &v);
    ant_chan_send(turns, &p);
    if (close)
        ant_chan_close(p.second);
    else
        ant_chan_send(p.second, &v);
    ant_chan_try_recv(p.first, NULL);
    CHECK(ant_chan_recv(results, NULL));
    CHECK_INT(ant_chan_destroy(p.first), 0);
    CHECK_INT(ant_chan_destroy(p.second), 0);
}

static void race(bool in_thread, int rounds)
{
    pthread_t thread;

    CHECK_INT(ant_chan_new(&turns, sizeof(struct pair), 1), 0);
    CHECK_INT(ant_chan_new(&results, sizeof(int), 0), 0);
    if (in_thread)
        CHECK_INT(pthread_create(&thread, NULL, selector_in_thread, NULL), 0);
    else
        CHECK_INT(ant_go(selector, NULL), 0);
    for (int i = 0; i < rounds; i++)
        one_round(i % 2);
    ant_chan_close(turns);
    CHECK(!ant_chan_recv(results, NULL));
    if (in_thread)
        CHECK_INT(pthread_join(thread, NULL), 0);
    while (ant_count() > 1) /* the selector may be in its close yet */
        ant_yield();
    CHECK_INT(ant_chan_destroy(turns), 0);
    CHECK_INT(ant_chan_destroy(results), 0);
}

/* ---- the same without turns: what is moved to and fro is always somewhere ---- */

static struct pair moving;
static atomic_bool stop;

static void *mover(void *arg)
{
    while (!atomic_load(&stop)) {
        ant_chan_try_send(moving.second, &(int){1});
        ant_chan_try_recv(moving.first, NULL);
        ant_chan_try_send(moving.first, &(int){1});
        ant_chan_try_recv(moving.second, NULL);
    }
    return NULL;
}

/* What it takes it puts back, before it looks again. */
static void check_moving(int times)
{
    ant_case cases[] = {ANT_RECV(NULL, NULL), ANT_DEFAULT, ANT_RECV(NULL, NULL)};
    pthread_t thread;

    CHECK_INT(ant_chan_new(&moving.first, sizeof(int), 1), 0);
    CHECK_INT(ant_chan_new(&moving.second, sizeof(int), 1), 0);
    cases[0].chan = moving.first;
    cases[2].chan = moving.second;
    ant_chan_send(moving.first, &(int){1});
    CHECK_INT(pthread_create(&thread, NULL, mover, NULL), 0);
    for (int i = 0; i < times; i++) {
        int chosen = ant_select(cases, 3);

        CHECK(chosen == 0 || chosen == 2);
        ant_chan_try_send(cases[chosen].chan, &(int){1});
    }
    atomic_store(&stop, true);
    CHECK_INT(pthread_join(thread, NULL), 0);
    CHECK_INT(ant_chan_destroy(moving.first), 0);
    CHECK_INT(ant_chan_destroy(moving.second), 0);
}

static int run(void *arg)
{
    race(false, test_scale(100000));
    race(true, test_scale(5000));
    check_moving(test_scale(500000));
    return 0;
}

TEST(select_default_race)
{
    return ant_run(run, NULL, NULL);
}
