/* go_steal_order.c - a thief's tour visits each of n Ps once; every start and every stride without
 * common divisor with n occurs, and for few Ps each pair of them equally often.
 *
 * Catches: a P that is never, or seldom, stolen from; a tour that goes in circles.
 */
#include "check.h"
#include "runtime/runtime.h"

enum { MOST = 1024, FEW = 16 };

static bool visited[MOST];
static bool started[MOST], strode[MOST];
static int pairs[FEW][FEW + 1];

static uint32_t gcd(uint32_t a, uint32_t b)
{
    return b ? gcd(b, a % b) : a;
}

static int coprimes(uint32_t n)
{
    int count = 0;

    for (uint32_t c = 1; c <= n; c++)
        count += gcd(c, n) == 1;
    return count;
}

static void walk(struct ant__tour tour)
{
    int at;

    memset(visited, 0, sizeof visited);
    for (uint32_t i = 0; i < tour.n; i++) {
        CHECK(ant__tour_next(&tour, &at));
        CHECK(at >= 0 && (uint32_t)at < tour.n);
        CHECK(!visited[at]);
        visited[at] = true;
    }
    CHECK(!ant__tour_next(&tour, &at));
}

static int count(const bool *flags)
{
    int n = 0;

    for (int i = 0; i < MOST; i++)
        n += flags[i];
    return n;
}

/* At least as many random numbers as there are pairs of start and stride. */
static void all_of(uint32_t n)
{
    uint32_t all = n * n;

    memset(started, 0, sizeof started);
    memset(strode, 0, sizeof strode);
    for (uint32_t random = 0; random < all; random++) {
        struct ant__tour tour;

        ant__tour_start(&tour, n, random);
        CHECK_INT(gcd(tour.stride, n), 1);
        started[tour.at] = true;
        strode[tour.stride - 1] = true;
        if (n <= 64 || random % 997 == 0)
            walk(tour);
    }
    CHECK_INT(count(started), n);
    CHECK_INT(count(strode), coprimes(n));
}

static void distinct_pairs(uint32_t n)
{
    uint32_t all = n * (uint32_t)coprimes(n);

    memset(pairs, 0, sizeof pairs);
    for (uint32_t random = 0; random < 3 * all; random++) {
        struct ant__tour tour;

        ant__tour_start(&tour, n, random);
        CHECK_INT(pairs[tour.at][tour.stride]++, random / all);
    }
}

TEST(go_steal_order)
{
    for (uint32_t n = 1; n <= 64; n++)
        all_of(n);
    all_of(MOST);
    for (uint32_t n = 1; n <= FEW; n++)
        distinct_pairs(n);
    for (uint32_t n = 1; n <= MOST; n++) { /* the largest random numbers too */
        struct ant__tour tour;

        ant__tour_start(&tour, n, UINT32_MAX - n);
        walk(tour);
    }
    return 0;
}
