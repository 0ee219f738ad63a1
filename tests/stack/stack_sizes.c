/* stack_sizes - stacks of every size from 2 KB to 1 MB side by side: what a goroutine writes on its
 * own, as far down as it may, is there after it was suspended, and nothing else is touched. */
#include <anthill.h>

#include "check.h"

enum { SMALLEST = TEST_SANITIZED ? 64 << 10 : 2 << 10, LARGEST = 1 << 20 };

static ant_waitgroup wg;

/* The record above, a guard, and the frames of a suspension, which are larger without optimisation. */
static size_t usable(size_t size)
{
    return size <= 4096 ? size / 4 : size - size / 4 - (size < 65536 ? 3072 : 20480);
}

static void use(size_t size, unsigned seed)
{
    size_t n = usable(size);
    volatile unsigned char bytes[n];

    for (size_t i = 0; i < n; i++)
        bytes[i] = (unsigned char)(seed + i);
    for (int round = 0; round < 3; round++) {
        if (round == 1)
            ant_sleep(10 * ANT_MICROSECOND);
        else
            ant_yield();
        for (size_t i = 0; i < n; i++) {
            if (bytes[i] != (unsigned char)(seed + i))
                FAIL("stack of %zu: byte %zu of %zu was overwritten", size, i, n);
        }
    }
}

static void goroutine(void *arg)
{
    use((size_t)arg, (unsigned)ant_id());
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    int each = test_is_slow() ? 4 : 20;

    /* The first call of a function of libc needs more than 2 KB for the dynamic linker. */
    ant_sleep(1);
    for (int round = 0; round < test_scale(8); round++) {
        for (size_t size = SMALLEST; size <= LARGEST; size *= 2) {
            ant_waitgroup_add(&wg, each);
            for (int i = 0; i < each; i++)
                CHECK_INT(
                    ant_go_opts(&(ant_go_options){.stack_size = size}, goroutine, (void *)size), 0);
        }
        if (round % 4 == 3)
            ant_waitgroup_wait(&wg);
    }
    ant_waitgroup_wait(&wg);
    return 0;
}

TEST(stack_sizes)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
