/* pool_events.c - a stream of events, spread over ten pools of a hundred workers each: always to
 * the one that runs the fewest tasks. */
#include <stdatomic.h>
#include <stdio.h>

#include <anthill.h>

enum { EVENTS = 20000 };

static atomic_long handled;

struct event {
    int kind;
    char source[20];
};

static void handle(void *arg)
{
    const struct event *event = arg;

    ant_sleep(ANT_MILLISECOND);
    atomic_fetch_add(&handled, event->kind);
}

static int run(void *arg)
{
    ant_multi_pool *pool;
    int err = ant_multi_pool_new(&pool, 10, 100, ANT_LEAST_TASKS, NULL);

    if (err)
        return err;
    for (int i = 0; i < EVENTS; i++) {
        struct event event = {.kind = i % 3, .source = "sensor"};

        ant_multi_pool_submit_copy(pool, handle, &event, sizeof event);
    }
    err = ant_multi_pool_release_timeout(pool, ANT_MINUTE);
    printf("%ld, %s\n", atomic_load(&handled), err ? ant_strerror(err) : "all events handled");
    return ant_multi_pool_destroy(pool);
}

int main(void)
{
    return ant_run(run, NULL, NULL) ? 1 : 0;
}
