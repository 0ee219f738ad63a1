/* config_bad - a bad variable ANTHILL is named on standard error, with the setting and what it
 * should be, nothing is started, and ANT_ECONFIG is returned. */
#include <anthill.h>

#include "check.h"

static const char *variable;

static int never(void *arg)
{
    FAIL("started with ANTHILL=%s", variable);
}

static void child(void)
{
    struct test_resources before = test_resources_now();

    CHECK_INT(setenv("ANTHILL", variable, 1), 0);
    CHECK_INT(ant_run(never, NULL, NULL), ANT_ECONFIG);
    CHECK_INT(ant_start(&(ant_config){.procs = 1}), ANT_ECONFIG);
    CHECK_INT(ant_procs(), 0);
    CHECK_INT(ant_stop(), ANT_ENOTRUNNING);
    test_resources_check(&before, 1);
    CHECK_INT(unsetenv("ANTHILL"), 0);
    CHECK_INT(ant_start(NULL), 0); /* it was not the runtime's fault */
    CHECK_INT(ant_stop(), 0);
}

static void check(const char *bad, const char *in_message)
{
    char output[4096];
    int status;

    variable = bad;
    status = test_child(child, output, sizeof output);
    if (status != 0)
        FAIL("ANTHILL=%s: status 0x%x, %s", bad, status, output);
    CHECK_INT(strncmp(output, "anthill: the variable ANTHILL ", 30), 0);
    CHECK_HAS(output, in_message);
}

TEST(config_bad)
{
    static const char *const names[] = {"procs",     "stack",      "threads", "hogs",
                                        "presignal", "schedtrace", "seed",    "stop",
                                        "faults",    "sigquit",    "deadlock"};
    static const char *const bad[][2] = {
        {"procs=0", "procs to \"0\""},
        {"procs=1025", "procs to \"1025\""},
        {"procs=-1", "procs to \"-1\""},
        {"procs=4k", "procs to \"4k\""},
        {"procs= 4", "procs to \" 4\""},
        {"procs=4 ", "procs to \"4 \""},
        {"procs=+4", "procs to \"+4\""},
        {"procs=0x4", "procs to \"0x4\""},
        {"procs=four", "a number from 1 to 1024"},
        {"procs=99999999999999999999", "procs to \"99999999999999999999\""},
        {"stack=1k", "a size from 2k to 1g"},
        {"stack=0", "stack to \"0\""},
        {"stack=2047", "stack to \"2047\""},
        {"stack=2g", "stack to \"2g\""},
        {"stack=64x", "stack to \"64x\""},
        {"stack=64kb", "stack to \"64kb\""},
        {"stack=64K", "stack to \"64K\""},
        {"stack=-64k", "stack to \"-64k\""},
        {"stack=18446744073709551615k", "stack to"},
        {"threads=0", "threads to \"0\""},
        {"threads=1000001", "threads to \"1000001\""},
        {"hogs=0", "hogs to \"0\""},
        {"hogs=1000001", "a number from 1 to 1000000"},
        {"hogs=-1", "hogs to \"-1\""},
        {"hogs=4k", "hogs to \"4k\""},
        {"presignal=9", "presignal to \"9\""},
        {"presignal=11", "presignal to \"11\""},
        {"presignal=19", "presignal to \"19\""},
        {"presignal=10s", "presignal to \"10s\""},
        {"presignal=65", "the number of a signal"},
        {"presignal=-1", "presignal to \"-1\""},
        {"presignal=off", "presignal to \"off\""},
        {"schedtrace=3600001", "schedtrace to"},
        {"schedtrace=1s", "milliseconds"},
        {"seed=-1", "seed to \"-1\""},
        {"seed=18446744073709551616", "seed to"},
        {"stop=5", "a time like 500ms or 3s"},
        {"stop=5m", "stop to \"5m\""},
        {"stop=-1s", "stop to \"-1s\""},
        {"stop=99999999999s", "stop to"},
        {"faults=2", "0 or 1"},
        {"faults=yes", "faults to \"yes\""},
        {"sigquit=2", "sigquit to \"2\""},
        {"deadlock=-1", "deadlock to \"-1\""},
        {"colour=red", "\"colour\" that does not exist"},
        {"PROCS=4", "\"PROCS\" that does not exist"},
        {"proc=4", "\"proc\" that does not exist"},
        {"=4", "\"\" that does not exist"},
        {"procs=2,stack=bad", "stack to \"bad\""},
        {"procs=2,colour=red,stack=64k", "\"colour\" that does not exist"},
        {"procs=2;stack=64k", "procs to \"2;stack=64k\""},
    };
    char text[600];

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        check(bad[i][0], bad[i][1]);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char expected[64];

        snprintf(expected, sizeof expected, "sets %s to \"\", but it must be ", names[i]);
        check(names[i], expected); /* no value */
        snprintf(text, sizeof text, "%s=", names[i]);
        check(text, expected); /* an empty one */
    }

    /* 511 characters are read, more are refused and not cut off. */
    memset(text, ',', sizeof text);
    memcpy(text, "procs=2", 7);
    text[512] = '\0';
    check(text, "longer than 511 characters");
    text[511] = '\0';
    memcpy(text + 511 - 10, ",procs=bad", 10);
    check(text, "procs to \"bad\"");
    return 0;
}
