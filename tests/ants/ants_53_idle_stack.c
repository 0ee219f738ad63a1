/* ants_53_idle_stack - rows 53 to 55: the stack of idle workers: a new one is empty; the last one
 * in is the first one out; those that entered at a time or before it are found and taken off. The
 * clock is a counter. A pool has a stack unless it is preallocated. */
#include <anthill.h>

#include "check.h"
#include "pool/pool.h"

enum { EXPIRY = 100 };

static ant_time now;

static ant_time tick(void)
{
    return ++now;
}

static struct ant__worker *push(struct ant__idle *idle, ant_time when)
{
    struct ant__worker *w = calloc(1, sizeof *w);

    CHECK(w != NULL);
    w->last_used = when;
    CHECK_INT(ant__idle_push(idle, w), 0);
    return w;
}

static void push_now(struct ant__idle *idle, int n)
{
    while (n-- > 0)
        push(idle, tick());
}

/* Of the last one that entered then or before; -1: there is none. */
static int search(const struct ant__idle *idle, ant_time cutoff)
{
    return (int)ant__idle_expired(idle, cutoff) - 1;
}

static int free_list(struct ant__worker *list)
{
    int n = 0;

    for (struct ant__worker *next; list; list = next, n++) {
        next = list->next;
        free(list);
    }
    return n;
}

static void free_all(struct ant__idle *idle)
{
    free_list(ant__idle_cut(idle, idle->len));
    CHECK_INT(idle->len, 0);
    ant__idle_free(idle);
}

static void new_is_empty(size_t size)
{
    struct ant__idle idle;

    CHECK_INT(ant__idle_stack_init(&idle, size), 0);
    CHECK(!idle.is_ring);
    CHECK_INT(idle.len, 0);
    CHECK_INT(search(&idle, now), -1);
    CHECK(!ant__idle_pop(&idle));
    ant__idle_free(&idle);
}

static void refresh(void)
{
    struct ant__idle idle;
    struct ant__worker *old, *last;

    CHECK_INT(ant__idle_stack_init(&idle, 0), 0);
    push_now(&idle, 5);
    CHECK_INT(idle.len, 5);
    push_now(&idle, 1);
    now += EXPIRY;
    push_now(&idle, 5);
    last = push(&idle, tick());
    CHECK_INT(idle.len, 12);
    old = ant__idle_cut(&idle, ant__idle_expired(&idle, now - EXPIRY));
    CHECK_INT(free_list(old), 6);
    CHECK_INT(idle.len, 6);
    CHECK(ant__idle_pop(&idle) == last);
    free(last);
    free_all(&idle);
}

static void searching(void)
{
    struct ant__idle idle;
    ant_time e1, e2, e3;

    CHECK_INT(ant__idle_stack_init(&idle, 0), 0);
    e1 = tick();
    push_now(&idle, 1);
    CHECK_INT(search(&idle, tick()), 0);
    CHECK_INT(search(&idle, e1), -1);
    e2 = tick();
    push_now(&idle, 1);
    CHECK_INT(search(&idle, e1), -1);
    CHECK_INT(search(&idle, e2), 0);
    CHECK_INT(search(&idle, tick()), 1);
    push_now(&idle, 5);
    e3 = tick();
    push(&idle, e3);
    push_now(&idle, 10);
    CHECK_INT(search(&idle, e3), 7);
    free_all(&idle);
}

static void which_one(bool prealloc)
{
    const ant_pool_options options = {.prealloc = prealloc};
    ant_pool *pool;

    CHECK_INT(ant_pool_new(&pool, 10, &options), 0);
    CHECK_INT(((struct ant__pool *)pool)->teams->shards->idle.is_ring, prealloc);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static int run(void *arg)
{
    new_is_empty(100);
    new_is_empty(0);
    refresh();
    searching();
    which_one(false);
    which_one(true);
    return 0;
}

TEST(ants_53_idle_stack)
{
    return ant_run(run, NULL, NULL);
}
