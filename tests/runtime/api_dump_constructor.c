/* api_dump_constructor - while the constructor of a library waits for goroutines, another thread makes
 * the first dump of the process: both come to an end.
 *
 * Catches: a dump that needs the lock of the dynamic linker, which the constructor's thread has, while
 * all goroutines are paused; or at all. */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <anthill.h>

#include "check.h"

static ant_waitgroup never;
static int calls;

static void wait_for_ever(void *arg)
{
    ant_waitgroup_wait(&never);
}

static void end(void *wg)
{
    ant_waitgroup_done(wg);
}

static void *dump(void *arg)
{
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

    CHECK(null >= 0);
    CHECK_INT(ant_dump(null), 0);
    close(null);
    return NULL;
}

static void hook(void)
{
    pthread_t thread;

    calls++;
    CHECK_INT(pthread_create(&thread, NULL, dump, NULL), 0);
    for (int i = 0; i < 100; i++) {
        ant_waitgroup wg = {0};

        ant_waitgroup_add(&wg, 1);
        CHECK_INT(ant_go(end, &wg), 0);
        ant_waitgroup_wait(&wg);
    }
    CHECK_INT(pthread_join(thread, NULL), 0);
}

/* Beside the program of the tests. */
static void *load(void)
{
    char path[512] = "", *end;
    void *library;

    CHECK(readlink("/proc/self/exe", path, sizeof path - 1) > 0);
    end = strrchr(path, '/');
    snprintf(end, sizeof path - (size_t)(end - path), "/runtime/libcalls_hook.so");
    library = dlopen(path, RTLD_NOW);
    if (!library)
        FAIL("%s", dlerror());
    return library;
}

TEST(api_dump_constructor)
{
    char address[32];
    void *library;

    snprintf(address, sizeof address, "%lx", (unsigned long)(uintptr_t)hook);
    CHECK_INT(setenv("ANT_TEST_HOOK", address, 1), 0);
    CHECK_INT(ant_start(NULL), 0);
    ant_waitgroup_add(&never, 1);
    CHECK_INT(ant_go(wait_for_ever, NULL), 0);
    library = load();
    CHECK_INT(calls, 1);
    dlclose(library);
    CHECK_INT(ant_stop(), 0);
    return 0;
}
