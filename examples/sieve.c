/* sieve.c - prime numbers by a chain of goroutines: each lets pass what its prime does not divide.
 *
 *     sieve [how many]
 */
#include <stdio.h>
#include <stdlib.h>

#include <anthill.h>

ANT_CHAN_DEFINE(number_chan, int);

struct filter {
    number_chan *from, *to;
    int prime;
};

static void generate(void *arg)
{
    for (int n = 2;; n++)
        number_chan_send(arg, n);
}

static void filter(void *arg)
{
    struct filter *f = arg;
    int n;

    while (number_chan_recv(f->from, &n)) {
        if (n % f->prime)
            number_chan_send(f->to, n);
    }
}

static int run(void *arg)
{
    struct filter f = {0};
    int err = number_chan_new(&f.to, 0);

    if (!err)
        err = ant_go(generate, f.to);
    for (int i = 0; i < *(int *)arg && !err; i++) {
        f.from = f.to;
        number_chan_recv(f.from, &f.prime);
        printf("%d\n", f.prime);
        err = number_chan_new(&f.to, 0);
        if (!err)
            err = ant_go_copy(filter, &f, sizeof f);
    }
    return err; /* the chain is abandoned with the end of the main goroutine */
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 25;

    return ant_run(run, &n, NULL) ? 1 : 0;
}
