/* million.c - a million goroutines, all alive at once, sleep and add up.
 *
 *     million [goroutines]
 *
 * Goroutine number i sleeps between one and two seconds and then adds i to a sum, which must come
 * out right. Prints a progress bar on a terminal, plain lines elsewhere, and a table at the end.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <anthill.h>

enum { STACK = 2048 }; /* enough to sleep and add; the default would cost a page more for each */

struct work {
    long count;
    atomic_long started, finished;
    atomic_llong sum;
    ant_waitgroup all;
};

static struct work work;

static void sleeper(void *arg)
{
    long i = (long)arg;

    atomic_fetch_add_explicit(&work.started, 1, memory_order_relaxed);
    ant_sleep(ANT_SECOND + i % 1000 * ANT_MILLISECOND);
    atomic_fetch_add_explicit(&work.sum, i, memory_order_relaxed);
    atomic_fetch_add_explicit(&work.finished, 1, memory_order_relaxed);
    ant_waitgroup_done(&work.all);
}

static void spawner(void *arg)
{
    const ant_go_options options = {.stack_size = STACK};

    for (long i = 1; i <= work.count; i++) {
        int err = ant_go_opts(&options, sleeper, (void *)i);

        if (err) {
            fprintf(stderr, "goroutine %ld cannot be made: %s\n", i, ant_strerror(err));
            exit(1);
        }
        if (i % 1000 == 0)
            ant_yield();
    }
}

static void show_progress(bool terminal)
{
    long started = atomic_load(&work.started), finished = atomic_load(&work.finished);
    int full = (int)(40 * finished / work.count);
    int half = (int)(40 * started / work.count) - full;

    if (terminal)
        printf("\r[%.*s%.*s%*s] %ld started, %ld done ", full,
               "########################################", half,
               "----------------------------------------", 40 - full - half, "", started, finished);
    else
        printf("%ld started, %ld done\n", started, finished);
    fflush(stdout);
}

static void watch(bool terminal)
{
    int round = 0;

    while (atomic_load(&work.finished) < work.count) {
        ant_sleep(100 * ANT_MILLISECOND);
        if (terminal || round++ % 10 == 9)
            show_progress(terminal);
    }
    if (terminal)
        printf("\n");
}

static void print_table(ant_duration took)
{
    struct rusage usage;
    ant_stats stats;
    double seconds = (double)took / (double)ANT_SECOND;

    getrusage(RUSAGE_SELF, &usage);
    ant_stats_get(&stats);
    printf("\n");
    printf("  goroutines               %12ld\n", work.count);
    printf("  time                     %12.2f s, of which each slept 1 to 2 s\n", seconds);
    printf("  goroutines per second    %12.0f\n", (double)work.count / seconds);
    printf("  CPU time                 %12.2f s\n",
           (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
               (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6);
    printf("  peak memory              %12.1f MB\n", (double)usage.ru_maxrss / 1024);
    printf("  memory per goroutine     %12.0f bytes\n",
           (double)usage.ru_maxrss * 1024 / (double)work.count);
    printf("  switches                 %12llu\n", (unsigned long long)stats.switches);
    printf("  steals                   %12llu\n", (unsigned long long)stats.steals);
    printf("  threads                  %12d on %d procs\n", stats.threads, stats.procs);
}

static int run(void *arg)
{
    bool terminal = isatty(STDOUT_FILENO);
    long long expected = (long long)work.count * (work.count + 1) / 2;
    ant_time begin = ant_now();

    ant_waitgroup_add(&work.all, (int)work.count);
    ant_go(spawner, NULL);
    watch(terminal);
    ant_waitgroup_wait(&work.all);
    print_table(ant_now() - begin);
    printf("  sum                      %12lld, %s\n", atomic_load(&work.sum),
           atomic_load(&work.sum) == expected ? "as it must be" : "WRONG");
    return atomic_load(&work.sum) != expected;
}

int main(int argc, char **argv)
{
    int err;

    work.count = argc > 1 ? atol(argv[1]) : 1000000;
    if (argc > 2 || work.count < 1 || work.count > 100000000) {
        fprintf(stderr, "usage: %s [goroutines, 1 to 100000000]\n", argv[0]);
        return 2;
    }
    err = ant_run(run, NULL, NULL);
    if (err < 0)
        fprintf(stderr, "%s: %s\n", argv[0], ant_strerror(err));
    return err != 0;
}
