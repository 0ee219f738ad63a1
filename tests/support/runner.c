/* runner.c - the program that holds the tests.
 *
 *   anthill_tests NAME                 runs one test in this very process, so also under gdb
 *   anthill_tests [options] [NAME...]  runs each in a process of its own and reports how it ended
 *
 * A test is registered by TEST (check.h). It passes if it returns 0 and leaves no thread, no
 * descriptor and no process behind. A test that ends the process before it returns has failed,
 * whatever the exit status. ctest runs each test by its name, so that a test that fails, hangs or dies
 * hurts no other; the second form does the same without ctest, for repeating a test many times.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include "check.h"

/* The linker collects what TEST registers, and marks where it begins and ends. */
extern const struct test *const __start_ant_tests[], *const __stop_ant_tests[];

#define FOR_EACH_TEST(t)                                                                           \
    for (const struct test *const *t = __start_ant_tests; t < __stop_ant_tests; t++)

enum { MAX_JOBS = 256, MAX_REPEAT = 1000000, MAX_TIMEOUT = 1000000, MAX_ENTRIES = 4096 };

static const char usage[] =
    "usage: anthill_tests NAME                  one test, in this process (for gdb)\n"
    "       anthill_tests [options] [NAME ...]  each in a process of its own; none: all of them\n"
    "  A NAME may be a pattern of the shell, as 'pool_*'.\n"
    "  --list       print the names\n"
    "  --repeat N   run each N times\n"
    "  --jobs N     so many at a time; 1 if not given\n"
    "  --timeout S  kill a test after S seconds; if not given after 60, in slow builds 240, and\n"
    "               ANT_TORTURE_SECONDS more\n"
    "How many Ps: ANTHILL=procs=8 in the environment.\n";

/* -- one test in this process ------------------------------------------------------------------ */

/* The numbers in a directory of /proc: descriptors, threads or processes. */
struct entries {
    int n;
    int number[MAX_ENTRIES];
};

static void read_entries(const char *path, struct entries *all)
{
    DIR *dir = opendir(path);
    struct dirent *entry;

    if (!dir)
        FAIL("cannot read %s", path);
    all->n = 0;
    while ((entry = readdir(dir)))
        if (entry->d_name[0] != '.' && atoi(entry->d_name) != dirfd(dir) && all->n < MAX_ENTRIES)
            all->number[all->n++] = atoi(entry->d_name);
    closedir(dir);
}

static bool has_entry(const struct entries *all, int number)
{
    for (int i = 0; i < all->n; i++)
        if (all->number[i] == number)
            return true;
    return false;
}

static void describe_fd(int fd, char *text, size_t size)
{
    char path[64];
    ssize_t n;

    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    n = readlink(path, text, size - 1);
    text[n > 0 ? n : 0] = '\0';
}

/* /proc/ID finds threads too, though it does not list them. */
static void read_of(int id, const char *file, char *text, size_t size)
{
    char path[64];
    int fd;
    ssize_t n;

    snprintf(path, sizeof path, "/proc/%d/%s", id, file);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    n = fd < 0 ? 0 : read(fd, text, size - 1);
    text[n > 0 ? n : 0] = '\0';
    if (fd >= 0)
        close(fd);
}

static void describe_task(int id, char *text, size_t size)
{
    read_of(id, "comm", text, size);
    text[strcspn(text, "\n")] = '\0';
}

/* Whether the thread is TSan's own, which it starts along with the first other one: it blocks all
 * signals that can be blocked. */
static bool is_tsan_thread(int tid)
{
    char text[4096];
    const char *blocked;

    read_of(tid, "status", text, sizeof text);
    blocked = strstr(text, "SigBlk:\tfffffffe");
    return TEST_TSAN && blocked;
}

/* An ended process that nobody has waited for is a child still. */
static bool is_no_child(int pid)
{
    char text[512];
    const char *after_name;
    int parent;

    read_of(pid, "stat", text, sizeof text);
    after_name = strrchr(text, ')');
    return !after_name || sscanf(after_name, ") %*c %d", &parent) != 1 || parent != getpid();
}

/* What a sanitizer starts to find the names of functions serves it until the process ends. */
static bool is_exempt_process(int pid)
{
    char text[256];

    describe_task(pid, text, sizeof text);
    return is_no_child(pid) || (TEST_SANITIZED && strcmp(text, "llvm-symbolizer") == 0);
}

static bool is_never_exempt(int number)
{
    return false;
}

struct kind {
    const char *name, *path;
    double patience; /* seconds: one that was joined may be listed for a moment still */
    bool (*is_exempt)(int number);
    void (*describe)(int number, char *text, size_t size);
    struct entries before;
};

/* In the order in which they are checked: a thread that ends may close something. */
static struct kind kinds[] = {
    {"thread", "/proc/self/task", 2, is_tsan_thread, describe_task, {0}},
    {"descriptor", "/proc/self/fd", 0, is_never_exempt, describe_fd, {0}},
    {"process", "/proc", 0, is_exempt_process, describe_task, {0}},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

static struct kind *const processes = &kinds[KINDS - 1];

/* Prints what there is now and was not before; returns how many. */
static int count_left(const struct kind *kind, bool print)
{
    static struct entries now;
    char text[256];
    int n = 0;

    read_entries(kind->path, &now);
    for (int i = 0; i < now.n; i++) {
        if (has_entry(&kind->before, now.number[i]) || kind->is_exempt(now.number[i]))
            continue;
        n++;
        if (print) {
            kind->describe(now.number[i], text, sizeof text);
            fprintf(stderr, "left behind: %s %d (%s)\n", kind->name, now.number[i], text);
        }
    }
    return n;
}

static bool is_left(const struct kind *kind)
{
    double deadline = test_now() + kind->patience;

    while (count_left(kind, false) > 0 && test_now() < deadline)
        usleep(1000);
    return count_left(kind, true) > 0;
}

/* What a killed process leaves behind becomes our child in turn: so until there is none. */
static void kill_children(void)
{
    static struct entries now;

    while (count_left(processes, false) > 0) {
        read_entries(processes->path, &now);
        for (int i = 0; i < now.n; i++)
            if (!has_entry(&processes->before, now.number[i]) && !is_exempt_process(now.number[i]))
                kill(now.number[i], SIGKILL);
        while (waitpid(-1, NULL, WNOHANG) > 0)
            continue;
        usleep(1000);
    }
}

/* Returns whether something is. */
static bool check_left(void)
{
    bool left = false;

    for (int i = 0; i < KINDS && !left; i++)
        left = is_left(&kinds[i]);
    kill_children();
    return left;
}

static const struct test *current;

void test_restart(void)
{
    execl("/proc/self/exe", "anthill_tests", current->name, (char *)NULL);
    FAIL("cannot start %s anew", current->name);
}

/* Of the chaos build; in the others there is none. */
extern uint64_t ant__chaos_seed __attribute__((weak));

static void print_seed(void)
{
    if (&ant__chaos_seed)
        fprintf(stderr, "chaos: ANT_CHAOS_SEED=%llu\n", (unsigned long long)ant__chaos_seed);
}

/* The process that must not end, because its test has not returned yet; 0: there is none. */
static pid_t unreturned;

void __real__exit(int status) __attribute__((noreturn));
void __wrap__exit(int status) __attribute__((noreturn, used));

/* The linker leads calls of _exit here. A child that the test has forked may end as it likes. */
void __wrap__exit(int status)
{
    if (status == 0 && unreturned == getpid()) {
        dprintf(STDERR_FILENO, "%s ended the process before it returned\n", current->name);
        status = 1;
    }
    __real__exit(status);
}

/* By exit, or because the last thread has ended itself. */
static void at_exit(void)
{
    if (unreturned == getpid())
        _exit(0);
}

static int run_here(const struct test *test)
{
    int result;

    current = test;
    print_seed();                     /* first, as it may hang or die */
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* the orphans of its children become ours */
    for (int i = 0; i < KINDS; i++)
        read_entries(kinds[i].path, &kinds[i].before);
    unreturned = getpid();
    if (atexit(at_exit))
        FAIL("atexit failed");
    result = test->fn();
    unreturned = 0;
    if (result)
        fprintf(stderr, "%s returned %d\n", test->name, result);
    return check_left() || result != 0;
}

/* -- each test in a process of its own --------------------------------------------------------- */

static struct {
    int repeat, jobs, timeout;
    int passed, failed, begun, all;
} runs = {.repeat = 1, .jobs = 1, .timeout = TEST_TIMEOUT};

struct job {
    const struct test *test;
    volatile pid_t pid; /* 0: none runs here */
    FILE *output;
    double begun;
    bool hung;
};

static struct job jobs[MAX_JOBS];

/* No other test may inherit it: hence not tmpfile. */
static FILE *output_file(void)
{
    int fd = memfd_create("output", MFD_CLOEXEC);

    return fd < 0 ? NULL : fdopen(fd, "w+e");
}

/* In the child process. It dies with the runner, which it could outlive otherwise, in a process group
 * of its own. */
__attribute__((noreturn)) static void become(const struct job *job, pid_t runner)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == runner && dup2(fileno(job->output), STDOUT_FILENO) >= 0 &&
        dup2(fileno(job->output), STDERR_FILENO) >= 0)
        execl("/proc/self/exe", "anthill_tests", job->test->name, (char *)NULL);
    FAIL("cannot start %s: %s", job->test->name, strerror(errno));
}

static void start(struct job *job, const struct test *test)
{
    pid_t runner = getpid();
    pid_t pid;

    *job = (struct job){.test = test, .output = output_file(), .begun = test_now()};
    if (!job->output)
        FAIL("cannot make a file for the output: %s", strerror(errno));
    fflush(NULL);
    pid = fork();
    if (pid < 0)
        FAIL("cannot start %s: %s", test->name, strerror(errno));
    if (pid == 0)
        become(job, runner);
    setpgid(pid, pid); /* whichever of the two comes first */
    job->pid = pid;
    runs.begun++;
}

/* Of a signal that ends the runner. */
static void end_all(int signal_number)
{
    for (struct job *job = jobs; job < jobs + runs.jobs; job++)
        if (job->pid)
            kill(-job->pid, SIGKILL);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* One that is ignored, as nohup has it, stays so. */
static void catch_signals(void)
{
    static const int ends[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (signal(ends[i], end_all) == SIG_IGN)
            signal(ends[i], SIG_IGN);
}

static void print_output(FILE *output)
{
    char line[4096];

    rewind(output);
    while (fgets(line, sizeof line, output))
        printf("    %s", line);
}

static void report(struct job *job, int status)
{
    double seconds = test_now() - job->begun;

    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        runs.passed++;
        if (runs.repeat == 1)
            printf("passed  %s (%.2f s)\n", job->test->name, seconds);
        return;
    }
    runs.failed++;
    if (job->hung)
        printf("HUNG    %s: killed after %d s\n", job->test->name, runs.timeout);
    else if (WIFSIGNALED(status))
        printf("DIED    %s: signal %d, %s\n", job->test->name, WTERMSIG(status),
               strsignal(WTERMSIG(status)));
    else
        printf("FAILED  %s: exit status %d\n", job->test->name, WEXITSTATUS(status));
    print_output(job->output);
}

static void end(pid_t pid, int status)
{
    for (struct job *job = jobs; job < jobs + runs.jobs; job++) {
        if (job->pid != pid)
            continue;
        kill(-pid, SIGKILL); /* what it started */
        job->pid = 0;
        report(job, status);
        fclose(job->output);
        fflush(stdout);
    }
}

static void kill_late(void)
{
    for (struct job *job = jobs; job < jobs + runs.jobs; job++) {
        if (job->pid && !job->hung && test_now() - job->begun > runs.timeout) {
            job->hung = true;
            kill(-job->pid, SIGKILL);
        }
    }
}

static void wait_for_one(void)
{
    int status;
    pid_t pid;

    while ((pid = waitpid(-1, &status, WNOHANG)) == 0) {
        kill_late();
        usleep(2000);
    }
    if (pid > 0)
        end(pid, status);
}

static int running(void)
{
    return runs.begun - runs.passed - runs.failed;
}

static void run_there(const struct test *test)
{
    struct job *job = jobs;

    while (running() >= runs.jobs)
        wait_for_one();
    while (job->pid)
        job++;
    start(job, test);
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "[%d/%d] %s\033[K\r", runs.begun, runs.all, test->name);
}

/* -- the command line -------------------------------------------------------------------------- */

static bool is_meant(const struct test *test, char **patterns)
{
    if (!*patterns)
        return true;
    for (; *patterns; patterns++)
        if (fnmatch(*patterns, test->name, 0) == 0)
            return true;
    return false;
}

static const struct test *find(const char *name)
{
    FOR_EACH_TEST(t)
    if (strcmp((*t)->name, name) == 0)
        return *t;
    return NULL;
}

/* How many tests are meant; 0 if one of the patterns means none, which it says. */
static int count_meant(char **patterns)
{
    int n = 0;

    for (char **p = patterns; *p; p++) {
        bool any = false;

        FOR_EACH_TEST(t)
        any |= is_meant(*t, (char *[]){*p, NULL});
        if (any)
            continue;
        fprintf(
            stderr,
            "anthill_tests: no test of this program has the name '%s'; --list prints all names.\n"
            "Tests marked ALONE are programs of their own: build/PRESET/tests/FOLDER/NAME\n",
            *p);
        return 0;
    }
    FOR_EACH_TEST(t)
    n += is_meant(*t, patterns);
    return n;
}

static int run_all(char **patterns)
{
    int meant = count_meant(patterns);

    if (meant == 0)
        return 2;
    runs.all = meant * runs.repeat;
    catch_signals();
    for (int i = 0; i < runs.repeat; i++)
        FOR_EACH_TEST(t)
    if (is_meant(*t, patterns))
        run_there(*t);
    while (running() > 0)
        wait_for_one();
    printf("%d passed, %d failed\n", runs.passed, runs.failed);
    return runs.failed > 0;
}

static int list(char **patterns)
{
    if (count_meant(patterns) == 0)
        return 2;
    FOR_EACH_TEST(t)
    if (is_meant(*t, patterns))
        printf("%s\n", (*t)->name);
    return 0;
}

static int bad_usage(void)
{
    fputs(usage, stderr);
    return 2;
}

/* False, with a message: the text is no number from 1 to max. */
static bool parse_number(const char *option, const char *text, int max, int *ret_n)
{
    char *end;
    long n;

    errno = 0;
    n = strtol(text, &end, 10);
    if (errno || !isdigit((unsigned char)*text) || *end || n < 1 || n > max) {
        fprintf(stderr, "anthill_tests: --%s %s: it must be a number from 1 to %d\n", option, text,
                max);
        return false;
    }
    *ret_n = (int)n;
    return true;
}

/* The action: 'l' to list, 'h' to help, 0 to run, '?' if an option is wrong. */
static int parse(int argc, char **argv)
{
    static const struct option options[] = {
        {"list", no_argument, NULL, 'l'},       {"repeat", required_argument, NULL, 'r'},
        {"jobs", required_argument, NULL, 'j'}, {"timeout", required_argument, NULL, 't'},
        {"help", no_argument, NULL, 'h'},       {0},
    };
    int action = 0, option;
    bool good = true;

    while (good && (option = getopt_long(argc, argv, "j:", options, NULL)) >= 0) {
        if (option == 'r')
            good = parse_number("repeat", optarg, MAX_REPEAT, &runs.repeat);
        else if (option == 'j')
            good = parse_number("jobs", optarg, MAX_JOBS, &runs.jobs);
        else if (option == 't')
            good = parse_number("timeout", optarg, MAX_TIMEOUT, &runs.timeout);
        else if (option == '?')
            good = false;
        else
            action = option;
    }
    return good ? action : '?';
}

/* The starter of this process may have blocked or ignored signals: a shell ignores SIGQUIT in the
 * background, and where SIGCHLD is ignored nobody can wait for a child. Only SIGHUP may stay ignored, for
 * nohup. */
static void reset_signals(void)
{
    sigset_t none;

    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int n = 1; n <= SIGRTMAX; n++) {
        struct sigaction now;

        if (n != SIGHUP && sigaction(n, NULL, &now) == 0 && now.sa_handler == SIG_IGN)
            signal(n, SIG_DFL);
    }
}

/* libc keeps the stacks of ended threads, and an arena of malloc for each. How many there are depends on
 * the load, and tests that count what is left behind must not. libc reads the variable when a program
 * starts: so this one starts anew. If it cannot, under qemu, the tests run without. */
static void tune_libc(char **argv)
{
    if (getenv("GLIBC_TUNABLES") || RUNNING_ON_VALGRIND)
        return;
    setenv("GLIBC_TUNABLES", "glibc.pthread.stack_cache_size=0:glibc.malloc.arena_max=1", 1);
    execv("/proc/self/exe", argv);
}

int main(int argc, char **argv)
{
    const struct test *test = argc == 2 ? find(argv[1]) : NULL;
    int action;

    reset_signals();
    runs.timeout += (int)torture_seconds(0);
    action = parse(argc, argv);
    if (action == 'l')
        return list(argv + optind);
    if (action == 'h')
        return fputs(usage, stdout) < 0;
    if (action)
        return bad_usage();
    tune_libc(argv);
    return test ? run_here(test) : run_all(argv + optind);
}
