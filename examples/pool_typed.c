/* pool_typed.c - a pool whose function takes an int, checked by the compiler. */
#include <stdatomic.h>
#include <stdio.h>

#include <anthill.h>

static atomic_long squares;

static void square(int n)
{
    atomic_fetch_add(&squares, (long)n * n);
}

ANT_FUNC_POOL_DEFINE(int_pool, int);

static int run(void *arg)
{
    int_pool pool;
    int err = int_pool_new(&pool, 100, square, NULL);

    if (err)
        return err;
    for (int i = 0; i < 10000; i++)
        int_pool_invoke(&pool, i);
    err = int_pool_destroy(&pool);
    printf("sum of squares: %ld\n", atomic_load(&squares));
    return err;
}

int main(void)
{
    return ant_run(run, NULL, NULL) ? 1 : 0;
}
