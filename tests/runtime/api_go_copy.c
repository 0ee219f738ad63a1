/* api_go_copy - the argument is copied before ant_go_copy returns, is aligned for any type, and is
 * the goroutine's own until it ends: for all sizes around the two places where it may lie (40 bytes
 * in the record, more on the stack), up to a quarter of the stack. */
#include <errno.h>
#include <pthread.h>
#include <stdalign.h>
#include <stddef.h>

#include <anthill.h>

#include "check.h"

enum { STACK = 64 << 10, MOST = STACK / 4 };

static const size_t sizes[] = {1,  2,  7,  8,  15,   16,   39,       40,  41,
                               42, 63, 64, 65, 1000, 4096, MOST - 1, MOST};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static ant_waitgroup wg;

/* The first byte tells which size it is, the rest follows from it. */
static void fill(unsigned char *bytes, int which)
{
    for (size_t i = 0; i < sizes[which]; i++)
        bytes[i] = (unsigned char)(which + (int)i * 3);
}

static void check_bytes(const unsigned char *bytes)
{
    int which = bytes[0];

    CHECK(which < SIZES);
    for (size_t i = 0; i < sizes[which]; i++)
        CHECK_INT(bytes[i], (unsigned char)(which + (int)i * 3));
}

static void goroutine(void *copy)
{
    CHECK_INT((uintptr_t)copy % alignof(max_align_t), 0);
    for (int i = 0; i < 3; i++) {
        check_bytes(copy);
        ant_yield();
    }
    ant_sleep(100 * ANT_MICROSECOND);
    check_bytes(copy);
    memset(copy, 0xee, sizes[*(unsigned char *)copy]); /* its own: may be written */
    ant_waitgroup_done(&wg);
}

static void without_argument(void *copy)
{
    ant_waitgroup_done(&wg);
}

static void start_all(int rounds)
{
    static __thread unsigned char bytes[MOST + 1];

    for (int round = 0; round < rounds; round++) {
        for (int which = 0; which < SIZES; which++) {
            ant_waitgroup_add(&wg, 1);
            fill(bytes, which);
            CHECK_INT(ant_go_copy(goroutine, bytes, sizes[which]), 0);
            memset(bytes, 0xff, sizes[which]);
        }
    }
    ant_waitgroup_add(&wg, 2);
    CHECK_INT(ant_go_copy(without_argument, NULL, 0), 0);
    CHECK_INT(ant_go_copy(without_argument, bytes, 0), 0);
    CHECK_INT(ant_go_copy(goroutine, bytes, MOST + 1), -EINVAL);
    CHECK_INT(ant_go_copy(goroutine, NULL, MOST), -EINVAL);
}

static void *thread(void *arg)
{
    start_all(test_scale(40));
    return NULL;
}

static int run(void *arg)
{
    pthread_t t;

    CHECK_INT(pthread_create(&t, NULL, thread, NULL), 0);
    start_all(test_scale(40));
    CHECK_INT(pthread_join(t, NULL), 0);
    ant_waitgroup_wait(&wg);
    return 0;
}

TEST(api_go_copy)
{
    CHECK_INT(ant_run(run, NULL, &(ant_config){.stack_size = STACK}), 0);
    return 0;
}
