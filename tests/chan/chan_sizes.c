/* chan_sizes - elements of all sizes arrive whole, through the ring and straight from stack to
 * stack, and one of size 0 is a signal. */
#include <string.h>

#include <anthill.h>

#include "check.h"

enum { MOST = 5000, EACH = 20 };

static size_t size;
static ant_chan *c;

static void fill_with(unsigned char *bytes, int seed)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)((size_t)seed * 31 + i * 7);
}

static void sender(void *arg)
{
    unsigned char bytes[MOST];

    for (int i = 0; i < EACH; i++) {
        fill_with(bytes, i);
        ant_chan_send(c, bytes);
    }
    ant_chan_close(c);
}

static int run(void *arg)
{
    static const size_t sizes[] = {0, 1, 2, 3, 4, 7, 8, 9, 16, 31, 64, 100, 1000, MOST};
    unsigned char got[MOST + 1], expected[MOST];

    for (size_t i = 0; i < 2 * sizeof sizes / sizeof sizes[0]; i++) {
        size = sizes[i / 2];
        CHECK_INT(ant_chan_new(&c, size, i % 2 ? 3 : 0), 0);
        CHECK_INT(ant_go(sender, NULL), 0);
        for (int j = 0; j < EACH; j++) {
            got[size] = 0xaa;
            CHECK(ant_chan_recv(c, got));
            fill_with(expected, j);
            CHECK(memcmp(got, expected, size) == 0);
            CHECK_INT(got[size], 0xaa);
        }
        CHECK(!ant_chan_recv(c, got));
        CHECK_INT(ant_chan_destroy(c), 0);
    }
    return 0;
}

TEST(chan_sizes)
{
    return ant_run(run, NULL, NULL);
}
