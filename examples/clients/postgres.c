/* postgres.c - a thousand goroutines, each with a connection to PostgreSQL of its own, through libpq.
 *
 *     postgres [poll|block] [connections] [query]
 *
 * Two recipes:
 *   poll    libpq's calls that do not block, and ant_poll in between. A goroutine that waits costs its stack,
 *           and no thread.
 *   block   libpq's ordinary calls, in goroutines with the option `blocking`. Nothing else is changed. Each
 *           goroutine that waits in a call has a thread.
 * The server is named by PGHOST and the other variables of libpq. */
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <anthill.h>
#include <libpq-fe.h>

static const char *query = "select 6 * 7";
static ant_waitgroup done;
static atomic_int answers;

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "postgres: %s: %s\n", what, why);
    exit(1);
}

/* ---- poll ---- */

static void wait_for(PGconn *conn, int events)
{
    int ready = ant_poll(PQsocket(conn), events, 60 * ANT_SECOND);

    if (ready < 0)
        fail("waiting for the server", ant_strerror(ready));
}

static PGconn *connect_polling(void)
{
    PGconn *conn = PQconnectStart("");
    PostgresPollingStatusType next = PGRES_POLLING_WRITING;

    while (PQstatus(conn) != CONNECTION_BAD && next != PGRES_POLLING_OK) {
        wait_for(conn, next == PGRES_POLLING_READING ? POLLIN : POLLOUT);
        next = PQconnectPoll(conn); /* the socket may be another one from here on */
        if (next == PGRES_POLLING_FAILED)
            break;
    }
    return conn;
}

static PGresult *query_polling(PGconn *conn)
{
    PGresult *result, *next;

    if (PQsetnonblocking(conn, 1) != 0 || !PQsendQuery(conn, query))
        return NULL;
    while (PQflush(conn) == 1)
        wait_for(conn, POLLIN | POLLOUT), PQconsumeInput(conn);
    while (PQisBusy(conn)) {
        wait_for(conn, POLLIN);
        if (!PQconsumeInput(conn))
            return NULL;
    }
    result = PQgetResult(conn);
    while ((next = PQgetResult(conn))) /* until there are no more: the connection is free then */
        PQclear(next);
    return result;
}

/* ---- both ---- */

static void count_answer(PGconn *conn, PGresult *result)
{
    ExecStatusType status = PQresultStatus(result);

    if (status != PGRES_TUPLES_OK)
        fail("the query failed", PQerrorMessage(conn));
    atomic_fetch_add(&answers, PQntuples(result));
    PQclear(result);
}

static void polling(void *arg)
{
    PGconn *conn = connect_polling();

    (void)arg;
    if (PQstatus(conn) != CONNECTION_OK)
        fail("cannot connect", PQerrorMessage(conn));
    count_answer(conn, query_polling(conn));
    PQfinish(conn);
    ant_waitgroup_done(&done);
}

static void blocking(void *arg)
{
    PGconn *conn = PQconnectdb("");

    (void)arg;
    if (PQstatus(conn) != CONNECTION_OK)
        fail("cannot connect", PQerrorMessage(conn));
    count_answer(conn, PQexec(conn, query));
    PQfinish(conn);
    ant_waitgroup_done(&done);
}

struct how {
    bool blocking;
    int connections;
};

static int run(void *arg)
{
    const struct how *how = arg;
    const ant_go_options options = {.name = "client", .blocking = how->blocking};

    ant_waitgroup_add(&done, how->connections);
    for (int i = 0; i < how->connections; i++) {
        int err = ant_go_opts(&options, how->blocking ? blocking : polling, NULL);

        if (err)
            fail("cannot start a goroutine", ant_strerror(err));
    }
    ant_waitgroup_wait(&done);
    printf("%d answers over %d connections\n", atomic_load(&answers), how->connections);
    return 0;
}

int main(int argc, char **argv)
{
    struct how how = {.connections = argc > 2 ? atoi(argv[2]) : 1000};

    how.blocking = argc > 1 && strcmp(argv[1], "block") == 0;
    if (how.connections <= 0 || (argc > 1 && !how.blocking && strcmp(argv[1], "poll") != 0)) {
        fputs("usage: postgres [poll|block] [connections] [query]\n", stderr);
        return 2;
    }
    if (argc > 3)
        query = argv[3];
    return ant_run(run, &how, NULL) ? 1 : 0;
}
