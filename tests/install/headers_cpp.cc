/* headers_cpp.cc - the headers in C++17: goroutines, the macros, typed pools, and linkage as C. */
#include <anthill.h>

#include <atomic>
#include <cstdio>

namespace
{

struct job {
    ant_waitgroup wg{};
    int deferred = 0;
};

void count(void *arg)
{
    ++*static_cast<int *>(arg);
}

void work(void *arg)
{
    job *j = *static_cast<job **>(arg);

    {
        ANT_DEFER(count, &j->deferred);
        ant_sleep(ANT_MICROSECOND);
    }
    ant_waitgroup_done(&j->wg);
}

int run(void *arg)
{
    job *j = static_cast<job *>(arg);

    ant_waitgroup_add(&j->wg, 1);
    if (int err = ant_go_copy(work, &j, sizeof j))
        return err;
    ant_waitgroup_wait(&j->wg);
    return j->deferred;
}

struct part {
    int n;
    std::atomic<int> *sum;
};

void add(part p)
{
    *p.sum += p.n;
}

ANT_FUNC_POOL_DEFINE(part_pool, part);
ANT_MULTI_FUNC_POOL_DEFINE(part_pools, part);

/* The sum of 1 to n by a pool, or the error. */
template <class Pool, class Invoke, class Destroy>
int sum_up(Pool &pool, int n, Invoke invoke, Destroy destroy)
{
    std::atomic<int> sum{0};

    for (int i = 1; i <= n; i++)
        if (int err = invoke(&pool, part{i, &sum}))
            return err;
    if (int err = destroy(&pool))
        return err;
    return sum;
}

int sum_by_pool(void *)
{
    part_pool pool;

    if (int err = part_pool_new(&pool, 3, add, nullptr))
        return err;
    return sum_up(pool, 100, part_pool_invoke, part_pool_destroy);
}

int sum_by_pools(void *)
{
    part_pools pools;

    if (int err = part_pools_new(&pools, 2, 3, add, ANT_LEAST_TASKS, nullptr))
        return err;
    return sum_up(pools, 100, part_pools_invoke, part_pools_destroy);
}

/* An exception leaves the block, and the context with it. */
void throw_in_time(ant_ctx *parent)
{
    ANT_TIMEOUT(ctx, parent, ANT_HOUR);

    if (!ant_ctx_err(ctx))
        throw 42;
}

int pending_timers()
{
    ant_stats stats;

    return ant_stats_get(&stats) ? -1 : static_cast<int>(stats.timers);
}

int leave_by_exception(void *)
{
    ANT_TIMEOUT(outer, nullptr, ANT_HOUR);
    int caught = 0;

    try {
        throw_in_time(outer);
    } catch (int thrown) {
        caught = thrown;
    }
    return pending_timers() == 1 ? caught : -1;
}

bool gives(int expected, int (*fn)(void *), void *arg)
{
    int got = ant_run(fn, arg, nullptr);

    if (got != expected)
        std::fprintf(stderr, "ant_run gave %d (%s), not %d\n", got, ant_err_name(got), expected);
    return got == expected;
}

} // namespace

int main()
{
    job j;

    return !gives(1, run, &j) || !gives(5050, sum_by_pool, nullptr) ||
           !gives(5050, sum_by_pools, nullptr) || !gives(42, leave_by_exception, nullptr);
}
