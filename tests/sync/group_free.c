/* group_free - the memory of a group may go when the wait has returned, while its functions may
 * still be on their way out: on the stack and on the heap, with a limit and a context, from
 * goroutines and from a thread. ASan sees what is touched after free, the rubbish shows the
 * rest. */
#include <anthill.h>

#include "check.h"

enum { FUNCTIONS = 4 };

static ant_waitgroup wg;

static int task(void *err)
{
    return (int)(intptr_t)err;
}

static int task_that_exits(void *arg)
{
    ant_exit();
}

static void use(ant_group *group, int i)
{
    ant_ctx *ctx;

    if (i & 1)
        CHECK_INT(ant_group_init_ctx(group, &ctx, NULL), 0);
    if (i & 2)
        CHECK_INT(ant_group_set_limit(group, 2), 0);
    for (int k = 0; k < FUNCTIONS; k++) {
        void *err = (void *)(intptr_t)(i & 4 && k == 1 ? -7 : 0);

        CHECK_INT(ant_group_go(group, i & 8 && k == 2 ? task_that_exits : task, err), 0);
    }
    CHECK_INT(ant_group_wait(group), i & 4 ? -7 : 0);
    memset(group, 0x5a, sizeof *group);
    __asm__ volatile("" ::"r"(group) : "memory");
}

static __attribute__((noinline)) void use_on_stack(int i)
{
    ant_group group = {0};

    use(&group, i);
}

static void use_many(void *arg)
{
    int n = test_scale(5000);

    for (int i = 0; i < n; i++) {
        ant_group *group = calloc(1, sizeof *group);

        CHECK(group);
        use(group, i);
        free(group);
        use_on_stack(i);
    }
    ant_waitgroup_done(&wg);
}

TEST(group_free)
{
    CHECK_INT(ant_start(NULL), 0);
    ant_waitgroup_add(&wg, 3);
    CHECK_INT(ant_go(use_many, NULL), 0);
    CHECK_INT(ant_go(use_many, NULL), 0);
    use_many(NULL);
    ant_waitgroup_wait(&wg);
    CHECK_INT(ant_stop(), 0);
    return 0;
}
