/* config_procs_quota - the quota of control groups, of both versions, tells how many Ps there are by
 * default: the smallest on the way to the root counts, a part of a CPU is rounded up, and without a
 * limit, or with something that cannot be read, the number of CPUs counts alone. */
#include <errno.h>
#include <sched.h>
#include <sys/stat.h>

#include <anthill.h>

#include "check.h"
#include "runtime/runtime.h"

#define GROUP "/sys/fs/cgroup"

static char root[] = "/tmp/anthill-quota-XXXXXX";

/* Writes a file below the root, with the folders that lead to it. */
static void put(const char *path, const char *text)
{
    char full[8192];
    int fd;

    snprintf(full, sizeof full, "%s%s", root, path);
    for (char *slash = strchr(full + sizeof root, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        CHECK(mkdir(full, 0700) == 0 || errno == EEXIST);
        *slash = '/';
    }
    fd = open(full, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    CHECK(fd >= 0);
    CHECK_INT(write(fd, text, strlen(text)), strlen(text));
    close(fd);
}

static void in_group(const char *group)
{
    char line[8192];

    snprintf(line, sizeof line, "0::%s\n", group);
    put("/proc/self/cgroup", line);
}

static void check_v2(void)
{
    static const struct {
        const char *text;
        int cpus;
    } quotas[] = {
        {"max 100000\n", 0},
        {"100000 100000\n", 1},
        {"1000 100000\n", 1},
        {"99999 100000\n", 1},
        {"100001 100000\n", 2},
        {"150000 100000\n", 2},
        {"300000 100000\n", 3},
        {"7000000 1000000\n", 7},
        {"9223372036854775807 1\n", 1024},
        {"0 100000\n", 0},
        {"-1 100000\n", 0},
        {"100000 0\n", 0},
        {"100000\n", 0},
        {"", 0},
        {"nonsense\n", 0},
    };

    in_group("/");
    for (size_t i = 0; i < sizeof quotas / sizeof quotas[0]; i++) {
        put(GROUP "/cpu.max", quotas[i].text);
        CHECK_INT(ant__procs_quota(), quotas[i].cpus);
    }
}

static void check_v2_nested(void)
{
    in_group("/a/b/c");
    put(GROUP "/cpu.max", "max 100000\n");
    put(GROUP "/a/b/c/cpu.max", "max 100000\n");
    CHECK_INT(ant__procs_quota(), 0); /* and /a/b has no such file */
    put(GROUP "/a/b/cpu.max", "500000 100000\n");
    CHECK_INT(ant__procs_quota(), 5);
    put(GROUP "/a/b/c/cpu.max", "800000 100000\n");
    CHECK_INT(ant__procs_quota(), 5);
    put(GROUP "/cpu.max", "600000 200000\n");
    CHECK_INT(ant__procs_quota(), 3);
    put(GROUP "/a/b/c/cpu.max", "200000 100000\n");
    CHECK_INT(ant__procs_quota(), 2);
    put(GROUP "/a/cpu.max/no-file", ""); /* it can be opened, but not read */
    CHECK_INT(ant__procs_quota(), 2);
    in_group("/not/mounted/here"); /* as seen from inside of a container */
    CHECK_INT(ant__procs_quota(), 3);
}

/* Names as long as they may be. */
static void check_v2_deep(void)
{
    char path[3072] = GROUP, *group = path + strlen(GROUP);

    for (int i = 0; i < 10; i++)
        sprintf(path + strlen(path), "/%0200d", i);
    in_group(group);
    strcat(path, "/cpu.max");
    put(path, "100000 100000\n");
    CHECK_INT(ant__procs_quota(), 1);
}

static void check_v1(void)
{
    put("/proc/self/cgroup", "4:memory:/x\n3:cpu,cpuacct:/x\n1:name=systemd:/x\n");
    CHECK_INT(ant__procs_quota(), 0);
    put(GROUP "/cpu/cpu.cfs_quota_us", "250000\n");
    CHECK_INT(ant__procs_quota(), 0);
    put(GROUP "/cpu/cpu.cfs_period_us", "100000\n");
    CHECK_INT(ant__procs_quota(), 3);
    put("/proc/self/cgroup", "3:cpu,cpuacct:/x\n0::/x\n"); /* both, with the CPUs in the first */
    put(GROUP "/cpu.max", "max 100000\n");
    CHECK_INT(ant__procs_quota(), 3);
    put(GROUP "/cpu/cpu.cfs_quota_us", "-1\n");
    CHECK_INT(ant__procs_quota(), 0);
}

/* With a limit of one CPU and none. */
static void check_start(void)
{
    cpu_set_t all;

    CHECK_INT(unsetenv("ANTHILL"), 0);
    CHECK_INT(sched_getaffinity(0, sizeof all, &all), 0);
    in_group("/");
    put(GROUP "/cpu.max", "50000 100000\n");
    CHECK_INT(ant_start(NULL), 0);
    CHECK_INT(ant_procs(), 1);
    CHECK_INT(ant_stop(), 0);
    put(GROUP "/cpu.max", "900000000 100000\n");
    CHECK_INT(ant__procs_default(), CPU_COUNT(&all));
}

static void tidy_up(void)
{
    char command[64];

    snprintf(command, sizeof command, "rm -rf %s", root);
    if (system(command) != 0)
        FAIL("%s failed", command);
}

TEST(config_procs_quota)
{
    CHECK(mkdtemp(root));
    atexit(tidy_up);
    ant__fs_root = root;
    CHECK_INT(ant__procs_quota(), 0); /* no /proc, no /sys */
    check_v2();
    check_v2_nested();
    check_v2_deep();
    check_v1();
    check_start();
    return 0;
}
