/* chan_of_chans - channels travel through channels: each request carries the channel for its
 * answer, servers share the queue of requests, and every client gets its own answers. */
#include <anthill.h>

#include "check.h"

enum { SERVERS = 3, CLIENTS = 8 };

struct request {
    ant_chan *answer;
    long question;
};

ANT_CHAN_DEFINE(request_chan, struct request);

static request_chan *requests;
static ant_chan *answers[CLIENTS];
static ant_waitgroup serving, asking;
static int each;

static void server(void *arg)
{
    struct request r;

    while (request_chan_recv(requests, &r)) {
        long answer = r.question * r.question;

        ant_chan_send(r.answer, &answer);
    }
    ant_waitgroup_done(&serving);
}

static void client(void *arg)
{
    intptr_t self = (intptr_t)arg;
    struct request r = {.answer = answers[self], .question = self};
    long answer;

    for (int i = 0; i < each; i++) {
        request_chan_send(requests, r);
        CHECK(ant_chan_recv(r.answer, &answer));
        CHECK_INT(answer, r.question * r.question);
        r.question += CLIENTS;
    }
    ant_waitgroup_done(&asking);
}

static int run(void *arg)
{
    struct request r;

    each = test_scale(5000);
    CHECK_INT(request_chan_new(&requests, CLIENTS), 0);
    ant_waitgroup_add(&serving, SERVERS);
    ant_waitgroup_add(&asking, CLIENTS);
    for (int i = 0; i < SERVERS; i++)
        CHECK_INT(ant_go(server, NULL), 0);
    for (intptr_t i = 0; i < CLIENTS; i++) {
        CHECK_INT(ant_chan_new(&answers[i], sizeof(long), (size_t)i % 2), 0);
        CHECK_INT(ant_go(client, (void *)i), 0);
    }
    ant_waitgroup_wait(&asking);
    request_chan_close(requests);
    ant_waitgroup_wait(&serving);
    CHECK(!request_chan_recv(requests, &r));
    CHECK_INT(request_chan_destroy(requests), 0);
    for (int i = 0; i < CLIENTS; i++)
        CHECK_INT(ant_chan_destroy(answers[i]), 0);
    return 0;
}

TEST(chan_of_chans)
{
    return ant_run(run, NULL, NULL);
}
