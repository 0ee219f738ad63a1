/* local.c - goroutine-local values: a table for each goroutine that uses any, made at the first
 * set.
 *
 * All tables are linked, so that those of goroutines that were abandoned can be freed.
 *
 * A key's serial changes when its index is used anew, so that a value set with an old key is not
 * taken for one of the new.
 */
#include <errno.h>
#include <stdlib.h>

#include "runtime/preempt.h"

struct key {
    uint32_t serial; /* odd while in use */
    void (*destroy)(void *);
};

struct value {
    uint32_t serial;
    void *value;
};

struct table {
    struct table *next, **link;
    struct value values[ANT_LOCAL_MAX];
};

static struct {
    struct ant__lock lock;
    struct key keys[ANT_LOCAL_MAX];
    struct table *tables;
} locals;

int ant_local_new(ant_local *ret_key, void (*destroy)(void *))
{
    int err = -EAGAIN;
    uint8_t was;

    if (!ret_key)
        return -EINVAL;
    was = ant__lock_steady(&locals.lock);
    for (uint32_t i = 0; i < ANT_LOCAL_MAX; i++) {
        struct key *key = &locals.keys[i];

        if (key->serial & 1)
            continue;
        key->serial++;
        key->destroy = destroy;
        *ret_key = (ant_local){.index = i, .serial = key->serial};
        err = 0;
        break;
    }
    ant__unlock_steady(&locals.lock, was);
    return err;
}

/* The key's destroy function; false if there is no such key. */
static bool lookup(ant_local key, void (**ret_destroy)(void *))
{
    bool valid;
    uint8_t was;

    if (key.index >= ANT_LOCAL_MAX)
        return false;
    was = ant__lock_steady(&locals.lock);
    valid = locals.keys[key.index].serial == key.serial && key.serial & 1;
    *ret_destroy = locals.keys[key.index].destroy;
    ant__unlock_steady(&locals.lock, was);
    return valid;
}

int ant_local_free(ant_local key)
{
    int err = -EINVAL;
    uint8_t was;

    if (key.index >= ANT_LOCAL_MAX)
        return err;
    was = ant__lock_steady(&locals.lock);
    if (locals.keys[key.index].serial == key.serial && key.serial & 1) {
        locals.keys[key.index].serial++;
        err = 0;
    }
    ant__unlock_steady(&locals.lock, was);
    return err;
}

static int table_new(struct table **ret_table)
{
    void *memory;
    struct table *t;
    int err = ant__alloc(&memory, sizeof *t);
    uint8_t was;

    if (err)
        return err;
    t = memory;
    was = ant__lock_steady(&locals.lock);
    t->next = locals.tables;
    t->link = &locals.tables;
    if (t->next)
        t->next->link = &t->next;
    locals.tables = t;
    ant__unlock_steady(&locals.lock, was);
    *ret_table = t;
    return 0;
}

static void table_free(struct table *t)
{
    uint8_t was = ant__lock_steady(&locals.lock);

    *t->link = t->next;
    if (t->next)
        t->next->link = t->link;
    ant__unlock_steady(&locals.lock, was);
    free(t);
}

int ant_local_set(ant_local key, void *value)
{
    struct ant__g *g = ant__self();
    void (*destroy)(void *);
    struct table *t;

    if (!g)
        return ANT_ENOTGOROUTINE;
    if (!lookup(key, &destroy))
        return -EINVAL;
    t = g->stack->locals;
    if (!t) {
        int err = table_new(&t);

        if (err)
            return err;
        g->stack->locals = t;
    }
    t->values[key.index] = (struct value){.serial = key.serial, .value = value};
    return 0;
}

void *ant_local_get(ant_local key)
{
    struct ant__g *g = ant__self();
    struct table *t = g ? g->stack->locals : NULL;

    if (!t || key.index >= ANT_LOCAL_MAX || t->values[key.index].serial != key.serial)
        return NULL;
    return t->values[key.index].value;
}

static bool destroy_round(struct table *t)
{
    bool any = false;

    for (uint32_t i = 0; i < ANT_LOCAL_MAX; i++) {
        ant_local key = {.index = i, .serial = t->values[i].serial};
        void *value = t->values[i].value;
        void (*destroy)(void *);

        t->values[i].value = NULL;
        if (value && lookup(key, &destroy) && destroy) {
            destroy(value);
            any = true;
        }
    }
    return any;
}

/* A destroy function may set values anew: so a few rounds, as with threads. */
void ant__locals_destroy(struct ant__stack *s)
{
    for (int round = 0; round < 4 && destroy_round(s->locals); round++)
        continue;
    table_free(s->locals);
    s->locals = NULL;
}

/* The runtime has stopped. Without and_free an orphan may still use its table. */
void ant__locals_forget_all(bool and_free)
{
    while (and_free && locals.tables)
        table_free(locals.tables);
    locals.tables = NULL;
}
