/* life_start_stop - a hundred times ant_start and ant_stop with everything left behind that can be:
 * no thread, fd or mapping remains. */

#include "life_cycles.h"

static void cycle(int i)
{
    static ant_waitgroup begun;
    const ant_config config = {.stop_timeout = ANT_MINUTE,
                               .stack_size = i % 3 == 1 ? 64 << 10 : 0,
                               .fault_panics = i % 3 == 1,
                               .dump_on_quit = i % 5 == 1,
                               .schedtrace = i % 7 == 1 ? 3600000 : 0};

    CHECK_INT(ant_start(&config), 0);
    if (i % 10) /* now and then nothing happens in between */
        life_fill(&begun);
    CHECK_INT(ant_stop(), 0);
    begun = (ant_waitgroup){0};
}

TEST(life_start_stop)
{
    int cycles = test_is_slow() ? 15 : test_divisor() > 5 ? 30 : 100;
    struct test_resources before;

    test_one_arena();
    for (int i = 0; i < 10; i++)
        cycle(i);
    before = test_resources_now();
    for (int i = 0; i < cycles; i++)
        cycle(i);
    test_resources_check(&before,
                         40); /* libc keeps stacks of as many threads as there were at once */
    test_address_space_check(&before, 16 * 260); /* the same; 100 alternate stacks are 7 MB */
    return 0;
}
