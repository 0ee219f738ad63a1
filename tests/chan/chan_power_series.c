/* chan_power_series - arithmetic of power series with exact coefficients, each operation a
 * goroutine that hands out a term when it is asked for one: thousands of goroutines and
 * channels, some in cycles, with results that are known. Elements are values, or pointers to
 * them. As Go's powser1 and powser2; but here whoever wants no more terms closes the channel it
 * asks by, and in the end everything has ended. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

/* ---- fractions ---- */

struct ratio {
    int64_t num, den; /* lowest terms, den > 0 */
};

static struct ratio ratio(__int128 num, __int128 den)
{
    __int128 a = num < 0 ? -num : num, b = den;

    while (b) {
        __int128 rest = a % b;

        a = b;
        b = rest;
    }
    num /= a;
    den /= a;
    CHECK(num == (int64_t)num && den == (int64_t)den && den > 0);
    return (struct ratio){(int64_t)num, (int64_t)den};
}

static struct ratio plus(struct ratio a, struct ratio b)
{
    return ratio((__int128)a.num * b.den + (__int128)b.num * a.den, (__int128)a.den * b.den);
}

static struct ratio times(struct ratio a, struct ratio b)
{
    return ratio((__int128)a.num * b.num, (__int128)a.den * b.den);
}

static struct ratio inverse(struct ratio a)
{
    return a.num < 0 ? ratio(-a.den, -(__int128)a.num) : ratio(a.den, a.num);
}

/* ---- series ---- */

struct series {
    ant_chan *ask, *terms;
    struct series *next; /* of all */
};

static _Atomic(struct series *) all;
static ant_waitgroup working;
static bool by_pointer;

static struct series *new_series(void)
{
    struct series *s = malloc(sizeof *s);

    CHECK(s);
    CHECK_INT(ant_chan_new(&s->ask, 0, 0), 0);
    CHECK_INT(ant_chan_new(&s->terms, by_pointer ? sizeof(void *) : sizeof(struct ratio), 0), 0);
    s->next = atomic_load(&all);
    while (!atomic_compare_exchange_weak(&all, &s->next, s))
        ;
    return s;
}

static void free_all(void)
{
    struct series *s = atomic_exchange(&all, NULL);

    ant_waitgroup_wait(&working);
    while (s) {
        struct series *next = s->next;

        CHECK_INT(ant_chan_destroy(s->ask), 0);
        CHECK_INT(ant_chan_destroy(s->terms), 0);
        free(s);
        s = next;
    }
}

/* The taker's side. */

static struct ratio take(struct series *s)
{
    struct ratio r, *p;

    if (!by_pointer) {
        CHECK(ant_chan_recv(s->terms, &r));
        return r;
    }
    CHECK(ant_chan_recv(s->terms, &p));
    r = *p;
    free(p);
    return r;
}

static struct ratio next(struct series *s)
{
    ant_chan_send(s->ask, NULL);
    return take(s);
}

static void drop(struct series *s)
{
    if (s)
        ant_chan_close(s->ask);
}

/* The giver's side. */

static bool asked(struct series *s)
{
    return ant_chan_recv(s->ask, NULL);
}

static void give(struct series *s, struct ratio r)
{
    struct ratio *p;

    if (!by_pointer) {
        ant_chan_send(s->terms, &r);
        return;
    }
    p = malloc(sizeof *p);
    CHECK(p);
    *p = r;
    ant_chan_send(s->terms, &p);
}

/* ---- operations: a goroutine with an output and up to two inputs ---- */

struct op {
    struct series *out, *f, *g;
    struct ratio r;
    void (*work)(struct op *);
};

static void run_op(void *arg)
{
    struct op op = *(struct op *)arg;

    op.work(&op);
    drop(op.f);
    drop(op.g);
    ant_waitgroup_done(&working);
}

static struct series *start(void (*work)(struct op *), struct series *f, struct series *g,
                            struct ratio r)
{
    struct op op = {new_series(), f, g, r, work};

    ant_waitgroup_add(&working, 1);
    CHECK_INT(ant_go_copy(run_op, &op, sizeof op), 0);
    return op.out;
}

static const struct ratio zero = {0, 1}, one = {1, 1}, minus_one = {-1, 1};

static void work_repeat(struct op *op)
{
    while (asked(op->out))
        give(op->out, op->r);
}

static void work_copy(struct op *op)
{
    while (asked(op->out))
        give(op->out, next(op->f));
}

static void work_scale(struct op *op)
{
    while (asked(op->out))
        give(op->out, times(op->r, next(op->f)));
}

static void work_add(struct op *op)
{
    while (asked(op->out))
        give(op->out, plus(next(op->f), next(op->g)));
}

static void work_shift(struct op *op)
{
    if (asked(op->out)) {
        give(op->out, op->r);
        work_copy(op);
    }
}

static void work_derive(struct op *op)
{
    for (int n = 1; asked(op->out); n++) {
        if (n == 1)
            next(op->f);
        give(op->out, times(ratio(n, 1), next(op->f)));
    }
}

static void work_integrate(struct op *op)
{
    for (int n = 0; asked(op->out); n++)
        give(op->out, n == 0 ? op->r : times(ratio(1, n), next(op->f)));
}

static struct series *repeat(struct ratio r)
{
    return start(work_repeat, NULL, NULL, r);
}

static struct series *scale(struct ratio r, struct series *f)
{
    return start(work_scale, f, NULL, r);
}

static struct series *add(struct series *f, struct series *g)
{
    return start(work_add, f, g, zero);
}

/* r + x f */
static struct series *shift(struct ratio r, struct series *f)
{
    return start(work_shift, f, NULL, r);
}

static struct series *derive(struct series *f)
{
    return start(work_derive, f, NULL, zero);
}

static struct series *integrate(struct ratio r, struct series *f)
{
    return start(work_integrate, f, NULL, r);
}

/* r + s x */
static struct series *line(struct ratio r, struct ratio s)
{
    return shift(r, shift(s, repeat(zero)));
}

/* ---- two takers for one series ---- */

enum { LONGEST = 64 };

struct split {
    struct series *from, *to[2];
    bool loop; /* to[1] is taken by the one who gives from: then to[0] alone keeps it going */
    struct ratio terms[LONGEST];
    int known, given[2];
    bool pending[2], open[2], requested, dropped;
};

static void split_answer(struct split *s)
{
    for (int i = 0; i < 2; i++) {
        if (s->pending[i] && s->given[i] < s->known) {
            give(s->to[i], s->terms[s->given[i]++]);
            s->pending[i] = false;
        }
    }
    if ((s->pending[0] || s->pending[1]) && !s->requested) {
        ant_chan_send(s->from->ask, NULL);
        s->requested = true;
    }
    if (!s->open[0] && (s->loop || !s->open[1]) && !s->requested && !s->dropped) {
        drop(s->from);
        s->dropped = true;
    }
}

/* Waits for a question of one of the two, or for the term that was asked for. */
static void split_wait(struct split *s)
{
    struct ratio r, *p = &r;
    void *elem = by_pointer ? (void *)&p : &r;
    ant_case cases[] = {
        ANT_RECV(s->open[0] && !s->pending[0] ? s->to[0]->ask : NULL, NULL),
        ANT_RECV(s->open[1] && !s->pending[1] ? s->to[1]->ask : NULL, NULL),
        ANT_RECV(s->requested ? s->from->terms : NULL, elem),
    };
    int at = ant_select(cases, 3);

    if (at < 2) {
        s->pending[at] = s->open[at] = cases[at].received;
        return;
    }
    CHECK(s->known < LONGEST);
    s->terms[s->known++] = *p;
    s->requested = false;
    if (by_pointer)
        free(p);
}

static void run_split(void *arg)
{
    struct split *s = arg;

    while (s->open[0] || s->open[1]) {
        split_wait(s);
        split_answer(s);
    }
    CHECK(s->dropped);
    ant_waitgroup_done(&working);
}

static void split(struct series *from, bool loop, struct series *ret_to[2])
{
    struct split s = {.from = from, .loop = loop, .open = {true, true}};

    for (int i = 0; i < 2; i++)
        s.to[i] = ret_to[i] = new_series();
    ant_waitgroup_add(&working, 1);
    CHECK_INT(ant_go_copy(run_split, &s, sizeof s), 0);
}

/* ---- products: (f0 + x F)(g0 + x G) = f0 g0 + x (f0 G + g0 F + x F G) ---- */

static struct series *multiply(struct series *f, struct series *g);

static void work_multiply(struct op *op)
{
    struct series *f[2], *g[2];
    struct ratio f0, g0;

    if (!asked(op->out))
        return;
    f0 = next(op->f);
    g0 = next(op->g);
    give(op->out, times(f0, g0));
    split(op->f, false, f);
    split(op->g, false, g);
    op->f = add(add(scale(f0, g[0]), scale(g0, f[0])), shift(zero, multiply(f[1], g[1])));
    op->g = NULL;
    work_copy(op);
}

static struct series *multiply(struct series *f, struct series *g)
{
    return start(work_multiply, f, g, zero);
}

/* ---- series that are made of themselves ---- */

/* The series that is to be made; *ret_out is for its taker, *ret_self for whoever makes it. */
static struct series *begin_loop(struct series **ret_self, struct series **ret_out)
{
    struct series *both[2], *whole = new_series();

    split(whole, true, both);
    *ret_out = both[0];
    *ret_self = both[1];
    return whole;
}

static void end_loop(struct series *whole, struct series *f)
{
    struct op op = {whole, f, NULL, zero, work_copy};

    ant_waitgroup_add(&working, 1);
    CHECK_INT(ant_go_copy(run_op, &op, sizeof op), 0);
}

/* E = exp f for f(0) = 0: E' = f' E, E(0) = 1. */
static struct series *exponential(struct series *f)
{
    struct series *self, *out, *whole = begin_loop(&self, &out);

    end_loop(whole, integrate(one, multiply(derive(f), self)));
    return out;
}

/* T = tan x: T' = 1 + T T, T(0) = 0. */
static struct series *tangent(void)
{
    struct series *self, *out, *whole = begin_loop(&self, &out), *two[2];

    split(self, false, two);
    end_loop(whole, integrate(zero, add(line(one, zero), multiply(two[0], two[1]))));
    return out;
}

/* R = 1 / (f0 + x F): R = 1 / f0 - x F R / f0. */
static void work_invert(struct op *op)
{
    struct series *self, *out, *whole;
    struct ratio r;

    if (!asked(op->out))
        return;
    r = inverse(next(op->f));
    whole = begin_loop(&self, &out);
    end_loop(whole, shift(r, scale(times(minus_one, r), multiply(op->f, self))));
    op->f = out;
    give(op->out, next(op->f));
    work_copy(op);
}

static struct series *invert(struct series *f)
{
    return start(work_invert, f, NULL, zero);
}

/* ---- checks ---- */

static void check(const char *what, struct series *s, struct ratio expected(int n), int n)
{
    for (int i = 0; i < n; i++) {
        struct ratio r = next(s), e = expected(i);

        if (r.num != e.num || r.den != e.den)
            FAIL("%s: term %d is %lld/%lld, not %lld/%lld", what, i, (long long)r.num,
                 (long long)r.den, (long long)e.num, (long long)e.den);
    }
    drop(s);
}

static struct ratio is_one(int n)
{
    return n == 0 ? one : zero;
}

static struct ratio is_one_less_x(int n)
{
    return n == 0 ? one : n == 1 ? minus_one : zero;
}

static struct ratio is_count(int n)
{
    return ratio(n + 1, 1);
}

static struct ratio is_harmonic(int n)
{
    return n == 0 ? zero : ratio(1, n);
}

static struct ratio is_exp(int n)
{
    struct ratio r = one;

    for (int i = 2; i <= n; i++)
        r = times(r, ratio(1, i));
    return r;
}

static struct ratio is_tan(int n)
{
    static const struct ratio odd[] = {{1, 1},     {1, 3},         {2, 15},         {17, 315},
                                       {62, 2835}, {1382, 155925}, {21844, 6081075}};

    return n % 2 ? odd[n / 2] : zero;
}

static struct series *ones(void)
{
    return repeat(one);
}

static void check_all(int n)
{
    check("nothing is asked", multiply(ones(), invert(ones())), is_one, 0);
    check("1/(1-x)^2", multiply(ones(), ones()), is_count, 2 * n);
    check("(1/(1-x))'", derive(ones()), is_count, 4 * n);
    check("-log(1-x)", integrate(zero, ones()), is_harmonic, 4 * n);
    check("1/(1/(1-x))", invert(ones()), is_one_less_x, n);
    check("1/(1/(1-x)) + 0", add(invert(ones()), repeat(zero)), is_one_less_x, n);
    check("exp x", exponential(line(zero, one)), is_exp, n);
    check("exp x exp -x",
          multiply(exponential(line(zero, one)), exponential(line(zero, minus_one))), is_one, n);
    check("exp -log(1-x)", invert(exponential(integrate(zero, ones()))), is_one_less_x, n);
    check("tan x", tangent(), is_tan, n);
    free_all();
}

static int run(void *arg)
{
    int rounds = test_scale(60);

    for (int i = 0; i < rounds; i++) {
        by_pointer = i % 2;
        check_all(rounds == 60 ? 12 : 8);
    }
    return 0;
}

TEST(chan_power_series)
{
    return ant_run(run, NULL, NULL);
}
