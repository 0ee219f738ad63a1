/* w11_postgres.c - a thousand clients of a real PostgreSQL, which connect and then wait for pg_sleep(1) by
 * libpq's ordinary calls: plain threads, goroutines that announce nothing, and goroutines with the option
 * `blocking`. Seconds until all are done. Starts a server of its own by tools/with_servers. */
#include <pthread.h>
#include <unistd.h>

#include <libpq-fe.h>

#include "bench.h"

enum { MOST_ARGUMENTS = 16 };

static int procs = 2;
static int count = 1000;
static int rounds = 3;

static ant_waitgroup done;

static void client(void *arg)
{
    PGconn *conn = PQconnectdb("");
    PGresult *result;

    (void)arg;
    if (PQstatus(conn) != CONNECTION_OK)
        bench_die("cannot connect", PQerrorMessage(conn));
    result = PQexec(conn, "select pg_sleep(1)");
    if (PQresultStatus(result) != PGRES_TUPLES_OK)
        bench_die("pg_sleep", PQerrorMessage(conn));
    PQclear(result);
    PQfinish(conn);
    ant_waitgroup_done(&done);
}

static void *thread(void *arg)
{
    client(arg);
    return NULL;
}

static void *make_threads(void *arg)
{
    pthread_t id;

    (void)arg;
    for (int i = 0; i < count; i++) {
        if (pthread_create(&id, NULL, thread, NULL) != 0)
            bench_die("pthread_create", "no thread");
        pthread_detach(id);
    }
    return NULL;
}

static void by_threads(void)
{
    pthread_t id;

    if (pthread_create(&id, NULL, make_threads, NULL) != 0)
        bench_die("pthread_create", "no thread");
    pthread_detach(id);
}

static void by_goroutines(bool blocking)
{
    const ant_go_options options = {.blocking = blocking};

    for (int i = 0; i < count; i++)
        bench_must(ant_go_opts(&options, client, NULL), "ant_go_opts");
}

enum how { THREADS, UNANNOUNCED, BLOCKING, HOWS };

static double one_round(enum how how)
{
    double start = bench_seconds();

    ant_waitgroup_add(&done, count);
    if (how == THREADS)
        by_threads();
    else
        by_goroutines(how == BLOCKING);
    ant_waitgroup_wait(&done);
    return bench_seconds() - start;
}

static int bench(void *arg)
{
    static struct bench_series series[HOWS] = {
        [THREADS] = {.metric = "threads", .unit = "s"},
        [UNANNOUNCED] = {.metric = "unannounced", .unit = "s"},
        [BLOCKING] = {.metric = "blocking", .unit = "s"},
    };
    char param[64];

    (void)arg;
    snprintf(param, sizeof param, "p%d %d clients", procs, count);
    for (int i = 0; i < rounds; i++) {
        for (int how = 0; how < HOWS; how++) {
            ant_sleep(ANT_SECOND); /* the server frees those of before */
            bench_add(&series[how], one_round((enum how)how));
        }
    }
    for (int how = 0; how < HOWS; how++)
        bench_print("W11", param, &series[how]);
    return 0;
}

int main(int argc, char **argv)
{
    char *again[MOST_ARGUMENTS] = {WITH_SERVERS};

    if (!getenv("PGHOST")) {
        for (int i = 0; i < argc && i < MOST_ARGUMENTS - 2; i++)
            again[i + 1] = argv[i];
        execv(WITH_SERVERS, again);
        bench_die(WITH_SERVERS, strerror(errno));
    }
    bench_parse(argv, (struct bench_option[]){
                          {"procs", &procs}, {"count", &count}, {"rounds", &rounds}, {NULL, NULL}});
    return bench_run(bench, procs);
}
