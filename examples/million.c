/* million.c - a million tasks of 10 ms each, through a pool of 50,000 workers; then the same with a
 * thread for each task.
 *
 *     million [tasks [workers [seconds for the threads]]]
 *
 * Each task adds its number to a sum, which must come out right. Prints a progress bar on a
 * terminal, plain lines elsewhere, and a table. The threads, of which as many may be alive as the
 * pool has workers, are given 10 seconds; 0 leaves them out.
 */
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <anthill.h>

enum { STACK = 2048, THREAD_STACK = 64 << 10, TASK_MS = 10, BAR = 40 };

static struct {
    int tasks, workers, thread_seconds;
    bool terminal;
    atomic_int done;
    atomic_llong sum;
} work = {.tasks = 1000000, .workers = 50000, .thread_seconds = 10};

static double seconds(void)
{
    return (double)ant_now() / (double)ANT_SECOND;
}

static void finish_task(int number)
{
    atomic_fetch_add_explicit(&work.sum, number, memory_order_relaxed);
    atomic_fetch_add_explicit(&work.done, 1, memory_order_relaxed);
}

static void show(const char *rest)
{
    int done = atomic_load(&work.done);
    int full = (int)((long long)BAR * done / work.tasks);

    if (work.terminal)
        printf("\r[%.*s%*s] %d done, %s ", full, "########################################",
               BAR - full, "", done, rest);
    else
        printf("%d done, %s\n", done, rest);
    fflush(stdout);
}

/* ---- through a pool ---- */

ANT_FUNC_POOL_DEFINE(task_pool, int);

static void task(int number)
{
    ant_sleep(TASK_MS * ANT_MILLISECOND);
    finish_task(number);
}

static void produce(void *arg)
{
    const task_pool *pool = arg;

    for (int i = 1; i <= work.tasks; i++) {
        int err = task_pool_invoke(pool, i); /* waits while all workers are busy */

        if (err) {
            fprintf(stderr, "task %d cannot be started: %s\n", i, ant_strerror(err));
            exit(1);
        }
    }
}

static void watch(ant_func_pool *pool)
{
    while (atomic_load(&work.done) < work.tasks) {
        char figures[64];

        ant_sleep(100 * ANT_MILLISECOND);
        snprintf(figures, sizeof figures, "%d running, %d waiting  ", ant_func_pool_running(pool),
                 ant_func_pool_waiting(pool));
        show(figures);
    }
    if (work.terminal)
        printf("\n");
}

static void print_table(double took)
{
    struct rusage usage;
    ant_stats stats;

    getrusage(RUSAGE_SELF, &usage);
    ant_stats_get(&stats);
    printf("\n");
    printf("  tasks of %d ms           %12d by %d workers\n", TASK_MS, work.tasks, work.workers);
    printf("  time                     %12.3f s; with no overhead at all: %.3f s\n", took,
           (double)((work.tasks + work.workers - 1) / work.workers) * TASK_MS / 1000);
    printf("  tasks per second         %12.0f\n", work.tasks / took);
    printf("  CPU time                 %12.2f s\n",
           (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
               (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6);
    printf("  peak memory              %12.1f MB\n", (double)usage.ru_maxrss / 1024);
    printf("  memory per worker        %12.0f bytes\n",
           (double)usage.ru_maxrss * 1024 / work.workers);
    printf("  switches                 %12llu\n", (unsigned long long)stats.switches);
    printf("  steals                   %12llu\n", (unsigned long long)stats.steals);
    printf("  threads                  %12d on %d procs\n", stats.threads, stats.procs);
}

static int run(void *arg)
{
    double *took = arg, begin = seconds();
    task_pool pool;
    int err = task_pool_new(&pool, work.workers, task,
                            &(ant_pool_options){.name = "million", .stack_size = STACK});

    if (!err)
        err = ant_go(produce, &pool);
    if (err)
        return err;
    watch(task_pool_any(&pool));
    *took = seconds() - begin;
    print_table(*took);
    return task_pool_destroy(&pool);
}

/* ---- a thread for each task ---- */

static sem_t slots; /* for threads that are alive */

static void *task_in_thread(void *number)
{
    nanosleep(&(struct timespec){.tv_nsec = TASK_MS * 1000000L}, NULL);
    finish_task((int)(long)number);
    sem_post(&slots);
    return NULL;
}

/* False: the system gives no more threads at the moment. */
static bool start_thread(const pthread_attr_t *attr, int number)
{
    pthread_t thread;

    sem_wait(&slots);
    if (pthread_create(&thread, attr, task_in_thread, (void *)(long)number) == 0)
        return true;
    sem_post(&slots);
    usleep(1000);
    return false;
}

/* Returns how many tasks were done. */
static int run_threads(double *ret_took)
{
    double begin = seconds(), next_look = begin + 1;
    pthread_attr_t attr;
    int started = 0;

    atomic_store(&work.done, 0);
    sem_init(&slots, 0, (unsigned)work.workers);
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, THREAD_STACK);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    while (started < work.tasks && seconds() - begin < work.thread_seconds) {
        started += start_thread(&attr, started + 1);
        if (seconds() >= next_look) {
            show("by threads  ");
            next_look += work.terminal ? 0.1 : 1;
        }
    }
    while (atomic_load(&work.done) < started)
        usleep(1000);
    *ret_took = seconds() - begin;
    pthread_attr_destroy(&attr);
    return started;
}

static void compare(double took)
{
    double took_threads;
    int n = run_threads(&took_threads);
    double rate = n / took_threads, pool_rate = work.tasks / took;

    printf("%s  a thread for each task   %12.0f tasks per second: %d of them in %.1f s\n",
           work.terminal ? "\n\n" : "\n", rate, n, took_threads);
    printf("  the pool                 %12.1f times as many\n", pool_rate / rate);
}

/* ---- */

static bool parse(const char *text, int min, int *ret_n)
{
    char *end;
    long n = strtol(text, &end, 10);

    if (*text == '\0' || *end != '\0' || n < min || n > INT_MAX)
        return false;
    *ret_n = (int)n;
    return true;
}

int main(int argc, char **argv)
{
    double took;
    bool right;
    int err;

    if (argc > 4 || (argc > 1 && !parse(argv[1], 1, &work.tasks)) ||
        (argc > 2 && !parse(argv[2], 1, &work.workers)) ||
        (argc > 3 && !parse(argv[3], 0, &work.thread_seconds))) {
        fprintf(stderr, "usage: %s [tasks [workers [seconds for the threads]]]\n", argv[0]);
        return 2;
    }
    work.terminal = isatty(STDOUT_FILENO);
    err = ant_run(run, &took, NULL);
    if (err) {
        fprintf(stderr, "%s: %s\n", argv[0], ant_strerror(err));
        return 1;
    }
    right = atomic_load(&work.sum) == (long long)work.tasks * (work.tasks + 1) / 2;
    printf("  sum                      %12lld, %s\n", atomic_load(&work.sum),
           right ? "as it must be" : "WRONG");
    if (work.thread_seconds)
        compare(took);
    return !right;
}
