/* chan_typed - what ANT_CHAN_DEFINE makes, for int and for a struct: every function does what
 * the one of ant_chan does, and name_any goes into a select. */
#include <errno.h>

#include <anthill.h>

#include "check.h"

struct point {
    double x, y;
    char name[10];
};

ANT_CHAN_DEFINE(int_chan, int);
ANT_CHAN_DEFINE(point_chan, struct point);

static void check_ints(void)
{
    int_chan *c;
    int v = 0;

    CHECK_INT(int_chan_new(NULL, 1), -EINVAL);
    CHECK_INT(int_chan_new(&c, 2), 0);
    CHECK_INT(int_chan_cap(c), 2);
    int_chan_send(c, 42);
    CHECK_INT(int_chan_try_send(c, 43), 0);
    CHECK_INT(int_chan_try_send(c, 44), -EAGAIN);
    CHECK_INT(int_chan_len(c), 2);
    CHECK(int_chan_recv(c, &v));
    CHECK_INT(v, 42);
    CHECK_INT(int_chan_try_recv(c, &v), 0);
    CHECK_INT(v, 43);
    CHECK_INT(int_chan_try_recv(c, NULL), -EAGAIN);
    CHECK_INT(int_chan_send_ctx(c, 45, NULL), 0);
    CHECK_INT(int_chan_recv_ctx(c, &v, NULL), 0);
    CHECK_INT(v, 45);
    int_chan_close(c);
    CHECK(!int_chan_recv(c, &v));
    CHECK_INT(v, 0);
    CHECK_INT(int_chan_try_recv(c, &v), ANT_ECLOSED);
    CHECK_INT(int_chan_send_ctx(c, 1, NULL), ANT_ECLOSED);
    CHECK_INT(int_chan_destroy(c), 0);
    CHECK_INT(int_chan_destroy(NULL), 0);
}

static void check_done_ctx(int_chan *c)
{
    ant_ctx *ctx;
    int v;

    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    ant_ctx_cancel(ctx);
    CHECK_INT(int_chan_send_ctx(c, 1, ctx), ANT_ECANCELED);
    CHECK_INT(int_chan_recv_ctx(c, &v, ctx), ANT_ECANCELED);
    ant_ctx_unref(ctx);
}

static void send_points(void *arg)
{
    for (int i = 0; i < 100; i++)
        point_chan_send(arg, (struct point){i, -i / 2.0, "point"});
    point_chan_close(arg);
}

/* Two types in one select. */
static void check_select(int_chan *ints, point_chan *points)
{
    struct point p;
    int n = 7, sent = 0, received = 0;
    ant_case cases[] = {ANT_RECV(point_chan_any(points), &p), ANT_SEND(int_chan_any(ints), &n)};

    for (;;) {
        int at = ant_select(cases, 2);

        if (at == 1) {
            sent++;
            cases[1].chan = NULL;
        } else if (!cases[0].received) {
            break;
        } else {
            CHECK(p.x == received && p.y == -received / 2.0);
            CHECK_STR(p.name, "point");
            received++;
        }
    }
    CHECK_INT(received, 100);
    CHECK_INT(sent, ant_chan_len(int_chan_any(ints)));
}

static int run(void *arg)
{
    point_chan *points;
    int_chan *ints;

    check_ints();
    for (size_t capacity = 0; capacity < 3; capacity++) {
        CHECK_INT(int_chan_new(&ints, 1), 0);
        CHECK_INT(point_chan_new(&points, capacity), 0);
        CHECK_INT(ant_go(send_points, points), 0);
        check_select(ints, points);
        check_done_ctx(ints);
        while (ant_count() > 1)
            ant_yield();
        CHECK_INT(int_chan_destroy(ints), 0);
        CHECK_INT(point_chan_destroy(points), 0);
    }
    return 0;
}

TEST(chan_typed)
{
    return ant_run(run, NULL, NULL);
}
