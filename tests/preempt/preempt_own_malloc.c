/* preempt_own_malloc - a program that has a malloc of its own cannot be told apart from it, so its
 * goroutines are not interrupted. Those that compute lose their P all the same.
 *
 * Catches: a goroutine interrupted in such a malloc. */
#include <stdatomic.h>

#include <anthill.h>

#include "preempt.h"

enum { ROOM = 64 << 20, HEAD = 16 };

static _Alignas(HEAD) char room[ROOM];
static _Atomic size_t used;
static _Atomic bool released;

/* Each block's size stands before it. Nothing is used again. */
void *malloc(size_t size)
{
    size_t whole = HEAD + ((size + HEAD - 1) & ~(size_t)(HEAD - 1));
    size_t at = atomic_fetch_add(&used, whole);

    if (size > ROOM || at + whole > ROOM)
        return NULL;
    memcpy(room + at, &size, sizeof size);
    return room + at + HEAD;
}

void free(void *block)
{
}

void *calloc(size_t n, size_t size)
{
    return malloc(n * size); /* it is zeros as it was never used */
}

void *realloc(void *block, size_t size)
{
    void *larger = malloc(size);
    size_t before = 0;

    if (block && larger) {
        memcpy(&before, (char *)block - HEAD, sizeof before);
        memcpy(larger, block, before < size ? before : size);
    }
    return larger;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    char *block = malloc(size + alignment);

    return block ? block + alignment - (uintptr_t)block % alignment : NULL;
}

int posix_memalign(void **ret_block, size_t alignment, size_t size)
{
    *ret_block = aligned_alloc(alignment, size);
    return *ret_block ? 0 : 12;
}

static void hog(void *arg)
{
    while (!atomic_load(&released))
        continue;
    ant_waitgroup_done(arg);
}

static void release(void *arg)
{
    atomic_store(&released, true);
}

static int run(void *arg)
{
    const ant_go_options options = {.preempt = ANT_PREEMPT_SIGNAL};
    ant_waitgroup wg = {0};

    CHECK(!ant__preempt_works());
    ant_waitgroup_add(&wg, 1);
    CHECK_INT(ant_go(release, NULL), 0);
    CHECK_INT(ant_go_opts(&options, hog, &wg), 0); /* the last one comes first */
    ant_waitgroup_wait(&wg);
    CHECK_INT(preempted(), 0);
    return 0;
}

TEST(preempt_own_malloc)
{
    CHECK_INT(unsetenv("ANTHILL"), 0);
    CHECK_INT(ant_run(run, NULL, &(ant_config){.procs = 1}), 0);
    return 0;
}
