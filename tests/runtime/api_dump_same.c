/* api_dump_same - goroutines that wait at the same place are one entry with their number, and with the
 * numbers and names of the first; a dump for which there is too little memory says how many it left
 * out, and without any is refused.
 *
 * Catches: a dump of a hundred thousand goroutines that nobody can read. */
#include "dump_text.h"
#include "fail_from.h"

enum { N = 1000 };

static ant_waitgroup begun, never;

static void many(void *arg)
{
    ant_waitgroup_done(&begun);
    ant_waitgroup_wait(&never);
}

static __attribute__((noinline)) void make_many(void)
{
    char name[] = "the first";

    ant_waitgroup_add(&begun, N);
    ant_waitgroup_add(&never, 1);
    for (int i = 0; i < N; i++)
        CHECK_INT(ant_go_opts(&(ant_go_options){.name = i == 0 ? name : NULL}, many, NULL), 0);
    ant_waitgroup_wait(&begun);
    do
        take_dump();
    while (!strstr(text, "\n1000 goroutines [waitgroup wait, "));
}

static void check_entry(void)
{
    const char *at = strstr(text, "\n1000 goroutines [");
    int first, others[3], length = 0;
    double shortest, longest;

    CHECK_INT(sscanf(at,
                     "\n1000 goroutines [waitgroup wait, %lf to %lf s]: %d the first, %d, %d, %d, "
                     "...\n%n",
                     &shortest, &longest, &first, &others[0], &others[1], &others[2], &length),
              6);
    CHECK(length > 0 && shortest >= 0 && longest >= shortest && longest < 3600);
    for (int i = 0; i < 3; i++)
        CHECK_INT(others[i], first + 1 + i);
    CHECK_HAS(at, "\n  entry many+0x");
    CHECK_HAS(at, "\n  created by goroutine 1 at make_many+0x");
    CHECK(!strstr(strstr(at, "entry many") + 1, "entry many"));
}

static int run(void *arg)
{
    make_many();
    check_entry();
    fail_from(1);
    CHECK_INT(ant_dump(STDERR_FILENO), -ENOMEM);
    fail_from(2);
    take_dump();
    fail_no_more();
    CHECK_STR(text, "1001 goroutines, 1 procs\n\nand 1001 more, for which there was no memory\n");
    return 0;
}

TEST(api_dump_same)
{
    CHECK_INT(unsetenv("ANTHILL"), 0);
    return ant_run(run, NULL, &(ant_config){.procs = 1});
}
