/* pool_copy - arguments of all sizes are copied when submit is called, byte by byte, to where they
 * are aligned as malloc does it, and are there until the task returns: for a free worker, in the
 * line, in the queue, and of a function pool. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { LARGEST = 5000 };

static const size_t sizes[] = {1, 2, 63, 64, 65, 256, 257, LARGEST};
enum { SIZES = sizeof sizes / sizeof *sizes };

static ant_pool *pool;
static atomic_int ran;

/* The first byte tells the size. */
static void prepare(unsigned char *bytes, int which)
{
    bytes[0] = (unsigned char)which;
    for (size_t i = 1; i < sizes[which]; i++)
        bytes[i] = (unsigned char)(i * 7 + (size_t)which);
}

static void check_bytes(const unsigned char *bytes)
{
    for (size_t i = 1; i < sizes[bytes[0]]; i++)
        CHECK_INT(bytes[i], (unsigned char)(i * 7 + bytes[0]));
}

static void task(void *arg)
{
    CHECK_INT((uintptr_t)arg % 16, 0);
    check_bytes(arg);
    ant_yield();
    check_bytes(arg);
    atomic_fetch_add(&ran, 1);
}

static void submit_all(void *arg)
{
    unsigned char bytes[LARGEST];

    for (int i = 0; i < SIZES; i++) {
        prepare(bytes, i);
        CHECK_INT(ant_pool_submit_copy(pool, task, bytes, sizes[i]), 0);
        memset(bytes, 0xee, sizes[i]);
    }
    atomic_fetch_add((atomic_int *)arg, 1);
}

static void play(int size, const ant_pool_options *options)
{
    atomic_int returned = 0;

    atomic_store(&ran, 0);
    CHECK_INT(ant_pool_new(&pool, size, options), 0);
    for (int i = 0; i < 8; i++)
        CHECK_INT(ant_go(submit_all, &returned), 0);
    while (atomic_load(&returned) < 8)
        ant_yield();
    CHECK_INT(ant_pool_destroy(pool), 0);
    CHECK_INT(atomic_load(&ran), 8 * SIZES);
}

static void func_play(int which)
{
    unsigned char bytes[LARGEST];
    ant_func_pool *func;

    atomic_store(&ran, 0);
    CHECK_INT(ant_func_pool_new(&func, 2, task, sizes[which], NULL), 0);
    for (int i = 0; i < 5; i++) {
        prepare(bytes, which);
        CHECK_INT(ant_func_pool_invoke(func, bytes), 0);
        memset(bytes, 0xee, sizes[which]);
    }
    CHECK_INT(ant_func_pool_destroy(func), 0);
    CHECK_INT(atomic_load(&ran), 5);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(10); i++) {
        play(1, NULL);
        play(100, NULL);
        play(3, &(ant_pool_options){.queue = 4});
        play(3, &(ant_pool_options){.prealloc = true, .expiry = ANT_MICROSECOND});
        for (int k = 0; k < SIZES; k++)
            func_play(k);
    }
    return 0;
}

TEST(pool_copy)
{
    return ant_run(run, NULL, NULL);
}
