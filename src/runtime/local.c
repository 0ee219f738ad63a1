/* local.c - goroutine-local values: a table for each goroutine that uses any, made at the first set.
 *
 * A key's serial changes when its index is used anew, so that a value set with an old key is not taken
 * for one of the new.
 */
#include <errno.h>
#include <stdlib.h>

#include "runtime/runtime.h"

struct key {
    uint32_t serial; /* odd while in use */
    void (*destroy)(void *);
};

struct value {
    uint32_t serial;
    void *value;
};

static struct {
    struct ant__lock lock;
    struct key keys[ANT_LOCAL_MAX];
} locals;

int ant_local_new(ant_local *ret_key, void (*destroy)(void *))
{
    int err = -EAGAIN;

    if (!ret_key)
        return -EINVAL;
    ant__lock(&locals.lock);
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
    ant__unlock(&locals.lock);
    return err;
}

/* The key's destroy function; false if there is no such key. */
static bool lookup(ant_local key, void (**ret_destroy)(void *))
{
    bool valid;

    if (key.index >= ANT_LOCAL_MAX)
        return false;
    ant__lock(&locals.lock);
    valid = locals.keys[key.index].serial == key.serial && key.serial & 1;
    *ret_destroy = locals.keys[key.index].destroy;
    ant__unlock(&locals.lock);
    return valid;
}

int ant_local_free(ant_local key)
{
    int err = -EINVAL;

    if (key.index >= ANT_LOCAL_MAX)
        return err;
    ant__lock(&locals.lock);
    if (locals.keys[key.index].serial == key.serial && key.serial & 1) {
        locals.keys[key.index].serial++;
        err = 0;
    }
    ant__unlock(&locals.lock);
    return err;
}

int ant_local_set(ant_local key, void *value)
{
    struct ant__m *m = ant__m();
    void (*destroy)(void *);
    struct value *table;

    if (!m)
        return ANT_ENOTGOROUTINE;
    if (!lookup(key, &destroy))
        return -EINVAL;
    table = m->g->locals;
    if (!table) {
        void *memory;
        int err = ant__alloc(&memory, ANT_LOCAL_MAX * sizeof *table);

        if (err)
            return err;
        m->g->locals = table = memory;
    }
    table[key.index] = (struct value){.serial = key.serial, .value = value};
    return 0;
}

void *ant_local_get(ant_local key)
{
    struct ant__m *m = ant__m();
    struct value *table = m ? m->g->locals : NULL;

    if (!table || key.index >= ANT_LOCAL_MAX || table[key.index].serial != key.serial)
        return NULL;
    return table[key.index].value;
}

/* A destroy function may set values anew: so a few rounds, as with threads. */
void ant__locals_destroy(struct ant__g *g)
{
    struct value *table = g->locals;
    bool again = true;

    for (int round = 0; again && round < 4; round++) {
        again = false;
        for (uint32_t i = 0; i < ANT_LOCAL_MAX; i++) {
            ant_local key = {.index = i, .serial = table[i].serial};
            void *value = table[i].value;
            void (*destroy)(void *);

            table[i].value = NULL;
            if (value && lookup(key, &destroy) && destroy) {
                destroy(value);
                again = true;
            }
        }
    }
    ant__locals_free(g);
}

void ant__locals_free(struct ant__g *g)
{
    free(g->locals);
    g->locals = NULL;
}
