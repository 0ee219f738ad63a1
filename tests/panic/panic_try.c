/* panic_try - ant_try returns what happened, and *ret_info tells what; in goroutines and in plain
 * threads. */
#include <anthill.h>

#include "check.h"

static int calls;

static void returns(void *arg)
{
    calls++;
    CHECK(arg == &calls);
}

static void panics(void *arg)
{
    calls++;
    ant_panic("no luck: %d %s %c", 7, "times", '!');
}

static void panics_at_length(void *arg)
{
    char text[1000];

    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    ant_panic("%s", text);
}

static void panics_emptily(void *arg)
{
    ant_panic("%s", "");
}

static void check_all(void)
{
    ant_panic_info info;
    char untouched[sizeof info];

    calls = 0;
    memset(&info, 0x77, sizeof info);
    memset(untouched, 0x77, sizeof untouched);
    CHECK_INT(ant_try(returns, &calls, &info), 0);
    CHECK_INT(memcmp(&info, untouched, sizeof info), 0);
    CHECK_INT(ant_try(returns, &calls, NULL), 0);
    CHECK_INT(calls, 2);

    CHECK_INT(ant_try(panics, NULL, NULL), ANT_EPANIC);
    CHECK_INT(ant_try(panics, NULL, &info), ANT_EPANIC);
    CHECK_INT(calls, 4);
    CHECK_STR(info.message, "no luck: 7 times !");
    CHECK_INT(info.goroutine, ant_id());
    CHECK_INT(info.signal, 0);
    CHECK(info.frame_count > 0 && info.frame_count <= ANT_PANIC_FRAMES);

    CHECK_INT(ant_try(panics_at_length, NULL, &info), ANT_EPANIC);
    CHECK_INT(strlen(info.message), sizeof info.message - 1);
    CHECK_INT(strspn(info.message, "x"), sizeof info.message - 1);
    CHECK_INT(ant_try(panics_emptily, NULL, &info), ANT_EPANIC);
    CHECK_STR(info.message, "");
}

/* Many live values across a panic: the registers come back as they were. */
static void check_registers(void)
{
    volatile int v = 1;
    int a = v, b = v + 1, c = v + 2, d = v + 3, e = v + 4, f = v + 5, g = v + 6, h = v + 7;
    double x = v * 0.5, y = v * 1.5;

    for (int i = 0; i < test_scale(20000); i++) {
        CHECK_INT(ant_try(panics, NULL, NULL), ANT_EPANIC);
        a += b, b += 1, c ^= a, d -= i, e += c & 1, f += d & 1, g += e & 1, h += g & 1;
        x += 1, y += x > 100 ? 0 : 1;
    }
    CHECK(x == 0.5 + test_scale(20000));
    CHECK(y >= 2.5);
    CHECK_INT(b, 2 + test_scale(20000));
    CHECK(a + c + d + e + f + g + h != 0);
}

static int run(void *arg)
{
    check_all();
    check_registers();
    return 0;
}

TEST(panic_try)
{
    CHECK_INT(run(NULL), 0); /* no runtime is needed */
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    CHECK_INT(ant_start(NULL), 0);
    CHECK_INT(run(NULL), 0); /* a plain thread beside one */
    CHECK_INT(ant_stop(), 0);
    return 0;
}
