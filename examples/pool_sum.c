/* pool_sum.c - a pool with one function: its ten workers add up a thousand numbers. The argument is
 * copied into the worker, so there is nothing to allocate and nothing to free. */
#include <stdatomic.h>
#include <stdio.h>

#include <anthill.h>

static atomic_int sum;

static void add(void *arg)
{
    atomic_fetch_add(&sum, *(const int *)arg);
}

static int run(void *arg)
{
    ant_func_pool *pool;
    int err = ant_func_pool_new(&pool, 10, add, sizeof(int), NULL);

    if (err)
        return err;
    for (int i = 0; i < 1000; i++)
        ant_func_pool_invoke(pool, &i);
    ant_func_pool_wait(pool);
    printf("workers: %s\n", ant_func_pool_running(pool) <= 10 ? "not more than ten" : "too many");
    printf("finished all tasks, the result is %d\n", atomic_load(&sum));
    return ant_func_pool_destroy(pool);
}

int main(void)
{
    return ant_run(run, NULL, NULL) ? 1 : 0;
}
