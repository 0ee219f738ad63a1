/* select_threads - goroutines and plain threads select among the same channels, on both sides:
 * what is sent is received exactly once; and selects that send on one channel and receive from
 * another match one another, so that both sides make the same number of steps. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { CHANS = 3, SENDERS = 4, RECEIVERS = 4, THREADS = 2 /* of each */ };

static ant_chan *chans[CHANS];
static ant_waitgroup sending, receiving;
static _Atomic unsigned char *seen;
static int each;

static void send_all(void *arg)
{
    int self = (int)(intptr_t)arg;

    for (int i = 0; i < each; i++) {
        int v = self * each + i;
        ant_case cases[] = {ANT_SEND(chans[self % 3], &v), ANT_SEND(chans[(self + 1) % 3], &v),
                            ANT_SEND(chans[(self + 2) % 3], &v)};

        CHECK(ant_select(cases, CHANS) >= 0);
    }
    ant_waitgroup_done(&sending);
}

static void recv_all(void *arg)
{
    int v;
    ant_case cases[] = {ANT_RECV(chans[0], &v), ANT_RECV(chans[1], &v), ANT_RECV(chans[2], &v)};

    for (int open = CHANS; open > 0;) {
        int at = ant_select(cases, CHANS);

        CHECK(at >= 0);
        if (cases[at].received) {
            CHECK_INT(atomic_fetch_add(&seen[v], 1), 0);
        } else {
            cases[at].chan = NULL;
            open--;
        }
    }
    ant_waitgroup_done(&receiving);
}

static void *send_in_thread(void *arg)
{
    send_all(arg);
    return NULL;
}

static void *recv_in_thread(void *arg)
{
    recv_all(arg);
    return NULL;
}

static void check_exactly_once(void)
{
    static const size_t capacities[CHANS] = {0, 0, 4};
    pthread_t threads[2 * THREADS];

    for (int i = 0; i < CHANS; i++)
        CHECK_INT(ant_chan_new(&chans[i], sizeof(int), capacities[i]), 0);
    seen = calloc((size_t)SENDERS * (size_t)each, 1);
    CHECK(seen);
    ant_waitgroup_add(&sending, SENDERS);
    ant_waitgroup_add(&receiving, RECEIVERS);
    for (intptr_t i = 0; i < THREADS; i++) {
        CHECK_INT(pthread_create(&threads[2 * i], NULL, send_in_thread, (void *)i), 0);
        CHECK_INT(pthread_create(&threads[2 * i + 1], NULL, recv_in_thread, NULL), 0);
    }
    for (intptr_t i = THREADS; i < SENDERS; i++)
        CHECK_INT(ant_go(send_all, (void *)i), 0);
    for (int i = THREADS; i < RECEIVERS; i++)
        CHECK_INT(ant_go(recv_all, NULL), 0);
    ant_waitgroup_wait(&sending);
    for (int i = 0; i < CHANS; i++)
        ant_chan_close(chans[i]);
    ant_waitgroup_wait(&receiving);
    for (int i = 0; i < 2 * THREADS; i++)
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < SENDERS * each; i++)
        CHECK_INT(seen[i], 1);
    free((void *)seen);
    for (int i = 0; i < CHANS; i++)
        CHECK_INT(ant_chan_destroy(chans[i]), 0);
}

/* ---- both directions in one select ---- */

static atomic_long there, back; /* sent less received */

/* Player 0 sends on the first channel and receives from the second, player 1 the other way. */
static void play(void *arg)
{
    int self = (int)(intptr_t)arg, v;
    atomic_long *out = self ? &back : &there, *in = self ? &there : &back;

    for (int i = 0; i < each; i++) {
        int mine = i;
        ant_case cases[] = {ANT_SEND(chans[self], &mine), ANT_RECV(chans[!self], &v)};
        int at = ant_select(cases, 2);

        CHECK(at == 0 || (at == 1 && cases[1].received));
        if (at == 0)
            atomic_fetch_add(out, mine);
        else
            atomic_fetch_sub(in, v);
    }
    ant_waitgroup_done(&sending);
}

static void *play_in_thread(void *arg)
{
    play(arg);
    return NULL;
}

static void check_exchange(void)
{
    pthread_t threads[2];

    CHECK_INT(ant_chan_new(&chans[0], sizeof(int), 0), 0);
    CHECK_INT(ant_chan_new(&chans[1], sizeof(int), 0), 0);
    ant_waitgroup_add(&sending, 4);
    for (intptr_t i = 0; i < 2; i++) {
        CHECK_INT(pthread_create(&threads[i], NULL, play_in_thread, (void *)i), 0);
        CHECK_INT(ant_go(play, (void *)i), 0);
    }
    ant_waitgroup_wait(&sending);
    CHECK_INT(atomic_load(&there), 0);
    CHECK_INT(atomic_load(&back), 0);
    for (int i = 0; i < 2; i++) {
        CHECK_INT(pthread_join(threads[i], NULL), 0);
        CHECK_INT(ant_chan_destroy(chans[i]), 0);
    }
}

static int run(void *arg)
{
    each = test_scale(10000);
    check_exactly_once();
    check_exchange();
    return 0;
}

TEST(select_threads)
{
    return ant_run(run, NULL, NULL);
}
