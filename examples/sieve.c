/* sieve.c - prime numbers by a chain of goroutines: each lets pass what its prime does not divide.
 * The context takes the chain down again, from one end to the other.
 *
 *     sieve [how many]
 */
#include <stdio.h>
#include <stdlib.h>

#include <anthill.h>

ANT_CHAN_DEFINE(number_chan, int);

static ant_ctx *ctx;
static ant_waitgroup all;

struct filter {
    number_chan *from, *to;
    int prime;
};

static void generate(void *arg)
{
    for (int n = 2; number_chan_send_ctx(arg, n, ctx) == 0; n++)
        continue;
    number_chan_close(arg);
    ant_waitgroup_done(&all);
}

/* Receives until the sender has closed the channel, and frees it. */
static void drain(number_chan *c)
{
    int n;

    while (number_chan_recv(c, &n))
        continue;
    number_chan_destroy(c);
}

static void filter(void *arg)
{
    struct filter *f = arg;
    int n;

    while (number_chan_recv(f->from, &n)) {
        if (n % f->prime && number_chan_send_ctx(f->to, n, ctx) != 0)
            break;
    }
    number_chan_close(f->to);
    drain(f->from);
    ant_waitgroup_done(&all);
}

static int run(void *arg)
{
    struct filter f = {0};

    ant_ctx_with_cancel(&ctx, NULL);
    number_chan_new(&f.to, 0);
    ant_waitgroup_add(&all, 1);
    ant_go(generate, f.to);
    for (int i = 0; i < *(int *)arg; i++) {
        f.from = f.to;
        number_chan_recv(f.from, &f.prime);
        printf("%d\n", f.prime);
        number_chan_new(&f.to, 0);
        ant_waitgroup_add(&all, 1);
        ant_go_copy(filter, &f, sizeof f);
    }
    ant_ctx_cancel(ctx);
    drain(f.to);
    ant_waitgroup_wait(&all);
    ant_ctx_unref(ctx);
    return 0;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 25;

    return ant_run(run, &n, NULL) ? 1 : 0;
}
