// w4_tbb.cc - W4 on oneTBB: a task group in an arena with as many threads as we have Ps. Twin of
// ../w4_pool.c.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

static int argument(int argc, char **argv, const char *name, int value)
{
    for (int i = 1; i < argc; i++)
        if (!std::strncmp(argv[i], name, std::strlen(name)) && argv[i][std::strlen(name)] == '=')
            value = std::atoi(argv[i] + std::strlen(name) + 1);
    return value;
}

int main(int argc, char **argv)
{
    const int procs = argument(argc, argv, "procs", 2);
    const int count = argument(argc, argv, "count", 1000000);
    const int producers = argument(argc, argv, "producers", 1);
    const int rounds = argument(argc, argv, "rounds", 5);
    tbb::task_arena arena(procs);
    std::string values;
    double cold = 0;

    for (int r = 0; r < rounds; r++) {
        const auto start = std::chrono::steady_clock::now();
        tbb::task_group group;
        auto produce = [&] {
            arena.execute([&] {
                for (int i = 0; i < count / producers; i++)
                    group.run([] {});
            });
        };
        std::vector<std::thread> others;

        for (int i = 1; i < producers; i++)
            others.emplace_back(produce);
        produce();
        for (auto &t : others)
            t.join();
        arena.execute([&] { group.wait(); });
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        const double ns = took.count() * 1e9 / count;
        if (r == 0)
            cold = ns;
        else
            values += (values.empty() ? "" : ",") + std::to_string(ns);
    }
    std::printf("{\"work\":\"W4\",\"metric\":\"time\",\"param\":\"oneTBB\",\"unit\":\"ns\","
                "\"cold\":%f,\"values\":[%s]}\n",
                cold, values.c_str());
}
