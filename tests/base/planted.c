/* planted.c - tests that fail in all the ways a test can, for runner.sh: the runner must report each
 * as what it is. */
#include <pthread.h>

#include "check.h"

TEST(planted_pass)
{
    return 0;
}

TEST(planted_fail)
{
    CHECK_INT(1 + 1, 3);
    return 0;
}

TEST(planted_hang)
{
    for (;;)
        pause();
    return 0;
}

TEST(planted_crash)
{
    int *volatile nowhere = NULL;

    *nowhere = 1;
    return 0;
}

TEST(planted_fd)
{
    return open("/dev/null", O_RDONLY) < 0;
}

static void *wait_for_ever(void *arg)
{
    for (;;)
        pause();
    return arg;
}

TEST(planted_thread)
{
    pthread_t thread;

    return pthread_create(&thread, NULL, wait_for_ever, NULL);
}

/* More than one: a pointer to the last may still lie somewhere on the stack. */
TEST(planted_memory)
{
    for (int i = 0; i < 100; i++) {
        char *volatile memory = malloc(100);

        memory[0] = 1;
    }
    return 0;
}
