/* config_seed - the scheduler's random choices follow from the seed and the number of the P;
 * without a seed every run has another one. */
#include <anthill.h>

#include "check.h"
#include "runtime/runtime.h"

static uint64_t seed_of_run(const ant_config *config)
{
    uint64_t seed;

    CHECK_INT(ant_start(config), 0);
    seed = ant__sched.config.seed;
    CHECK_INT(ant_stop(), 0);
    return seed;
}

/* The first thread draws when it looks for work. It has put its P by when all of them are idle. */
static void wait_for_idle_ps(int n)
{
    bool idle;

    do {
        ant__lock(&ant__sched.lock);
        idle = ant__load_relaxed(&ant__sched.idle_ps_n) == n;
        ant__unlock(&ant__sched.lock);
    } while (!idle);
}

static void check_p(int id, uint64_t seed)
{
    struct ant__random random;

    ant__random_seed(&random, seed, (uint64_t)id);
    for (int drawn = 0; random.state != ant__p_at(id)->random.state; drawn++) {
        CHECK(drawn < 1000);
        ant__random_next(&random);
    }
}

static void check_ps(uint64_t seed)
{
    CHECK_INT(ant_start(&(ant_config){.seed = seed, .procs = 3}), 0);
    wait_for_idle_ps(3);
    for (int i = 0; i < 3; i++)
        check_p(i, seed);
    CHECK_INT(ant_stop(), 0);
}

static void draw(uint64_t seed, uint64_t id, uint32_t numbers[100])
{
    struct ant__random random;

    ant__random_seed(&random, seed, id);
    for (int i = 0; i < 100; i++)
        numbers[i] = ant__random_next(&random);
}

static int equal(const uint32_t *a, const uint32_t *b)
{
    int n = 0;

    for (int i = 0; i < 100; i++)
        n += a[i] == b[i];
    return n;
}

TEST(config_seed)
{
    uint32_t first[100], again[100], other_p[100], other_seed[100];

    CHECK_INT(unsetenv("ANTHILL"), 0);
    CHECK_INT(seed_of_run(&(ant_config){.seed = 11}), 11);
    CHECK_INT(seed_of_run(&(ant_config){.seed = UINT64_MAX}), UINT64_MAX);
    check_ps(11);
    CHECK(seed_of_run(NULL) != 0);
    CHECK(seed_of_run(NULL) != seed_of_run(NULL));

    draw(1, 0, first);
    draw(1, 0, again);
    draw(1, 1, other_p);
    draw(2, 0, other_seed);
    CHECK_INT(equal(first, again), 100);
    CHECK(equal(first, other_p) < 10);
    CHECK(equal(first, other_seed) < 10);
    CHECK(equal(first, first) == 100 && first[0] != first[1]);
    return 0;
}
