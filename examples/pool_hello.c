/* pool_hello.c - ten tasks through a pool of two workers. */
#include <stdio.h>

#include <anthill.h>

static ant_waitgroup all;

static void hello(void *arg)
{
    ant_sleep(10 * ANT_MILLISECOND);
    printf("Hello from a pool!\n");
    ant_waitgroup_done(&all);
}

static int run(void *arg)
{
    ant_pool *pool;
    int err = ant_pool_new(&pool, 2, NULL);

    if (err)
        return err;
    for (int i = 0; i < 10; i++) {
        ant_waitgroup_add(&all, 1);
        ant_pool_submit(pool, hello, NULL); /* waits while both workers are busy */
    }
    ant_waitgroup_wait(&all);
    return ant_pool_destroy(pool);
}

int main(void)
{
    return ant_run(run, NULL, NULL) ? 1 : 0;
}
