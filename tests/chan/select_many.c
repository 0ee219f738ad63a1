/* select_many - selects among more cases than fit on the stack, 17, 100 and 1000: each channel
 * is found when it alone is possible, at once or after waiting, for receiving and for sending,
 * in goroutines and in plain threads; and when two select among the same channels from both
 * sides, nothing is lost. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { MOST = 1000 };

static ant_chan *chans[MOST];
static ant_waitgroup wg;

static unsigned pick(unsigned *seed, int n)
{
    *seed = *seed * 1664525 + 1013904223;
    return (*seed >> 8) % (unsigned)n;
}

static void make_chans(int n, size_t capacity)
{
    for (int i = 0; i < n; i++)
        CHECK_INT(ant_chan_new(&chans[i], sizeof(int), capacity), 0);
}

static void destroy_chans(int n)
{
    for (int i = 0; i < n; i++) {
        CHECK_INT(ant_chan_len(chans[i]), 0);
        CHECK_INT(ant_chan_destroy(chans[i]), 0);
    }
}

static ant_case *new_cases(int n, int *elems, bool send)
{
    ant_case *cases = malloc(((size_t)n + 1) * sizeof *cases);

    CHECK(cases);
    for (int i = 0; i < n; i++) {
        ant_case sending = ANT_SEND(chans[i], &elems[i]), receiving = ANT_RECV(chans[i], &elems[i]);

        cases[i] = send ? sending : receiving;
    }
    cases[n] = (ant_case)ANT_DEFAULT;
    return cases;
}

/* ---- at once ---- */

static void check_at_once(int n)
{
    int *elems = calloc((size_t)n, sizeof *elems);
    ant_case *cases = new_cases(n, elems, false);

    CHECK_INT(ant_select(cases, n + 1), n);
    for (int i = 0; i < n; i += n < 200 ? 1 : 41) {
        ant_chan_send(chans[i], &i);
        CHECK_INT(ant_select(cases, n + i % 2), i);
        CHECK(cases[i].received);
        CHECK_INT(elems[i], i);
    }
    CHECK_INT(ant_select(cases, n + 1), n);
    free(cases);
    free(elems);
}

/* ---- after waiting ---- */

struct job {
    int n, times;
    bool sends; /* the one who selects does */
};

/* Does what the other one selects for, on channels picked at random. */
static void do_singly(void *arg)
{
    struct job job = *(struct job *)arg;
    unsigned seed = 1;

    for (int i = 0; i < job.times; i++) {
        int at = (int)pick(&seed, job.n), v = at;

        if (job.sends)
            CHECK(ant_chan_recv(chans[at], &v));
        else
            ant_chan_send(chans[at], &v);
        CHECK_INT(v, at);
    }
    ant_waitgroup_done(&wg);
}

static void *do_in_thread(void *arg)
{
    do_singly(arg);
    return NULL;
}

static void check_waiting(int n, int times, bool sends, bool in_thread)
{
    int *elems = calloc((size_t)n, sizeof *elems);
    ant_case *cases = new_cases(n, elems, sends);
    struct job job = {n, times, sends};
    unsigned seed = 1;
    pthread_t thread;

    for (int i = 0; i < n; i++)
        elems[i] = sends ? i : -1;
    ant_waitgroup_add(&wg, 1);
    if (in_thread)
        CHECK_INT(pthread_create(&thread, NULL, do_in_thread, &job), 0);
    else
        CHECK_INT(ant_go_copy(do_singly, &job, sizeof job), 0);
    for (int i = 0; i < times; i++) {
        int at = ant_select(cases, n);

        CHECK_INT(at, pick(&seed, n));
        CHECK(sends || cases[at].received);
        CHECK_INT(elems[at], at);
    }
    ant_waitgroup_wait(&wg);
    if (in_thread)
        CHECK_INT(pthread_join(thread, NULL), 0);
    free(cases);
    free(elems);
}

/* ---- from both sides ---- */

static atomic_long sent, received;

/* All channels in random order, and a quarter of them twice; ret_at: which one each case is. */
static ant_case *shuffled_cases(const struct job *job, int n, int *ret_at, int *elems)
{
    ant_case *cases = malloc((size_t)n * sizeof *cases);
    static atomic_uint count;
    unsigned seed = atomic_fetch_add(&count, 1);

    CHECK(cases);
    for (int i = 0; i < n; i++) {
        int k = (int)pick(&seed, i + 1);

        ret_at[i] = ret_at[k];
        ret_at[k] = i % job->n;
    }
    for (int i = 0; i < n; i++) {
        cases[i] = (ant_case)ANT_RECV(chans[ret_at[i]], &elems[i]);
        if (job->sends) {
            cases[i].kind = ANT_CASE_SEND;
            elems[i] = ret_at[i];
        }
    }
    return cases;
}

/* Sends or receives by selects among all channels; sums up the channels' numbers. */
static void select_all(void *arg)
{
    struct job job = *(struct job *)arg;
    int n = job.n + job.n / 4, *elems = calloc((size_t)n, sizeof *elems);
    int *at = calloc((size_t)n, sizeof *at);
    ant_case *cases = shuffled_cases(&job, n, at, elems);

    for (int i = 0; i < job.times; i++) {
        int chosen = ant_select(cases, n);

        CHECK(chosen >= 0 && chosen < n);
        CHECK_INT(elems[chosen], at[chosen]);
        atomic_fetch_add(job.sends ? &sent : &received, at[chosen] + 1);
    }
    free(cases);
    free(elems);
    free(at);
    ant_waitgroup_done(&wg);
}

static void *select_in_thread(void *arg)
{
    select_all(arg);
    return NULL;
}

static void check_both_sides(int n, int times)
{
    pthread_t thread;
    struct job job = {n, times, true};

    ant_waitgroup_add(&wg, 4);
    CHECK_INT(pthread_create(&thread, NULL, select_in_thread, &job), 0);
    for (int i = 0; i < 3; i++) {
        struct job other = {n, times, i == 2};

        CHECK_INT(ant_go_copy(select_all, &other, sizeof other), 0);
    }
    ant_waitgroup_wait(&wg);
    CHECK_INT(pthread_join(thread, NULL), 0);
    CHECK_INT(atomic_load(&received), atomic_load(&sent));
}

static int run(void *arg)
{
    static const int counts[] = {1, 15, 16, 17, 100, MOST};

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        int n = counts[i], times = test_scale(n < 200 ? 1000 : 100);

        for (size_t capacity = 0; capacity < 2; capacity++) {
            make_chans(n, capacity);
            if (capacity > 0)
                check_at_once(n);
            else
                for (int k = 0; k < 4; k++)
                    check_waiting(n, times, k & 1, k & 2);
            check_both_sides(n, times);
            destroy_chans(n);
        }
    }
    return 0;
}

TEST(select_many)
{
    return ant_run(run, NULL, NULL);
}
