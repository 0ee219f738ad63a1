/* cond_stealing - Go's TestCondSignalStealing: one that waits when a broadcast is given gets it,
 * and a later one cannot take it away, however often it waits itself. */
#include <anthill.h>

#include "check.h"

struct game {
    ant_mutex mutex;
    ant_cond cond;
    ant_waitgroup early_waits, early_is_back, all_done;
    bool over; /* the mutex guards it */
};

static void early(void *arg)
{
    struct game *game = arg;

    ant_mutex_lock(&game->mutex);
    ant_waitgroup_done(&game->early_waits);
    ant_cond_wait(&game->cond, &game->mutex);
    ant_mutex_unlock(&game->mutex);
    ant_waitgroup_done(&game->early_is_back);
    ant_waitgroup_done(&game->all_done);
}

static void late(void *arg)
{
    struct game *game = arg;

    ant_mutex_lock(&game->mutex);
    while (!game->over)
        ant_cond_wait(&game->cond, &game->mutex);
    ant_mutex_unlock(&game->mutex);
    ant_waitgroup_done(&game->all_done);
}

static void broadcast(void *arg)
{
    struct game *game = arg;

    ant_cond_broadcast(&game->cond);
    ant_waitgroup_done(&game->all_done);
}

static void play(struct game *game)
{
    ant_waitgroup_add(&game->early_waits, 1);
    ant_waitgroup_add(&game->early_is_back, 1);
    ant_waitgroup_add(&game->all_done, 3);
    CHECK_INT(ant_go(early, game), 0);
    ant_waitgroup_wait(&game->early_waits);
    ant_mutex_lock(&game->mutex); /* now it waits */
    ant_mutex_unlock(&game->mutex);
    CHECK_INT(ant_go(broadcast, game), 0);
    CHECK_INT(ant_go(late, game), 0);
    ant_waitgroup_wait(&game->early_is_back);
    ant_mutex_lock(&game->mutex);
    game->over = true;
    ant_mutex_unlock(&game->mutex);
    ant_cond_broadcast(&game->cond);
    ant_waitgroup_wait(&game->all_done);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(10000); i++)
        play(&(struct game){.over = false});
    return 0;
}

TEST(cond_stealing)
{
    return ant_run(run, NULL, NULL);
}
