/* api_run_result - ant_run returns what the main goroutine returned, negative values too, and gives
 * it its argument. */
#include <limits.h>

#include <anthill.h>

#include "check.h"

static int give_back(void *arg)
{
    ant_yield();
    return *(int *)arg;
}

TEST(api_run_result)
{
    static int values[] = {0, 1, -1, 42, INT_MAX, INT_MIN, ANT_EPANIC};

    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        CHECK_INT(ant_run(give_back, &values[i], NULL), values[i]);
    return 0;
}
