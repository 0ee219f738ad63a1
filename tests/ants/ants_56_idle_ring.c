/* ants_56_idle_ring - rows 56 to 59: the ring of idle workers: a new one is empty, and cannot be of
 * size 0; a full one takes no more; the search finds the right slot wherever the ring begins; and
 * the expired ones are taken off, the oldest first. The clock is a counter. (The pool itself takes
 * the newest one: that lies where it was when it is put back.) */
#include <errno.h>

#include <anthill.h>

#include "check.h"
#include "pool/idle.h"

enum { SIZE = 10, EXPIRY = 100 };

static ant_time now;

static ant_time tick(void)
{
    return ++now;
}

static int push(struct ant__idle *idle, ant_time when)
{
    struct ant__worker *w = calloc(1, sizeof *w);
    int err;

    CHECK(w != NULL);
    w->last_used = when;
    err = ant__idle_push(idle, w);
    if (err)
        free(w);
    return err;
}

static void push_now(struct ant__idle *idle, int n)
{
    while (n-- > 0)
        CHECK_INT(push(idle, tick()), 0);
}

static void detach(struct ant__idle *idle, int n)
{
    while (n-- > 0) {
        struct ant__worker *w = ant__idle_ring_shift(idle);

        CHECK(w != NULL);
        free(w);
    }
}

/* The slot of the last one that entered then or before; -1: there is none. */
static int search(const struct ant__idle *idle, ant_time cutoff)
{
    size_t n = ant__idle_expired(idle, cutoff);

    return n ? (int)ant__idle_slot(idle, n - 1) : -1;
}

/* Takes off what has expired, and checks that it lay in the given slots, in this order. */
static void expire(struct ant__idle *idle, const int *slots, int n)
{
    struct ant__worker *expected[SIZE], *list;

    for (int i = 0; i < n; i++)
        expected[i] = idle->items[slots[i]];
    list = ant__idle_cut(idle, ant__idle_expired(idle, now - EXPIRY));
    for (int i = 0; i < n; i++) {
        CHECK(list == expected[i]);
        list = list->next;
        free(expected[i]);
    }
    CHECK(!list);
}

static void new_is_empty(void)
{
    struct ant__idle idle;

    CHECK_INT(ant__idle_ring_init(&idle, 0), -EINVAL);
    CHECK_INT(ant__idle_ring_init(&idle, 100), 0);
    CHECK(idle.is_ring);
    CHECK_INT(idle.len, 0);
    CHECK_INT(search(&idle, now), -1);
    CHECK(!ant__idle_ring_shift(&idle));
    CHECK(!ant__idle_pop(&idle));
    ant__idle_free(&idle);
}

static void fill_and_refresh(void)
{
    struct ant__idle idle;

    CHECK_INT(ant__idle_ring_init(&idle, SIZE), 0);
    push_now(&idle, 5);
    CHECK_INT(idle.len, 5);
    detach(&idle, 1);
    CHECK_INT(idle.len, 4);
    now += EXPIRY;
    push_now(&idle, 6);
    CHECK_INT(idle.len, 10);
    CHECK_INT(push(&idle, tick()), -ENOSPC);
    CHECK_INT(idle.len, 10);
    expire(&idle, (int[]){1, 2, 3, 4}, 4);
    CHECK_INT(idle.len, 6);
    detach(&idle, 6);
    ant__idle_free(&idle);
}

/* Slots 0 to 9 are filled; returns what was the time between the first two. */
static ant_time search_straight(struct ant__idle *idle)
{
    ant_time e1 = tick(), e2, e3;

    push_now(idle, 1);
    CHECK_INT(search(idle, tick()), 0);
    CHECK_INT(search(idle, e1), -1);
    e2 = tick();
    push_now(idle, 1);
    CHECK_INT(search(idle, e1), -1);
    CHECK_INT(search(idle, e2), 0);
    CHECK_INT(search(idle, tick()), 1);
    push_now(idle, 5);
    e3 = tick();
    CHECK_INT(push(idle, e3), 0);
    while (push(idle, tick()) == 0)
        continue;
    CHECK_INT(idle->len, SIZE);
    CHECK_INT(search(idle, e3), 7);
    return e2;
}

static void search_rotated(void)
{
    struct ant__idle idle;
    ant_time e2, e4, e5;

    CHECK_INT(ant__idle_ring_init(&idle, SIZE), 0);
    e2 = search_straight(&idle);
    detach(&idle, 6);
    e4 = tick();
    CHECK_INT(push(&idle, e4), 0);
    push_now(&idle, 4);
    CHECK_INT(search(&idle, e4), 0);
    detach(&idle, 3);
    e5 = tick();
    CHECK_INT(push(&idle, e5), 0);
    CHECK_INT(search(&idle, e5), 5);
    push_now(&idle, 3);
    CHECK_INT(idle.len, SIZE);
    CHECK_INT(search(&idle, e2), -1);
    CHECK_INT(search(&idle, idle.items[9]->last_used), 9);
    CHECK_INT(search(&idle, tick()), 8);
    detach(&idle, SIZE);
    ant__idle_free(&idle);
}

static void retrieve_expired(void)
{
    struct ant__idle idle;

    CHECK_INT(ant__idle_ring_init(&idle, SIZE), 0);
    push_now(&idle, 5);
    now += EXPIRY;
    push_now(&idle, 5);
    expire(&idle, (int[]){0, 1, 2, 3, 4}, 5);

    now += EXPIRY;
    push_now(&idle, 5);
    expire(&idle, (int[]){5, 6, 7, 8, 9}, 5);

    push_now(&idle, 5);
    detach(&idle, 5);
    push_now(&idle, 3);
    now += EXPIRY;
    expire(&idle, (int[]){5, 6, 7, 8, 9, 0, 1, 2}, 8);
    CHECK_INT(idle.len, 0);
    ant__idle_free(&idle);
}

/* Wherever the ring begins, and so across its end, too. */
static void newest(void)
{
    struct ant__idle idle;

    CHECK_INT(ant__idle_ring_init(&idle, SIZE), 0);
    for (int first = 0; first < SIZE; first++) {
        ant_time last = now + SIZE;

        push_now(&idle, SIZE);
        for (int i = 0; i < SIZE; i++, last--) {
            struct ant__worker *w = ant__idle_pop(&idle);

            CHECK_INT(w->last_used, last);
            CHECK_INT(ant__idle_push(&idle, w), 0);
            CHECK(ant__idle_pop(&idle) == w);
            CHECK_INT(search(&idle, last),
                      idle.len ? (int)ant__idle_slot(&idle, idle.len - 1) : -1);
            free(w);
        }
        push_now(&idle, 1);
        detach(&idle, 1); /* it begins one slot further on */
        CHECK_INT(idle.first, (first + 1) % SIZE);
    }
    ant__idle_free(&idle);
}

static int run(void *arg)
{
    newest();
    new_is_empty();
    fill_and_refresh();
    search_rotated();
    retrieve_expired();
    return 0;
}

TEST(ants_56_idle_ring)
{
    return ant_run(run, NULL, NULL);
}
