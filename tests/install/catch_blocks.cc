// catch_blocks.cc - exceptions of C++ in goroutines that suspend while they handle one: each gets its own back,
// rethrown or not, nested or kept for later. A panic that leaves a catch block leaves nothing behind.
#include <anthill.h>

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

namespace
{

constexpr int goroutines = 1000;

ant_waitgroup all;
int failures;

void expect(bool holds, const char *what)
{
    if (!holds) {
        std::fprintf(stderr, "%s\n", what);
        __atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED);
    }
}

// Others run, handle theirs, and most likely this goroutine goes on in another thread.
void suspend()
{
    for (int i = 0; i < 3; i++)
        ant_yield();
    ant_sleep(ANT_MILLISECOND);
}

std::string current()
{
    try {
        throw;
    } catch (const std::exception &e) {
        return e.what();
    }
}

struct suspends_when_destroyed {
    ~suspends_when_destroyed()
    {
        expect(std::uncaught_exceptions() == 1, "not one exception is on its way");
        suspend();
        expect(std::uncaught_exceptions() == 1, "not one exception is on its way, later");
    }
};

void nested(const std::string &name)
{
    try {
        suspends_when_destroyed s;

        throw std::runtime_error(name + " inner");
    } catch (const std::exception &inner) {
        suspend();
        expect(inner.what() == name + " inner", "the inner exception is another one");
        expect(current() == name + " inner", "the inner one is not the current one");
    }
    expect(current() == name, "the outer one is not the current one again");
}

void handle(const std::string &name)
{
    std::exception_ptr kept;

    try {
        throw std::runtime_error(name);
    } catch (...) {
        suspend();
        expect(current() == name, "the exception is another one");
        nested(name);
        kept = std::current_exception();
        suspend();
        throw;
    }
}

void leave_by_panic(void *)
{
    try {
        throw std::runtime_error("left");
    } catch (...) {
        suspend();
        ant_panic("in a catch block");
    }
}

void goroutine(void *arg)
{
    const std::string name = "exception " + std::to_string(reinterpret_cast<std::intptr_t>(arg));
    bool caught = false;

    try {
        handle(name);
    } catch (const std::runtime_error &e) {
        suspend();
        caught = e.what() == name;
    }
    expect(caught, "the exception that was thrown again is another one");
    expect(ant_try(leave_by_panic, nullptr, nullptr) == ANT_EPANIC, "no panic");
    expect(!std::current_exception(), "an exception is left");
    expect(std::uncaught_exceptions() == 0, "an exception is still on its way");
    ant_waitgroup_done(&all);
}

int run(void *)
{
    ant_waitgroup_add(&all, goroutines);
    for (std::intptr_t i = 0; i < goroutines; i++)
        expect(ant_go(goroutine, reinterpret_cast<void *>(i)) == 0, "ant_go");
    ant_waitgroup_wait(&all);
    return 0;
}

// ---- in a pool

int handled;
std::string told;

void handle_panic(const ant_panic_info *info, void *)
{
    handled++;
    told = info->message;
    expect(info->frame_count > 0, "no frames");
}

void throw_up(void *)
{
    suspends_when_destroyed s;

    throw std::runtime_error("thrown in a task");
}

void throw_number(void *)
{
    throw 7;
}

// Through an ant_try of the task's own, which does not catch it.
void throw_through_try(void *)
{
    ant_try(throw_up, nullptr, nullptr);
    expect(false, "the try has caught an exception");
}

int in_pool(void *)
{
    ant_pool_options options = {};
    ant_pool *pool;

    options.panic_handler = handle_panic;
    expect(ant_pool_new(&pool, 1, &options) == 0, "ant_pool_new");
    for (int i = 0; i < 100; i++) {
        expect(ant_pool_submit(pool, throw_up, nullptr) == 0, "submit");
        expect(ant_pool_wait(pool) == 0 && told == "exception of C++: thrown in a task",
               "the handler was not told what it was");
    }
    expect(ant_pool_submit(pool, throw_through_try, nullptr) == 0, "submit");
    expect(ant_pool_wait(pool) == 0 && told == "exception of C++: thrown in a task",
           "the handler was not told what passed a try");
    expect(ant_pool_submit(pool, throw_number, nullptr) == 0, "submit");
    expect(ant_pool_destroy(pool) == 0, "destroy");
    expect(handled == 102, "not each exception was a panic");
    expect(told == "exception of C++: its type is no std::exception", "a number was told wrongly");
    return 0;
}

int uncaught(void *)
{
    ant_go_options options = {};

    options.name = "thrower";
    ant_go_opts(&options, throw_up, nullptr);
    ant_sleep(ANT_SECOND);
    return 0;
}

} // namespace

int main(int argc, char **)
{
    if (argc > 1)
        return ant_run(uncaught, nullptr, nullptr);
    for (int procs = 1; procs <= 8; procs *= 2) {
        ant_config config = {};

        config.procs = procs;
        handled = 0;
        expect(ant_run(run, nullptr, &config) == 0, "a run failed");
        expect(ant_run(in_pool, nullptr, &config) == 0, "a run with a pool failed");
    }
    return failures != 0;
}
