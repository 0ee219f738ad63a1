/* pool_batch.c - a batch of items, some of which are bad: a panic ends the task, is told to the
 * handler, and the pool goes on. At the end all that were accepted are waited for, but not for
 * ever. */
#include <stdatomic.h>
#include <stdio.h>

#include <anthill.h>

enum { ITEMS = 10000 };

static atomic_int good, failed;

static void process(void *arg)
{
    int item = *(const int *)arg;

    if (item % 100 == 7)
        ant_panic("item %d is bad", item);
    atomic_fetch_add(&good, 1);
}

static void on_panic(const ant_panic_info *info, void *arg)
{
    atomic_fetch_add((atomic_int *)arg, 1); /* info->message, info->frames tell more */
}

static int run(void *arg)
{
    const ant_pool_options options = {
        .expiry = 30 * ANT_SECOND, .panic_handler = on_panic, .panic_arg = &failed};
    ant_pool *pool;
    int err = ant_pool_new(&pool, 50, &options);

    if (err)
        return err;
    for (int i = 0; i < ITEMS; i++)
        ant_pool_submit_copy(pool, process, &i, sizeof i);
    err = ant_pool_release_timeout(pool, 5 * ANT_MINUTE);
    printf("%d items processed, %d failed: %s\n", atomic_load(&good), atomic_load(&failed),
           err ? ant_strerror(err) : "done");
    return ant_pool_destroy(pool);
}

int main(void)
{
    return ant_run(run, NULL, NULL) ? 1 : 0;
}
