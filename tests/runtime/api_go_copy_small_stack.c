/* api_go_copy_small_stack - the quarter of the stack holds for the smallest default stack too: 512
 * of 2048 bytes. */
#include <errno.h>

#include <anthill.h>

#include "check.h"

static ant_waitgroup wg;
static int sum_of_bytes;

static void add_up(void *copy)
{
    const unsigned char *bytes = copy;
    int sum = 0;

    for (int i = 0; i < 512; i++)
        sum += bytes[i];
    sum_of_bytes = sum;
    ant_waitgroup_done(&wg);
}

TEST(api_go_copy_small_stack)
{
    unsigned char bytes[513];
    const ant_config config = {.stack_size = 2048};

    memset(bytes, 2, sizeof bytes);
    CHECK_INT(ant_start(&config), 0);
    CHECK_INT(ant_go_copy(add_up, bytes, 513), -EINVAL);
    ant_waitgroup_add(&wg, 1);
    CHECK_INT(ant_go_copy(add_up, bytes, 512), 0);
    ant_waitgroup_wait(&wg);
    CHECK_INT(sum_of_bytes, 1024);
    CHECK_INT(ant_stop(), 0);
    return 0;
}
