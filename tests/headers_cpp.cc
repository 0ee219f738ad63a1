/* headers_cpp.cc - the headers in C++17: goroutines, the macros, and linkage as C. */
#include <anthill.h>

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

} // namespace

int main()
{
    job j;
    int got = ant_run(run, &j, nullptr);

    if (got != 1)
        std::fprintf(stderr, "ant_run gave %d (%s), not 1\n", got, ant_err_name(got));
    return got != 1;
}
