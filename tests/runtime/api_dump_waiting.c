/* api_dump_waiting - a dump says of each goroutine what it waits for.
 *
 * Catches: a reason that is given for another one. */
#include "dump_text.h"
#include "net_help.h"

static ant_mutex mutex, cond_mutex;
static ant_rwmutex rwmutex;
static ant_cond cond;
static ant_sem sem;
static ant_chan *chan;
static ant_pool *pool;
static ant_waitgroup never;
static ant_io ends[2];

static void wait_send(void *arg)
{
    ant_chan_send(chan, &chan);
}

static void wait_select(void *arg)
{
    ant_select(NULL, 0);
}

static void wait_mutex(void *arg)
{
    ant_mutex_lock(&mutex);
}

static void wait_rwmutex(void *arg)
{
    ant_rwmutex_lock(&rwmutex);
}

static void wait_cond(void *arg)
{
    ant_mutex_lock(&cond_mutex);
    ant_cond_wait(&cond, &cond_mutex);
}

static void wait_sem(void *arg)
{
    ant_sem_acquire(&sem, 1);
}

static void wait_waitgroup(void *arg)
{
    ant_waitgroup_wait(&never);
}

static void wait_submit(void *arg)
{
    ant_pool_submit(pool, wait_waitgroup, NULL);
}

static void wait_pool(void *arg)
{
    ant_pool_wait(pool);
}

static void wait_read(void *arg)
{
    char byte;

    ant_read(ends[0], &byte, 1);
}

static void wait_write(void *arg)
{
    ant_write(ends[0], "", 1);
}

static const struct {
    const char *reason;
    void (*fn)(void *);
} waits[] = {
    {"chan send", wait_send},
    {"select (no cases)", wait_select},
    {"mutex lock", wait_mutex},
    {"rwmutex lock", wait_rwmutex},
    {"cond wait", wait_cond},
    {"semaphore acquire", wait_sem},
    {"waitgroup wait", wait_waitgroup},
    {"pool submit (it is full)", wait_submit},
    {"pool wait (for its tasks)", wait_pool},
    {"IO wait, to read", wait_read},
    {"IO wait, to write", wait_write},
};

enum { WAITS = sizeof waits / sizeof waits[0] };

/* What is to be waited for is not there. */
static void take_all(void)
{
    CHECK_INT(ant_chan_new(&chan, sizeof chan, 0), 0);
    ant_mutex_lock(&mutex);
    ant_rwmutex_lock(&rwmutex);
    CHECK_INT(ant_sem_init(&sem, 1), 0);
    CHECK_INT(ant_sem_acquire(&sem, 1), 0);
    ant_waitgroup_add(&never, 1);
    CHECK_INT(ant_pool_new(&pool, 1, NULL), 0);
    CHECK_INT(ant_pool_submit(pool, wait_waitgroup, NULL), 0);
    unix_pair(ends);
    fill_up(ends[0]);
}

/* Of the goroutine whose name is its reason, what the dump says. */
static const char *state_of(const char *reason)
{
    char end[64], *at;

    snprintf(end, sizeof end, "]: %s\n", reason);
    at = strstr(text, end);
    if (!at)
        FAIL("no goroutine \"%s\" in: %s", reason, text);
    while (*at != '[')
        at--;
    return at + 1;
}

static bool all_wait(void)
{
    for (int i = 0; i < WAITS; i++) {
        if (!strncmp(state_of(waits[i].reason), "runn", 4)) /* running, runnable */
            return false;
    }
    return true;
}

static int run(void *arg)
{
    take_all();
    for (int i = 0; i < WAITS; i++)
        CHECK_INT(ant_go_opts(&(ant_go_options){.name = waits[i].reason}, waits[i].fn, NULL), 0);
    do {
        ant_sleep(ANT_MILLISECOND);
        take_dump();
    } while (!all_wait());
    for (int i = 0; i < WAITS; i++) {
        size_t length = strlen(waits[i].reason);

        if (strncmp(state_of(waits[i].reason), waits[i].reason, length) != 0 ||
            state_of(waits[i].reason)[length] != ',')
            FAIL("not \"%s\": %.40s", waits[i].reason, state_of(waits[i].reason));
    }
    return 0;
}

TEST(api_dump_waiting)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
