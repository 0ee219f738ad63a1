/* pool_requests.c - handling requests: heavy work goes to a pool, so that at most four requests are
 * computed at a time; who comes while ten others wait is turned away, and does not wait either. */
#include <stdatomic.h>
#include <stdio.h>

#include <anthill.h>

enum { WORKERS = 4, WAITING = 10, REQUESTS = 50 };

static ant_pool *pool;
static ant_chan *gate; /* closed: the heavy work can be done */
static atomic_int computed;

struct request {
    int number;
};

static void compute(void *arg)
{
    const struct request *request = arg; /* a copy of ours */

    ant_chan_recv(gate, NULL);
    atomic_fetch_add(&computed, request->number >= 0);
}

/* The answer to a request, as a web server would give it. */
static int handle(int number)
{
    struct request request = {.number = number};

    switch (ant_pool_submit_copy(pool, compute, &request, sizeof request)) {
    case 0:
        return 202; /* accepted */
    case ANT_EOVERLOAD:
        return 503; /* come back later */
    default:
        return 500;
    }
}

static int run(void *arg)
{
    int accepted = 0, turned_away = 0;
    int err = ant_chan_new(&gate, 0, 0);

    if (!err)
        err = ant_pool_new(
            &pool, WORKERS,
            &(ant_pool_options){.name = "requests", .nonblocking = true, .queue = WAITING});
    if (err)
        return err;
    for (int i = 0; i < REQUESTS; i++) {
        int answer = handle(i);

        accepted += answer == 202;
        turned_away += answer == 503;
    }
    ant_chan_close(gate);
    err = ant_pool_destroy(pool); /* waits for those that were accepted */
    printf("%d accepted, %d turned away, %d computed\n", accepted, turned_away,
           atomic_load(&computed));
    return err ? err : ant_chan_destroy(gate);
}

int main(void)
{
    return ant_run(run, NULL, NULL) ? 1 : 0;
}
