/* w4_glib.c - W4 on GLib's GThreadPool with as many threads as we have Ps. Twin of ../w4_pool.c. */
#include <glib.h>
#include <pthread.h>
#include <stdatomic.h>

#include "../bench.h"

static int procs = 2, count = 1000000, workers = 50000, producers = 1, rounds = 5;
static GThreadPool *pool;
static atomic_int left;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_done = PTHREAD_COND_INITIALIZER;

static void task(void *data, void *user_data)
{
    (void)data, (void)user_data;
    if (atomic_fetch_sub(&left, 1) == 1) {
        pthread_mutex_lock(&lock);
        pthread_cond_signal(&all_done);
        pthread_mutex_unlock(&lock);
    }
}

static void *produce(void *arg)
{
    for (int i = 0; i < count / producers; i++)
        g_thread_pool_push(pool, &left, NULL);
    return arg;
}

static double one_round(void)
{
    double start = bench_seconds();
    pthread_t threads[64];

    atomic_store(&left, count / producers * producers);
    for (int i = 1; i < producers && i < 64; i++)
        pthread_create(&threads[i], NULL, produce, NULL);
    produce(NULL);
    for (int i = 1; i < producers && i < 64; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_lock(&lock);
    while (atomic_load(&left) > 0)
        pthread_cond_wait(&all_done, &lock);
    pthread_mutex_unlock(&lock);
    return (bench_seconds() - start) * 1e9 / count;
}

int main(int argc, char **argv)
{
    (void)argc;
    bench_parse(argv, (struct bench_option[]){{"procs", &procs},
                                              {"count", &count},
                                              {"workers", &workers},
                                              {"producers", &producers},
                                              {"rounds", &rounds},
                                              {NULL, NULL}});
    pool = g_thread_pool_new(task, NULL, procs, TRUE, NULL);
    bench_time("W4", "GThreadPool", rounds, one_round);
    g_thread_pool_free(pool, FALSE, TRUE);
    return 0;
}
