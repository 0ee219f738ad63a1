/* go_sched_local_queue.c - a P's ring gives back what was put in, in order, for every fill and
 * every position of its counters; when it is full, the older half comes out.
 *
 * Catches: off-by-one at full or empty; slots mixed up when the counters wrap around.
 */
#include "check.h"
#include "runtime/runtime.h"

enum { SIZE = ANT__RUNQ_SIZE };

static struct ant__g gs[SIZE + 1];
static struct ant__runq q;
static struct ant__glist overflow;

static void put(struct ant__g *g)
{
    ant__runq_put(&q, g, &overflow);
    CHECK_INT(overflow.n, 0);
}

static void check_empty(void)
{
    CHECK(ant__runq_empty(&q));
    CHECK_INT(ant__runq_len(&q), 0);
    CHECK(ant__runq_get(&q) == NULL);
}

static void put_and_get(int n)
{
    check_empty();
    for (int i = 0; i < n; i++) {
        put(&gs[i]);
        CHECK(!ant__runq_empty(&q));
        CHECK_INT(ant__runq_len(&q), i + 1);
    }
    for (int i = 0; i < n; i++) {
        CHECK_INT(ant__runq_len(&q), n - i);
        CHECK(ant__runq_get(&q) == &gs[i]);
    }
    check_empty();
}

/* One more than fits: the older half is pushed out in order, the rest stays in order. */
static void put_too_many(void)
{
    for (int i = 0; i < SIZE; i++)
        put(&gs[i]);
    CHECK(!ant__runq_try_put(&q, &gs[SIZE]));
    ant__runq_put(&q, &gs[SIZE], &overflow);
    CHECK_INT(overflow.n, SIZE / 2);
    for (int i = 0; i < SIZE / 2; i++)
        CHECK(ant__glist_pop(&overflow) == &gs[i]);
    CHECK_INT(ant__runq_len(&q), SIZE / 2 + 1);
    for (int i = SIZE / 2; i <= SIZE; i++)
        CHECK(ant__runq_get(&q) == &gs[i]);
    check_empty();
}

/* runnext comes first, and counts for emptiness but not for the length. */
static void next_comes_first(void)
{
    put(&gs[0]);
    CHECK(ant__runq_swap_next(&q, &gs[1]) == NULL);
    CHECK(ant__runq_swap_next(&q, &gs[2]) == &gs[1]);
    CHECK_INT(ant__runq_len(&q), 1);
    CHECK(ant__runq_get(&q) == &gs[2]);
    CHECK(ant__runq_get(&q) == &gs[0]);
    check_empty();
    CHECK(ant__runq_swap_next(&q, &gs[3]) == NULL);
    CHECK(!ant__runq_empty(&q));
    CHECK(ant__runq_take_next(&q) == &gs[3]);
    CHECK(ant__runq_take_next(&q) == NULL);
    check_empty();
}

static void all_from(uint32_t counter)
{
    ant__store_relaxed(&q.head, counter);
    ant__store_relaxed(&q.tail, counter);
    for (int n = 0; n <= SIZE; n++)
        put_and_get(n);
    put_too_many();
    next_comes_first();
}

TEST(go_sched_local_queue)
{
    all_from(0);
    all_from(UINT32_MAX);
    for (uint32_t before_wrap = 1; before_wrap <= SIZE; before_wrap++) {
        ant__store_relaxed(&q.head, 0 - before_wrap);
        ant__store_relaxed(&q.tail, 0 - before_wrap);
        put_and_get(SIZE);
        ant__store_relaxed(&q.head, 0 - before_wrap);
        ant__store_relaxed(&q.tail, 0 - before_wrap);
        put_too_many();
    }
    return 0;
}
