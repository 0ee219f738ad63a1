/* life_run - a hundred times ant_run whose main goroutine returns with everything left behind that
 * can be: no thread, fd or mapping remains. */

#include "life_cycles.h"

static int run(void *arg)
{
    static ant_waitgroup begun;
    int i = *(int *)arg;

    begun = (ant_waitgroup){0};
    if (i % 10)
        life_fill(&begun);
    if (i % 3 == 0)
        CHECK_INT(ant_lock_thread(), 0); /* the main goroutine too may be tied */
    return i;
}

TEST(life_run)
{
    int cycles = test_is_slow() ? 15 : test_divisor() > 5 ? 30 : 100;
    struct test_resources before;

    test_one_arena();
    for (int i = 0; i < 10; i++)
        CHECK_INT(ant_run(run, &i, NULL), i);
    before = test_resources_now();
    for (int i = 0; i < cycles; i++)
        CHECK_INT(ant_run(run, &i, NULL), i);
    test_resources_check(&before,
                         40); /* libc keeps stacks of as many threads as there were at once */
    test_address_space_check(&before, 16 * 260); /* the same; 100 alternate stacks are 7 MB */
    return 0;
}
