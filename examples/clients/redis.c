/* redis.c - a thousand goroutines, each with a connection to Redis of its own, through hiredis.
 *
 *     redis [poll|block] [connections]
 *
 * Two recipes:
 *   poll    the connection does not block: commands are put into its buffer, and ant_poll waits between
 *           redisBufferWrite and redisBufferRead.
 *   block   hiredis' ordinary calls, between ant_blocking_begin and ant_blocking_end.
 * The server listens on the Unix socket that REDIS_SOCKET names. */
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <anthill.h>
#include <hiredis/hiredis.h>

enum { ROUNDS = 10 };

static const char *path;
static ant_waitgroup done;
static atomic_int answers;

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "redis: %s: %s\n", what, why);
    exit(1);
}

static void count_answer(redisContext *c, redisReply *reply)
{
    if (!reply)
        fail("no answer", c->errstr);
    if (reply->type != REDIS_REPLY_INTEGER)
        fail("not what was asked for", reply->str ? reply->str : "?");
    atomic_fetch_add(&answers, 1);
    freeReplyObject(reply);
}

/* ---- poll ---- */

static void wait_for(redisContext *c, int events)
{
    int ready = ant_poll(c->fd, events, 60 * ANT_SECOND);

    if (ready < 0)
        fail("waiting for the server", ant_strerror(ready));
}

static redisReply *command_polling(redisContext *c, const char *command)
{
    void *reply = NULL;
    int written = 0;

    redisAppendCommand(c, command);
    while (redisBufferWrite(c, &written) == REDIS_OK && !written)
        wait_for(c, POLLOUT);
    while (redisGetReplyFromReader(c, &reply) == REDIS_OK && !reply) {
        wait_for(c, POLLIN);
        if (redisBufferRead(c) != REDIS_OK)
            break;
    }
    return reply;
}

static void polling(void *arg)
{
    redisContext *c = redisConnectUnixNonBlock(path);

    (void)arg;
    if (!c || c->err)
        fail("cannot connect", c ? c->errstr : "no memory");
    wait_for(c, POLLOUT); /* it is connected when it can be written to */
    for (int i = 0; i < ROUNDS; i++)
        count_answer(c, command_polling(c, "INCR counter"));
    redisFree(c);
    ant_waitgroup_done(&done);
}

/* ---- block ---- */

static void blocking(void *arg)
{
    redisContext *c;

    (void)arg;
    ant_blocking_begin();
    c = redisConnectUnix(path);
    ant_blocking_end();
    if (!c || c->err)
        fail("cannot connect", c ? c->errstr : "no memory");
    for (int i = 0; i < ROUNDS; i++) {
        redisReply *reply;

        ant_blocking_begin();
        reply = redisCommand(c, "INCR counter");
        ant_blocking_end();
        count_answer(c, reply);
    }
    redisFree(c);
    ant_waitgroup_done(&done);
}

struct how {
    void (*client)(void *);
    int connections;
};

static int run(void *arg)
{
    const struct how *how = arg;

    ant_waitgroup_add(&done, how->connections);
    for (int i = 0; i < how->connections; i++) {
        int err = ant_go(how->client, NULL);

        if (err)
            fail("cannot start a goroutine", ant_strerror(err));
    }
    ant_waitgroup_wait(&done);
    printf("%d answers over %d connections\n", atomic_load(&answers), how->connections);
    return 0;
}

int main(int argc, char **argv)
{
    bool block = argc > 1 && strcmp(argv[1], "block") == 0;
    struct how how = {.client = block ? blocking : polling,
                      .connections = argc > 2 ? atoi(argv[2]) : 1000};

    path = getenv("REDIS_SOCKET");
    if (!path || how.connections <= 0 || (argc > 1 && !block && strcmp(argv[1], "poll") != 0)) {
        fputs("usage: REDIS_SOCKET=path redis [poll|block] [connections]\n", stderr);
        return 2;
    }
    return ant_run(run, &how, NULL) ? 1 : 0;
}
