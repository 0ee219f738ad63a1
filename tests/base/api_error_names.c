/* api_error_names - every code has its name and message, and what is no code has none. */
#include <errno.h>
#include <limits.h>

#include <anthill.h>

#include "check.h"

static const struct {
    int code;
    const char *name, *message;
} ours[] = {
#define ROW(name, number, message) {number, #name, message},
    ANT_ERRORS(ROW)
#undef ROW
};

static void check_unknown(int code)
{
    CHECK_STR(ant_err_name(code), "unknown");
    CHECK_STR(ant_strerror(code), "unknown error");
}

TEST(api_error_names)
{
    CHECK_STR(ant_err_name(0), "OK");
    CHECK(ant_strerror(0)[0]);

    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++) {
        CHECK_STR(ant_err_name(ours[i].code), ours[i].name);
        CHECK_STR(ant_strerror(ours[i].code), ours[i].message);
        CHECK(ours[i].code < -4095); /* outside of what the kernel returns as -errno */
    }
    CHECK_INT(ANT_ENOTRUNNING, -4097); /* the numbers never change */
    CHECK_INT(ANT_ERUNNING, -4098);
    CHECK_INT(ANT_ENOTGOROUTINE, -4099);
    CHECK_INT(ANT_EGOROUTINE, -4100);
    CHECK_INT(ANT_ECONFIG, -4101);
    CHECK_INT(ANT_ETIMEOUT, -4102);
    CHECK_INT(ANT_EPANIC, -4103);

    CHECK_STR(ant_err_name(-ENOMEM), "ENOMEM");
    CHECK_STR(ant_err_name(-EINVAL), "EINVAL");
    CHECK_STR(ant_err_name(-EAGAIN), "EAGAIN");
    CHECK_STR(ant_err_name(-EPERM), "EPERM");
    CHECK_STR(ant_err_name(-EBUSY), "EBUSY");
    CHECK_STR(ant_err_name(-EBADF), "EBADF");
    for (int e = 1; e < 256; e++)
        CHECK_STR(ant_strerror(-e), ant_err_name(-e)[0] == 'E' ? strerror(e) : "unknown error");

    check_unknown(1);
    check_unknown(ENOMEM); /* codes are negative */
    check_unknown(4097);
    check_unknown(-4096);
    check_unknown(INT_MAX);
    check_unknown(INT_MIN);
    check_unknown(INT_MIN + 1);
    return 0;
}
