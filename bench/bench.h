/* bench.h - what the works of the benchmark share: arguments, clock, peak memory, the output line.
 *
 * A work is one program. It takes arguments of the form name=value, repeats its work in one process
 * for a number of rounds, and prints one line of JSON for each figure:
 *
 *     {"work":"W2","metric":"time","param":"p1 1000000","unit":"ns","cold":51.2,"values":[44,45]}
 *
 * "cold" is the first round, in which memory is touched for the first time; "values" are the later
 * ones. bench/go holds the twin of each program, with the same arguments and the same output.
 */
#ifndef ANTHILL_BENCH_H
#define ANTHILL_BENCH_H

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <anthill.h>

#define BENCH_MAX_ROUNDS 1000

struct bench_option {
    const char *name;
    int *value; /* holds the default; all values are > 0 */
};

struct bench_series {
    const char *metric;
    const char *unit;
    int len;
    double rounds[BENCH_MAX_ROUNDS]; /* rounds[0] is the cold one */
};

__attribute__((noreturn)) static inline void bench_die(const char *what, const char *why)
{
    fprintf(stderr, "bench: %s: %s\n", what, why);
    exit(1);
}

/* For calls that a work cannot go on without. */
static inline void bench_must(int err, const char *what)
{
    if (err < 0)
        bench_die(what, ant_strerror(err));
}

static inline bool bench_set_option(const struct bench_option *options, const char *arg)
{
    const char *equals = strchr(arg, '=');
    size_t len = equals ? (size_t)(equals - arg) : 0;

    for (const struct bench_option *o = options; equals && o->name; o++) {
        char *end;
        long value;

        if (strlen(o->name) != len || strncmp(o->name, arg, len) != 0)
            continue;
        errno = 0;
        value = strtol(equals + 1, &end, 10);
        if (errno || *end || end == equals + 1 || value <= 0 || value > INT_MAX)
            return false;
        *o->value = (int)value;
        return true;
    }
    return false;
}

/* options ends with a NULL name. Ends the process with a message if an argument is none of them. */
static inline void bench_parse(char **argv, const struct bench_option *options)
{
    for (char **arg = argv + 1; *arg; arg++) {
        if (bench_set_option(options, *arg))
            continue;
        fprintf(stderr, "%s: bad argument \"%s\"; known, with defaults:", argv[0], *arg);
        for (const struct bench_option *o = options; o->name; o++)
            fprintf(stderr, " %s=%d", o->name, *o->value);
        fputc('\n', stderr);
        exit(2);
    }
}

static inline double bench_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* That the process has used, in user code and in the kernel. */
static inline double bench_cpu_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* A field of /proc/self/status that is given in kB, in bytes. Not getrusage's ru_maxrss: that
 * starts with the peak of the process that called exec, here a Python interpreter of 15 MB. */
static inline double bench_status_bytes(const char *field)
{
    char line[256];
    size_t len = strlen(field);
    long kb = -1;
    FILE *f = fopen("/proc/self/status", "re");

    while (f && kb < 0 && fgets(line, sizeof line, f))
        if (strncmp(line, field, len) == 0 && line[len] == ':')
            kb = strtol(line + len + 1, NULL, 10);
    if (f)
        fclose(f);
    if (kb < 0)
        bench_die("/proc/self/status", field);
    return (double)kb * 1024;
}

static inline double bench_rss(void)
{
    return bench_status_bytes("VmRSS");
}

/* Of the page tables, which VmRSS does not count. */
static inline double bench_page_tables(void)
{
    return bench_status_bytes("VmPTE");
}

static inline double bench_peak_rss(void)
{
    return bench_status_bytes("VmHWM");
}

/* Begins a new peak, so that each round has its own. */
static inline void bench_reset_peak_rss(void)
{
    FILE *f = fopen("/proc/self/clear_refs", "we");

    if (!f || fputs("5", f) < 0 || fclose(f) != 0)
        bench_die("/proc/self/clear_refs", strerror(errno));
}

/* For qsort. */
static inline int bench_by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static inline void bench_add(struct bench_series *s, double value)
{
    if (s->len >= BENCH_MAX_ROUNDS)
        bench_die(s->metric, "too many rounds");
    s->rounds[s->len++] = value;
}

static inline void bench_print(const char *work, const char *param, const struct bench_series *s)
{
    printf("{\"work\":\"%s\",\"metric\":\"%s\",\"param\":\"%s\",\"unit\":\"%s\",\"cold\":%.9g,"
           "\"values\":[",
           work, s->metric, param, s->unit, s->rounds[0]);
    for (int i = 1; i < s->len; i++)
        printf("%s%.9g", i > 1 ? "," : "", s->rounds[i]);
    puts("]}");
}

/* For works whose only figure is the ns that a round returns. */
static inline void bench_time(const char *work, const char *param, int rounds,
                              double (*one_round)(void))
{
    static struct bench_series time = {.metric = "time", .unit = "ns"};

    for (int i = 0; i < rounds; i++)
        bench_add(&time, one_round());
    bench_print(work, param, &time);
}

/* Runs fn(NULL) as the main goroutine on procs Ps; the exit status of the program. */
static inline int bench_run(int (*fn)(void *), int procs)
{
    int err = ant_run(fn, NULL, &(ant_config){.procs = procs});

    bench_must(err, "ant_run");
    return fflush(stdout) == 0 ? 0 : 1;
}

#endif
