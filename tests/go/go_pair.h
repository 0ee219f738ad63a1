/* go_pair.h - two goroutines that take turns: each readies the other, then waits to be readied.
 *
 *     struct pair pair = {.work = crunch};
 *
 *     pair_start(&pair);
 *     ...
 *     pair_stop(&pair); // waits for both to end
 */
#ifndef ANT_TESTS_GO_PAIR_H
#define ANT_TESTS_GO_PAIR_H

#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

struct pair {
    void (*begin)(struct pair *pair); /* of each player, in it; NULL: nothing */
    void (*work)(struct pair *pair);  /* at each turn; NULL: nothing */
    _Atomic long turns;
    _Atomic bool stop;
    ant_waitgroup turn[2]; /* counts 0 when it is that player's turn */
    ant_waitgroup ended;
};

static inline void pair__play(struct pair *pair, int me)
{
    if (pair->begin)
        pair->begin(pair);
    for (;;) {
        ant_waitgroup_wait(&pair->turn[me]);
        ant_waitgroup_add(&pair->turn[me], 1);
        if (atomic_load(&pair->stop))
            break;
        if (pair->work)
            pair->work(pair);
        atomic_fetch_add(&pair->turns, 1);
        ant_waitgroup_done(&pair->turn[!me]);
    }
    ant_waitgroup_done(&pair->turn[!me]); /* lets the other one see it too */
    ant_waitgroup_done(&pair->ended);
}

static inline void pair__first(void *pair)
{
    pair__play(pair, 0);
}

static inline void pair__second(void *pair)
{
    pair__play(pair, 1);
}

static inline void pair_start(struct pair *pair)
{
    ant_waitgroup_add(&pair->turn[1], 1);
    ant_waitgroup_add(&pair->ended, 2);
    CHECK_INT(ant_go(pair__first, pair), 0);
    CHECK_INT(ant_go(pair__second, pair), 0);
}

static inline void pair_stop(struct pair *pair)
{
    atomic_store(&pair->stop, true);
    ant_waitgroup_wait(&pair->ended);
}

#endif
