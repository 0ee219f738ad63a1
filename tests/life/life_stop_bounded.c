/* life_stop_bounded - stopping comes to an end, whatever others do, and tells what it waits for: goroutines
 * in user code, a thread in the destructor of a thread-local value, one that never comes out of the runtime
 * (then it can be tried again), and a standard error that nobody reads.
 *
 * Catches: a stop that hangs or spins for ever; one that frees what a thread inside is using. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>

#include "check.h"
#include "net/io.h"

enum { WORKERS = 6 };

static ant_waitgroup begun;
static atomic_bool go_on, inside;
static char output[8192];

static void compute(void *arg)
{
    ant_waitgroup_done(&begun);
    while (!atomic_load(&go_on))
        usleep(1000);
}

/* As one that has lost its CPU in the middle of a call. */
static void stay_inside(void *arg)
{
    struct ant__m *m = ant__enter();

    atomic_store(&inside, true);
    while (!atomic_load(&go_on))
        usleep(1000);
    ant__leave(m);
}

static void start(int n, void (*fn)(void *), ant_duration timeout)
{
    ant_waitgroup_add(&begun, n);
    CHECK_INT(ant_start(&(ant_config){.procs = 2, .stop_timeout = timeout}), 0);
    for (int i = 0; i < n; i++)
        CHECK_INT(ant_go_opts(&(ant_go_options){.name = "worker"}, fn, NULL), 0);
    ant_waitgroup_wait(&begun);
}

static void check_works(void)
{
    start(1, compute, ANT_MINUTE);
    atomic_store(&go_on, true);
    CHECK_INT(ant_stop(), 0);
}

static void user_code(void)
{
    double began;

    ant__stop_tell_after = 10 * ANT_MILLISECOND;
    start(WORKERS, compute, 50 * ANT_MILLISECOND);
    began = test_now();
    CHECK_INT(ant_stop(), ANT_ETIMEOUT);
    CHECK(test_now() - began >= 0.05);
    check_works();
}

static void check_stuck(void)
{
    double began = test_now();

    CHECK_INT(ant_stop(), -EBUSY);
    CHECK(test_now() - began >= 0.02);
    CHECK_INT(ant_start(NULL), ANT_ERUNNING);
    CHECK_INT(ant_go(compute, NULL), ANT_ENOTRUNNING);
}

static void thread_inside(void)
{
    ant__stop_inside_for = 20 * ANT_MILLISECOND;
    start(0, compute, 50 * ANT_MILLISECOND);
    atomic_fetch_add(&ant__sched.foreign_inside, 1);
    check_stuck();
    atomic_fetch_sub(&ant__sched.foreign_inside, 1);
    CHECK_INT(ant_stop(), 0);
    check_works();
}

static void goroutine_inside(void)
{
    ant__stop_inside_for = 20 * ANT_MILLISECOND;
    start(0, stay_inside, 50 * ANT_MILLISECOND);
    CHECK_INT(ant_go(stay_inside, NULL), 0);
    while (!atomic_load(&inside))
        usleep(1000);
    check_stuck();
    atomic_store(&go_on, true);
    ant__stop_inside_for = ANT_MINUTE;
    CHECK_INT(ant_stop(), 0);
    check_works();
}

static int leave_one_inside(void *arg)
{
    CHECK_INT(ant_go(stay_inside, NULL), 0);
    while (!atomic_load(&inside))
        ant_yield();
    return 5;
}

static void inside_after_run(void)
{
    const ant_config config = {.procs = 2, .stop_timeout = ANT_MILLISECOND};

    ant__stop_inside_for = 20 * ANT_MILLISECOND;
    CHECK_INT(ant_run(leave_one_inside, NULL, &config), 5);
    check_stuck();
    atomic_store(&go_on, true);
    ant__stop_inside_for = ANT_MINUTE;
    CHECK_INT(ant_stop(), 0);
    check_works();
}

/* What a thread uses that never comes out stays open, until a stop finds it unused. */
static void file_in_use(void)
{
    ant_io ends[2];
    int fd;

    ant__stop_inside_for = 20 * ANT_MILLISECOND;
    start(0, compute, 50 * ANT_MILLISECOND);
    CHECK_INT(ant_pipe(ends), 0);
    fd = ant_io_fd(ends[0]);
    CHECK(fd >= 0);
    atomic_fetch_add(&ends[0].file->threads, 1);
    CHECK_INT(ant_stop(), 0);
    CHECK(fcntl(fd, F_GETFD) >= 0);
    atomic_fetch_sub(&ends[0].file->threads, 1);
    CHECK_INT(ant_close(ends[0]), ANT_ECLOSED);
    check_works();
    CHECK(fcntl(fd, F_GETFD) < 0);
}

static pthread_key_t key;

static void wait_in_destructor(void *arg)
{
    while (!atomic_load(&go_on))
        usleep(1000);
}

static void end_tied(void *arg)
{
    CHECK_INT(ant_lock_thread(), 0);
    CHECK_INT(pthread_setspecific(key, &key), 0);
    ant_waitgroup_done(&begun);
}

static void destructor(void)
{
    CHECK_INT(pthread_key_create(&key, wait_in_destructor), 0);
    start(1, end_tied, 50 * ANT_MILLISECOND);
    CHECK_INT(ant_stop(), ANT_ETIMEOUT);
    check_works();
}

static void redirect_to_full_pipe(void)
{
    char bytes[4096] = "";
    int fds[2];

    CHECK_INT(pipe2(fds, O_NONBLOCK), 0);
    while (write(fds[1], bytes, sizeof bytes) > 0)
        continue;
    CHECK_INT(fcntl(fds[1], F_SETFL, 0), 0);
    CHECK(dup2(fds[1], STDERR_FILENO) >= 0);
}

static void nobody_reads(void)
{
    redirect_to_full_pipe();
    CHECK_INT(ant_start(&(ant_config){
                  .schedtrace = 1, .dump_on_quit = true, .stop_timeout = 10 * ANT_MILLISECOND}),
              0);
    for (int i = 0; i < 2; i++) {
        CHECK_INT(kill(getpid(), SIGQUIT), 0);
        usleep(20000);
    }
    CHECK_INT(ant_stop(), ANT_ETIMEOUT);
}

static void check(void (*fn)(void))
{
    atomic_store(&go_on, false);
    if (test_child(fn, output, sizeof output) != 0)
        FAIL("%s", output);
}

TEST(life_stop_bounded)
{
    CHECK_INT(unsetenv("ANTHILL"), 0);
    check(user_code);
    CHECK_HAS(output, "anthill: stopping waits for 6 goroutines in user code (");
    CHECK_HAS(output, "anthill: stopped without waiting longer for 6 goroutines in user code (");
    CHECK_HAS(output, " worker, ");
    CHECK_HAS(output, " worker, ...): their threads and all stacks stay mapped\n");
    check(thread_inside);
    CHECK_HAS(output,
              "anthill: cannot stop: a thread has been inside of a call of Anthill for 0.02 s.");
    check(goroutine_inside);
    CHECK_HAS(output, "anthill: cannot stop: ");
    check(inside_after_run);
    CHECK_HAS(output, "anthill: cannot stop: ");
    check(file_in_use);
    check(destructor);
    CHECK_HAS(output,
              "anthill: stopped without waiting longer for 1 thread of ours in a destructor");
    check(nobody_reads);
    return 0;
}
