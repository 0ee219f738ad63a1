/* life_memory - many runs leave no memory of malloc behind. (The mappings are counted by
 * life_run.) */
#include <malloc.h>

#include "life_cycles.h"

static int run(void *arg)
{
    static ant_waitgroup begun;

    begun = (ant_waitgroup){0};
    life_fill(&begun);
    return 0;
}

TEST(life_memory)
{
    int runs = test_scale(200) + 10;
    size_t before;

    for (int i = 0; i < 20; i++)
        CHECK_INT(ant_run(run, NULL, NULL), 0);
    before = mallinfo2().uordblks;
    for (int i = 0; i < runs; i++)
        CHECK_INT(ant_run(run, NULL, NULL), 0);
    if (mallinfo2().uordblks > before + 100 * (size_t)runs) /* libc's own */
        FAIL("%zu bytes in use, before %zu", mallinfo2().uordblks, before);
    return 0;
}
