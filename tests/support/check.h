/* check.h - what a test needs to say what went wrong.
 *
 *     TEST(pool_basic)
 *     {
 *         CHECK_INT(1 + 1, 2);
 *         return 0;
 *     }
 *
 * A test has a process of its own. It returns 0, or a check fails, which prints where and why and
 * ends the process on the spot. The process ends by _exit and not by a jump, because the check may
 * stand on any stack, and without the handlers of exit, because other threads still run.
 */
#ifndef ANT_TESTS_CHECK_H
#define ANT_TESTS_CHECK_H

#include <dirent.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__SANITIZE_THREAD__)
#define TEST_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TEST_TSAN 1
#endif
#endif
#ifndef TEST_TSAN
#define TEST_TSAN 0
#endif

#if defined(__SANITIZE_ADDRESS__)
#define TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TEST_SANITIZED 1
#endif
#endif
#ifndef TEST_SANITIZED
#define TEST_SANITIZED TEST_TSAN
#endif

#if defined(__has_include)
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#endif
#endif
#ifndef RUNNING_ON_VALGRIND
#define RUNNING_ON_VALGRIND 0
#endif

/* -- a test ------------------------------------------------------------------------------------ */

struct test {
    const char *name;
    int (*fn)(void);
};

/* Registers a test with the runner; its body follows. */
#define TEST(test_name)                                                                            \
    static int test__##test_name(void);                                                            \
    static const struct test test__##test_name##_entry = {.name = #test_name,                      \
                                                          .fn = test__##test_name};                \
    __attribute__((                                                                                \
        used,                                                                                      \
        section("ant_tests"))) static const struct test *const test__##test_name##_registered =    \
        &test__##test_name##_entry;                                                                \
    static int test__##test_name(void)

/* Starts the running test anew in this process, as a fresh program. What differs the second time it
 * learns from the environment. */
__attribute__((noreturn)) void test_restart(void);

/* -- checks ------------------------------------------------------------------------------------ */

#define FAIL(...) test__fail(__FILE__, __LINE__, __VA_ARGS__)

#define CHECK(cond) ((cond) ? (void)0 : FAIL("%s is false", #cond))

/* Integers of any type; the values are printed as signed numbers. */
#define CHECK_INT(actual, expected)                                                                \
    test__int(__FILE__, __LINE__, #actual, (long long)(actual), (long long)(expected))

/* Strings; NULL equals only NULL. */
#define CHECK_STR(actual, expected) test__str(__FILE__, __LINE__, #actual, actual, expected)

/* text contains part. */
#define CHECK_HAS(text, part) test__has(__FILE__, __LINE__, #text, text, part)

__attribute__((noreturn, format(printf, 3, 4))) static inline void
test__fail(const char *file, int line, const char *format, ...)
{
    char text[1024];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    dprintf(STDERR_FILENO, "%s:%d: %s\n", file, line, text);
    _exit(1);
}

static inline void test__int(const char *file, int line, const char *expression, long long actual,
                             long long expected)
{
    if (actual != expected)
        test__fail(file, line, "%s is %lld, not %lld", expression, actual, expected);
}

static inline void test__str(const char *file, int line, const char *expression, const char *actual,
                             const char *expected)
{
    bool same = actual && expected ? !strcmp(actual, expected) : actual == expected;

    if (!same)
        test__fail(file, line, "%s is \"%s\", not \"%s\"", expression, actual ? actual : "(NULL)",
                   expected ? expected : "(NULL)");
}

static inline void test__has(const char *file, int line, const char *expression, const char *text,
                             const char *part)
{
    if (!text || !strstr(text, part))
        test__fail(file, line, "%s has no \"%s\" in it: \"%s\"", expression, part,
                   text ? text : "(NULL)");
}

/* -- memory ------------------------------------------------------------------------------------ */

/* Zero-filled memory, for the rest of the process. For large buffers: as static ones they would lie in
 * the one program that holds all tests, and the leak check of ASan would read them in each. */
static inline void *test_memory(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED)
        FAIL("cannot map %zu bytes", size);
    return memory;
}

/* -- how much to do ---------------------------------------------------------------------------- */

/* The suite sets ANT_TEST_SCALE to a divisor for the sanitizers, Valgrind and qemu. */
static inline int test_divisor(void)
{
    const char *scale = getenv("ANT_TEST_SCALE");

    return scale && atoi(scale) > 1 ? atoi(scale) : 1;
}

/* full, or less where everything is slow, at least 1. */
static inline int test_scale(int full)
{
    int n = full / test_divisor();

    return n > 1 ? n : 1;
}

/* The same, but at least `least`: for races, that a few rounds would hardly meet. */
static inline int test_scale_least(int full, int least)
{
    int n = test_scale(full);

    return n > least ? n : least;
}

/* ThreadSanitizer, Valgrind, qemu. */
static inline bool test_is_slow(void)
{
    return test_divisor() > 10;
}

/* How long a stress test goes on: short_form, or ANT_TORTURE_SECONDS when that is set. */
static inline double torture_seconds(double short_form)
{
    const char *seconds = getenv("ANT_TORTURE_SECONDS");
    double n = seconds ? atof(seconds) : 0;

    return n > 0 ? n : short_form;
}

/* Seconds on the monotonic clock, read without Anthill. */
static inline double test_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* -- leaks ------------------------------------------------------------------------------------- */

/* What a process holds besides memory of malloc. Take it when things are quiet, after one warm-up
 * round: libc keeps stacks of ended threads and arenas of malloc.
 *
 *     struct test_resources before = test_resources_now();
 *     ...
 *     test_resources_check(&before, 2);
 */
struct test_resources {
    int threads;
    int fds;
    int mappings;   /* lines of /proc/self/maps, where neighbours may have merged */
    long kilobytes; /* of address space */
};

static inline int test__count_entries(const char *path)
{
    DIR *dir = opendir(path);
    struct dirent *entry;
    int n = 0;

    if (!dir)
        FAIL("cannot read %s", path);
    while ((entry = readdir(dir)))
        n += entry->d_name[0] != '.';
    closedir(dir);
    return n;
}

static inline int test__count_mappings(void)
{
    char buf[4096];
    ssize_t len;
    int n = 0;
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        FAIL("cannot read /proc/self/maps");
    while ((len = read(fd, buf, sizeof buf)) > 0)
        for (ssize_t i = 0; i < len; i++)
            n += buf[i] == '\n';
    close(fd);
    return n;
}

static inline long test__address_space(void)
{
    FILE *file = fopen("/proc/self/statm", "re");
    long pages;

    if (!file || fscanf(file, "%ld", &pages) != 1)
        FAIL("cannot read /proc/self/statm");
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static inline struct test_resources test_resources_now(void)
{
    return (struct test_resources){
        .threads = test__count_entries("/proc/self/task"),
        .fds = test__count_entries("/proc/self/fd"),
        .mappings = test__count_mappings(),
        .kilobytes = test__address_space(),
    };
}

static inline bool test__no_more_than(const struct test_resources *now,
                                      const struct test_resources *before, int more_mappings)
{
    return now->threads <= before->threads && now->fds <= before->fds &&
           (TEST_SANITIZED || RUNNING_ON_VALGRIND ||
            now->mappings <= before->mappings + more_mappings);
}

/* Fails if there are more threads, fds or, beyond more_mappings, mappings than before. A thread
 * that was joined may be listed for a moment still, hence the patience. The sanitizers and
 * Valgrind map what they like, so under them mappings do not count. */
#define test_resources_check(before, more_mappings)                                                \
    test__resources(__FILE__, __LINE__, before, more_mappings)

static inline void test__resources(const char *file, int line, const struct test_resources *before,
                                   int more_mappings)
{
    double deadline = test_now() + 2;
    struct test_resources now = test_resources_now();

    while (!test__no_more_than(&now, before, more_mappings)) {
        if (test_now() > deadline)
            test__fail(file, line,
                       "left behind: threads %d -> %d, fds %d -> %d, mappings %d -> %d (+%d)",
                       before->threads, now.threads, before->fds, now.fds, before->mappings,
                       now.mappings, more_mappings);
        usleep(1000);
        now = test_resources_now();
    }
}

/* Fails if there is more address space than before, beyond more_kilobytes: for tests that repeat a
 * cycle so often that a leak of the smallest mapping in each is more than that. In fast builds only:
 * qemu too maps what it likes. */
#define test_address_space_check(before, more_kilobytes)                                           \
    test__address_space_check(__FILE__, __LINE__, before, more_kilobytes)

static inline void test__address_space_check(const char *file, int line,
                                             const struct test_resources *before,
                                             long more_kilobytes)
{
    long now = test__address_space();
    bool is_fast = !TEST_SANITIZED && !RUNNING_ON_VALGRIND && test_divisor() < 5;

    if (is_fast && now > before->kilobytes + more_kilobytes)
        test__fail(file, line, "left behind: %ld KB of address space, more than %ld",
                   now - before->kilobytes, more_kilobytes);
}

/* malloc makes no arenas for threads, which would count as memory that was left behind. */
static inline void test_one_arena(void)
{
#ifdef M_ARENA_MAX
    mallopt(M_ARENA_MAX, 1);
#endif
}

/* -- tests of how a program dies --------------------------------------------------------------- */

/* Runs fn in a child process and returns how it ended, as waitpid tells it. What it wrote to
 * standard output and error is in output, cut off at size. Call it while there are no threads. */
static inline int test_child(void (*fn)(void), char *output, size_t size)
{
    size_t len = 0;
    char rest[512];
    int status, fds[2];
    pid_t pid;

    fflush(NULL);
    if (pipe(fds) || (pid = fork()) < 0)
        FAIL("cannot make a child process");
    if (pid == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        dup2(fds[1], STDOUT_FILENO);
        dup2(fds[1], STDERR_FILENO);
        close(fds[0]);
        close(fds[1]);
        fn();
        fflush(NULL);
        _exit(0);
    }
    close(fds[1]);
    for (;;) {
        bool full = len + 1 >= size;
        ssize_t n = read(fds[0], full ? rest : output + len, full ? sizeof rest : size - 1 - len);

        if (n <= 0)
            break;
        len += full ? 0 : (size_t)n;
    }
    output[len] = '\0';
    close(fds[0]);
    CHECK_INT(waitpid(pid, &status, 0), pid);
    return status;
}

#endif
