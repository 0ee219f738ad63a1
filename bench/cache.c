/* cache.c - get an object from a cache and put it back; ns for the pair. */
#include "bench.h"

static int procs = 1;
static int count = 20000000;
static int rounds = 5;

static ant_cache *cache;

static void *make(void *arg)
{
    (void)arg;
    return malloc(64);
}

static void destroy(void *object, void *arg)
{
    (void)arg;
    free(object);
}

static double one_round(void)
{
    double start = bench_seconds();

    for (int i = 0; i < count; i++) {
        void *object = ant_cache_get(cache);

        ant_cache_put(cache, object);
    }
    return (bench_seconds() - start) * 1e9 / count;
}

static int bench(void *arg)
{
    char param[64];

    (void)arg;
    bench_must(ant_cache_new(&cache, make, destroy, NULL), "ant_cache_new");
    snprintf(param, sizeof param, "p%d %d", procs, count);
    bench_time("cache", param, rounds, one_round);
    ant_cache_destroy(cache);
    return 0;
}

int main(int argc, char **argv)
{
    (void)argc;
    bench_parse(argv, (struct bench_option[]){
                          {"procs", &procs}, {"count", &count}, {"rounds", &rounds}, {NULL, NULL}});
    return bench_run(bench, procs);
}
