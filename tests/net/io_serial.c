/* io_serial - a handle that is four thousand million uses of its place old is still known as an old one.
 *
 * Catches: a serial of 32 bits, which comes round. */
#include "net/io.h"
#include "net_help.h"

static int run(void *arg)
{
    ant_io first[2], second[2];
    char c;

    CHECK_INT(ant_pipe(first), 0);
    close_pair(first);
    first[0].file->serial = first[0].serial + ((uint64_t)1 << 32);
    first[1].file->serial = first[1].serial + ((uint64_t)1 << 32);
    CHECK_INT(ant_pipe(second), 0); /* in the places that were freed last */
    CHECK(second[0].file == first[1].file && second[1].file == first[0].file);
    for (int i = 0; i < 2; i++) {
        CHECK_INT(ant_read(first[i], &c, 1), ANT_ECLOSED);
        CHECK_INT(ant_close(first[i]), ANT_ECLOSED);
        CHECK(second[1 - i].serial == first[i].serial + ((uint64_t)1 << 32));
    }
    CHECK_INT(ant_write(second[1], "x", 1), 1);
    CHECK_INT(ant_read(second[0], &c, 1), 1);
    close_pair(second);
    return 0;
}

TEST(io_serial)
{
    return ant_run(run, NULL, NULL);
}
