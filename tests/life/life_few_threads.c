/* life_few_threads - two threads at most, one of them tied to a goroutine, and more Ps than that: the tied
 * goroutine goes on though the other thread computes, or sits in a section that blocks; with one thread it
 * may wait for a plain thread though descriptors are open. Who yields or ends Ps at the same time loses none.
 *
 * Catches: a goroutine that is queued where no thread will look, a descriptor nobody polls (then it hangs),
 * a P beyond the number of them on the idle list, a false "no thread is left". */
#include "net_help.h"

static ant_chan *there, *back;
static _Atomic bool went_on;

static void tied(void *arg)
{
    int n;

    CHECK_INT(ant_lock_thread(), 0);
    while (ant_chan_recv(there, &n)) {
        atomic_store(&went_on, true);
        if (arg)
            ant_chan_send(back, &n);
    }
    CHECK_INT(ant_unlock_thread(), 0);
    ant_chan_send(back, &n);
}

static void channels(void (*fn)(void))
{
    CHECK_INT(ant_chan_new(&there, sizeof(int), 0), 0);
    CHECK_INT(ant_chan_new(&back, sizeof(int), 0), 0);
    fn();
    CHECK_INT(ant_chan_destroy(there), 0);
    CHECK_INT(ant_chan_destroy(back), 0);
}

static void end_tied(void)
{
    int n;

    ant_chan_close(there);
    CHECK(ant_chan_recv(back, &n));
}

/* Readied by one who then does not let go of its P. */
static void beside_hog(void)
{
    CHECK_INT(ant_go(tied, NULL), 0);
    for (int i = 0; i < 10; i++) {
        atomic_store(&went_on, false);
        ant_chan_send(there, &i);
        while (!atomic_load_explicit(&went_on, memory_order_relaxed))
            continue;
    }
    end_tied();
}

static void answer_pipe(void *arg)
{
    ant_io *ends = arg;
    char c;

    CHECK_INT(ant_lock_thread(), 0);
    ant_chan_send(back, &(int){0}); /* from now on this thread is not for others */
    CHECK_INT(ant_read(ends[0], &c, 1), 1);
    atomic_store(&went_on, true);
    CHECK_INT(ant_unlock_thread(), 0);
    ant_chan_send(back, &(int){0});
}

/* Nobody polls but sysmon. */
static void beside_section(void)
{
    ant_io ends[2];
    int n;

    CHECK_INT(ant_pipe(ends), 0);
    atomic_store(&went_on, false);
    CHECK_INT(ant_go(answer_pipe, ends), 0);
    CHECK(ant_chan_recv(back, &n));
    await_waiters(1);
    ant_blocking_begin();
    usleep(50000); /* so that all fall asleep who can */
    CHECK_INT(write(ant_io_fd(ends[1]), "x", 1), 1);
    while (!atomic_load(&went_on))
        usleep(100);
    ant_blocking_end();
    CHECK(ant_chan_recv(back, &n));
    close_pair(ends);
}

static int run(void *arg)
{
    channels(beside_hog);
    channels(beside_section);
    return 0;
}

static void wait_with_pipe(void)
{
    ant_io ends[2];

    CHECK_INT(ant_pipe(ends), 0);
    CHECK_INT(ant_go(tied, there), 0);
    for (int i = 0; i < 100; i++) {
        int n = -1;

        ant_chan_send(there, &i);
        CHECK(ant_chan_recv(back, &n));
        CHECK_INT(n, i);
    }
    end_tied();
    close_pair(ends);
}

static void nothing(void *arg)
{
}

static void *spawn(void *stop)
{
    while (!atomic_load((_Atomic bool *)stop))
        CHECK_INT(ant_go(nothing, NULL), 0);
    return NULL;
}

static void change_procs(void)
{
    _Atomic bool stop = false;
    pthread_t thread;
    double deadline;

    CHECK_INT(pthread_create(&thread, NULL, spawn, &stop), 0);
    for (int i = 0; i < test_scale(2000); i++)
        CHECK(ant_set_procs(1 + i * 5 % 8) > 0);
    CHECK(ant_set_procs(2) > 0);
    atomic_store(&stop, true);
    CHECK_INT(pthread_join(thread, NULL), 0);
    deadline = test_now() + 40;
    while (atomic_load(&ant__sched.idle_ps_n) != 2 && test_now() < deadline)
        usleep(1000);
    CHECK_INT(atomic_load(&ant__sched.idle_ps_n), 2);
}

TEST(life_few_threads)
{
    CHECK_INT(ant_run(run, NULL, &(ant_config){.procs = 3, .max_threads = 2}), 0);
    CHECK_INT(ant_start(&(ant_config){.procs = 2, .max_threads = 1}), 0);
    channels(wait_with_pipe);
    CHECK_INT(ant_stop(), 0);
    CHECK_INT(ant_start(&(ant_config){.procs = 2, .max_threads = 1}), 0);
    change_procs();
    CHECK_INT(ant_stop(), 0);
    return 0;
}
