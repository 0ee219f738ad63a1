// exceptions.cc - an exception of C++ passes through ant_try, in goroutines and in threads: destructors run,
// the try is left, and a later panic goes to the one around it.
#include <anthill.h>

#include <cstdio>
#include <stdexcept>

namespace
{

int failures, destroyed, deferred;

void expect(bool holds, const char *what)
{
    if (!holds) {
        std::fprintf(stderr, "%s\n", what);
        failures++;
    }
}

struct guard {
    ~guard()
    {
        destroyed++;
    }
};

void count(void *)
{
    deferred++;
}

void throw_up(void *)
{
    guard g;

    ANT_DEFER(count, nullptr);
    throw std::runtime_error("thrown");
}

void panic_now(void *)
{
    ant_panic("panicked");
}

void try_inside(void *)
{
    ant_try(throw_up, nullptr, nullptr);
    expect(false, "the inner try returned");
}

/* The two trys around the exception are left; the one around this is still there. */
void catch_and_panic(void *)
{
    bool caught = false;

    try {
        ant_try(try_inside, nullptr, nullptr);
    } catch (const std::runtime_error &) {
        caught = true;
    }
    expect(caught, "the exception was not caught");
    panic_now(nullptr);
}

int run(void *)
{
    destroyed = deferred = 0;
    for (int i = 1; i <= 100; i++) {
        ant_panic_info info;

        expect(ant_try(catch_and_panic, nullptr, &info) == ANT_EPANIC, "the panic was not caught");
        expect(destroyed == i && deferred == i, "a destructor or a deferred call did not run");
        expect(ant_try(panic_now, nullptr, &info) == ANT_EPANIC, "a second panic was not caught");
    }
    return 0;
}

} // namespace

int main()
{
    expect(run(nullptr) == 0, "a thread failed");
    expect(ant_run(run, nullptr, nullptr) == 0, "a goroutine failed");
    return failures != 0;
}
