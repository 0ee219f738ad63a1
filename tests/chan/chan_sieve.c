/* chan_sieve - two prime sieves made of goroutines and channels give the primes: one is a chain
 * of filters, one for each prime, without buffers; the other merges buffered streams of
 * multiples. When the numbers end, closing ends everything. As Go's sieve1 and sieve2. */
#include <anthill.h>

#include "check.h"

enum { MOST = 1000 };

static ant_chan *chans[MOST]; /* all that were made, to be freed in the end */
static int chan_count, limit;
static ant_waitgroup wg;

static ant_chan *make_chan(size_t capacity)
{
    ant_chan **c = &chans[chan_count++];

    CHECK_INT(ant_chan_new(c, sizeof(int), capacity), 0);
    return *c;
}

static void free_chans(void)
{
    ant_waitgroup_wait(&wg);
    while (chan_count > 0)
        CHECK_INT(ant_chan_destroy(chans[--chan_count]), 0);
}

static int prime_after(int n)
{
    for (n++;; n++) {
        int d = 2;

        while (d * d <= n && n % d)
            d++;
        if (d * d > n)
            return n;
    }
}

/* The numbers from first in steps up to the limit. */
struct stream {
    ant_chan *to;
    int first, step;
};

static void stream(void *arg)
{
    struct stream s = *(struct stream *)arg;

    for (int n = s.first; n <= limit; n += s.step)
        ant_chan_send(s.to, &n);
    ant_chan_close(s.to);
    ant_waitgroup_done(&wg);
}

static ant_chan *start_stream(int first, int step, size_t capacity)
{
    struct stream s = {make_chan(capacity), first, step};

    ant_waitgroup_add(&wg, 1);
    CHECK_INT(ant_go_copy(stream, &s, sizeof s), 0);
    return s.to;
}

/* ---- filters ---- */

struct filter {
    ant_chan *from, *to;
    int prime;
};

static void filter(void *arg)
{
    struct filter f = *(struct filter *)arg;
    int n;

    while (ant_chan_recv(f.from, &n)) {
        if (n % f.prime)
            ant_chan_send(f.to, &n);
    }
    ant_chan_close(f.to);
    ant_waitgroup_done(&wg);
}

static void check_filters(void)
{
    ant_chan *c = start_stream(2, 1, 0);
    int prime = 1, n;

    while (ant_chan_recv(c, &n)) {
        struct filter f = {c, make_chan(0), n};

        prime = prime_after(prime);
        CHECK_INT(n, prime);
        ant_waitgroup_add(&wg, 1);
        CHECK_INT(ant_go_copy(filter, &f, sizeof f), 0);
        c = f.to;
    }
    CHECK(prime_after(prime) > limit);
    free_chans();
}

/* ---- streams of multiples ---- */

static struct {
    ant_chan *from;
    int next; /* 0: at its end */
} multiples[MOST];
static int multiples_count;

/* Whether n is the next one of some streams, of which it is then taken. */
static bool take_multiple(int n)
{
    bool found = false;

    for (int i = 0; i < multiples_count; i++) {
        CHECK(multiples[i].next == 0 || multiples[i].next >= n);
        if (multiples[i].next == n) {
            ant_chan_recv(multiples[i].from, &multiples[i].next); /* 0 at its end */
            found = true;
        }
    }
    return found;
}

static void check_multiples(void)
{
    int prime = 1;

    multiples_count = 0;
    for (int n = 2; n <= limit; n++) {
        if (take_multiple(n))
            continue;
        prime = prime_after(prime);
        CHECK_INT(n, prime);
        multiples[multiples_count].from = start_stream(n * n, n, 5);
        ant_chan_recv(multiples[multiples_count].from, &multiples[multiples_count].next);
        multiples_count++;
    }
    CHECK(prime_after(prime) > limit);
    free_chans();
}

static int run(void *arg)
{
    limit = 100 + test_scale(4000);
    check_filters();
    check_multiples();
    return 0;
}

TEST(chan_sieve)
{
    return ant_run(run, NULL, NULL);
}
