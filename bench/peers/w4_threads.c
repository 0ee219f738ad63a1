/* w4_threads.c - W4 without goroutines: a thread for each task, as many at a time as the pool has
 * workers. Does a tenth of the tasks; the figure is for each of them. Twin of ../w4_pool.c. */
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include "../bench.h"

static int procs = 2, count = 1000000, workers = 50000, producers = 1, rounds = 5;
static sem_t slots;

static void *task(void *arg)
{
    sem_post(&slots);
    return arg;
}

static void start_one(const pthread_attr_t *attr)
{
    pthread_t thread;

    sem_wait(&slots);
    while (pthread_create(&thread, attr, task, NULL) != 0)
        usleep(100); /* those that end are not gone yet */
}

static double one_round(void)
{
    double start = bench_seconds();
    pthread_attr_t attr;

    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 64 << 10);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    for (int i = 0; i < count / 10; i++)
        start_one(&attr);
    for (int i = 0; i < workers; i++)
        sem_wait(&slots);
    for (int i = 0; i < workers; i++)
        sem_post(&slots);
    return (bench_seconds() - start) * 1e9 / (count / 10);
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
    sem_init(&slots, 0, (unsigned)workers);
    bench_time("W4", "a thread for each task", rounds, one_round);
    return 0;
}
