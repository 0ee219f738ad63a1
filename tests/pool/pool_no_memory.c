/* pool_no_memory - the only worker of a pool is lost by a panic, and there is no memory for another one
 * in the moment: who is blocked, or queued, gets one all the same when the panic was handled. And a
 * submitter that is blocked behind one who then gets no memory for his worker is told so, or served.
 *
 * Catches: a line that nobody serves any more, though there is memory again. */
#include <errno.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"
#include "fail_from.h"
#include "runtime/runtime.h"

static ant_pool *pool;
static atomic_int ran;

static void count(void *arg)
{
    atomic_fetch_add(&ran, 1);
}

static void submit(void *arg)
{
    CHECK_INT(ant_pool_submit(pool, count, NULL), 0);
}

static void panic(void *arg)
{
    ant_pool_stats stats;

    do {
        ant_yield();
        CHECK_INT(ant_pool_stats_get(pool, &stats), 0);
    } while (stats.waiting + stats.queued == 0);
    fail_from(1);
    ant_panic("on purpose");
}

static void handle(const ant_panic_info *info, void *arg)
{
    fail_no_more();
}

static void lose_the_worker(bool queued)
{
    ant_pool_options options = {.panic_handler = handle, .queue = queued};

    atomic_store(&ran, 0);
    CHECK_INT(ant_pool_new(&pool, 1, &options), 0);
    CHECK_INT(ant_pool_submit(pool, panic, NULL), 0);
    CHECK_INT(ant_go(submit, NULL), 0);
    while (atomic_load(&ran) == 0)
        ant_yield();
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK_INT(atomic_load(&ran), 1);
    CHECK_INT(ant_pool_submit(pool, count, NULL), 0);
    CHECK_INT(ant_pool_destroy(pool), 0);
    CHECK_INT(atomic_load(&ran), 2);
}

static atomic_int done, refused;

static void submit_some(void *arg)
{
    for (int i = 0; i < 200; i++) {
        int err = ant_pool_submit(pool, count, NULL);

        CHECK(err == 0 || err == -ENOMEM);
        if (err)
            atomic_fetch_add(&refused, 1);
        if (i % 16 == 0)
            ant_yield();
    }
    atomic_fetch_add(&done, 1);
}

/* Memory comes and goes while several submit to a pool whose workers expire at once. */
static void scarcity(int queue)
{
    ant_pool_options options = {.queue = queue, .expiry = 1};
    enum { SUBMITTERS = 4 };

    atomic_store(&ran, 0);
    atomic_store(&refused, 0);
    atomic_store(&done, 0);
    CHECK_INT(ant_pool_new(&pool, 1, &options), 0);
    for (int i = 0; i < SUBMITTERS; i++)
        CHECK_INT(ant_go(submit_some, NULL), 0);
    for (int i = 0; atomic_load(&done) < SUBMITTERS; i++) {
        if (i % 2)
            fail_from(1);
        else
            fail_no_more();
        ant_yield();
    }
    fail_no_more();
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK_INT(atomic_load(&ran) + atomic_load(&refused), SUBMITTERS * 200);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(100); i++) {
        lose_the_worker(false);
        lose_the_worker(true);
    }
    for (int i = 0; i < test_scale(20); i++)
        scarcity(i % 3);
    return 0;
}

TEST(pool_no_memory)
{
    return ant_run(run, NULL, NULL);
}
