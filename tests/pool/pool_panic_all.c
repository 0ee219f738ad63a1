/* pool_panic_all - a worker that ends by a panic or by ant_exit makes room for the next one at
 * once: with one worker, without purging, and many that wait, all tasks are run. Nobody would come
 * to the rescue of a submitter whose wake-up was lost. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { PRODUCERS = 8 };

static ant_pool *pool;
static atomic_int ran, handled, producers, tasks;

static void panic(void *arg)
{
    atomic_fetch_add(&ran, 1);
    ant_panic("as it should");
}

static void leave(void *arg)
{
    atomic_fetch_add(&ran, 1);
    ant_exit();
}

static void end(void *arg)
{
    atomic_fetch_add(&ran, 1);
}

static void handle(const ant_panic_info *info, void *arg)
{
    atomic_fetch_add(&handled, 1);
}

typedef void task(void *);

static void produce(void *arg)
{
    task *const kinds[] = {panic, leave, panic, end};
    int n = test_scale(100);

    for (int i = 0; i < n; i++)
        CHECK_INT(ant_pool_submit(pool, arg ? kinds[i % 4] : panic, NULL), 0);
    atomic_fetch_add(&tasks, n);
    atomic_fetch_sub(&producers, 1);
}

static void *produce_in_thread(void *arg)
{
    produce(arg);
    return NULL;
}

static void play(int goroutines, bool mixed, int queue)
{
    void *arg = mixed ? &pool : NULL;
    pthread_t thread;

    CHECK_INT(ant_pool_new(&pool, 1,
                           &(ant_pool_options){
                               .disable_purge = true, .queue = queue, .panic_handler = handle}),
              0);
    atomic_store(&ran, 0);
    atomic_store(&handled, 0);
    atomic_store(&tasks, 0);
    atomic_store(&producers, goroutines + 1);
    CHECK_INT(pthread_create(&thread, NULL, produce_in_thread, arg), 0);
    for (int i = 0; i < goroutines; i++)
        CHECK_INT(ant_go(produce, arg), 0);
    while (atomic_load(&producers) > 0)
        ant_yield();
    CHECK_INT(pthread_join(thread, NULL), 0);
    CHECK_INT(ant_pool_destroy(pool), 0);
    CHECK_INT(atomic_load(&ran), atomic_load(&tasks));
    if (!mixed)
        CHECK_INT(atomic_load(&handled), atomic_load(&tasks));
}

static int run(void *arg)
{
    for (int queue = 0; queue < 4; queue += 3) {
        play(0, false, queue);
        play(1, false, queue);
        play(PRODUCERS, false, queue);
        play(PRODUCERS, true, queue);
    }
    return 0;
}

TEST(pool_panic_all)
{
    return ant_run(run, NULL, NULL);
}
