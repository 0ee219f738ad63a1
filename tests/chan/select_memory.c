/* select_memory - 200,000 selects, with few cases and with more than fit on the stack, leave no
 * memory behind. As Go's select2. */
#include <malloc.h>

#include <anthill.h>

#include "check.h"

enum { CASES = 20 };

static ant_chan *chans[2];
static ant_waitgroup wg;

struct job {
    bool sends;
    int cases, times;
};

/* Most cases are hopeless; times selects, which the partner answers. */
static void work(void *arg)
{
    struct job job = *(struct job *)arg;
    int v = 1;
    ant_case cases[CASES];

    for (int i = 0; i < job.cases; i++) {
        if (job.sends)
            cases[i] = (ant_case)ANT_SEND(i < 2 ? chans[i] : NULL, &v);
        else
            cases[i] = (ant_case)ANT_RECV(i < 2 ? chans[i] : NULL, &v);
    }
    for (int i = 0; i < job.times; i++)
        CHECK(ant_select(cases, job.cases) >= 0);
    ant_waitgroup_done(&wg);
}

static void round_with(int cases, int times)
{
    ant_waitgroup_add(&wg, 2);
    for (int i = 0; i < 2; i++) {
        struct job job = {i, cases, times};

        CHECK_INT(ant_go_copy(work, &job, sizeof job), 0);
    }
    ant_waitgroup_wait(&wg);
}

/* Pages of this process that are in memory. */
static long resident(void)
{
    FILE *f = fopen("/proc/self/statm", "r");
    long size, pages;

    CHECK(f);
    CHECK_INT(fscanf(f, "%ld %ld", &size, &pages), 2);
    fclose(f);
    return pages;
}

static int run(void *arg)
{
    int times = test_scale(100000);
    size_t before;
    long pages;

    CHECK_INT(ant_chan_new(&chans[0], sizeof(int), 0), 0);
    CHECK_INT(ant_chan_new(&chans[1], sizeof(int), 0), 0);
    for (int i = 0; i < 3; i++) {
        round_with(2, 1000);
        round_with(CASES, 1000);
        resident();
    }
    before = mallinfo2().uordblks;
    pages = resident();
    round_with(2, times);
    round_with(CASES, times);
    if (mallinfo2().uordblks > before + 100000)
        FAIL("%zu bytes in use, before %zu", mallinfo2().uordblks, before);
    if (resident() > pages + 512)
        FAIL("%ld pages in memory, before %ld", resident(), pages);
    CHECK_INT(ant_chan_destroy(chans[0]), 0);
    CHECK_INT(ant_chan_destroy(chans[1]), 0);
    return 0;
}

TEST(select_memory)
{
    return ant_run(run, NULL, NULL);
}
