/* api_go_opts - a goroutine gets the stack it asked for, rounded up to a power of two, beside
 * others with other sizes; options and their fields may be absent. */
#include <anthill.h>

#include "check.h"
#include "runtime/runtime.h" /* the size it really got */

static const struct {
    size_t asked, got;
} sizes[] = {
    {0, 256 << 10},           {16 << 10, 16 << 10}, {(16 << 10) + 1, 32 << 10},
    {30000, 32 << 10},        {64 << 10, 64 << 10}, {100000, 128 << 10},
    {256 << 10, 256 << 10},   {1 << 20, 1 << 20},   {1000001, 1 << 20},
    {(1 << 20) + 1, 2 << 20}, {64 << 20, 64 << 20}, {(size_t)1 << 30, (size_t)1 << 30},
};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static ant_waitgroup wg;

/* With the sanitizers, whose frames are larger, no stack is smaller than 64 KB. */
static size_t expected(size_t got)
{
    return TEST_SANITIZED && got < 64 << 10 ? 64 << 10 : got;
}

static void goroutine(void *arg)
{
    size_t i = (size_t)arg;
    const struct ant__stack *s = ant__m()->g->stack;

    CHECK_INT(ant__stack_size(s), expected(sizes[i].got));
    CHECK_STR(s->name, i % 2 ? "odd" : NULL);
    ant_yield();
    CHECK_INT(ant__stack_size(ant__m()->g->stack), expected(sizes[i].got));
    ant_waitgroup_done(&wg);
}

static void without_options(void *arg)
{
    CHECK_INT(ant__stack_size(ant__m()->g->stack), 256 << 10);
    CHECK(!ant__m()->g->stack->name);
    CHECK(arg == &wg);
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    for (int round = 0; round < test_scale(100); round++) {
        ant_waitgroup_add(&wg, SIZES + 1);
        for (size_t i = 0; i < SIZES; i++) {
            const ant_go_options options = {.stack_size = sizes[i].asked,
                                            .name = i % 2 ? "odd" : NULL};

            CHECK_INT(ant_go_opts(&options, goroutine, (void *)i), 0);
        }
        CHECK_INT(ant_go_opts(NULL, without_options, &wg), 0);
        ant_waitgroup_wait(&wg);
    }
    return 0;
}

TEST(api_go_opts)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
