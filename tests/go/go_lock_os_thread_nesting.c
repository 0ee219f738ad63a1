/* go_lock_os_thread_nesting.c - locks to a thread nest: a goroutine is tied until as many unlocks.
 *
 * Catches: the first unlock unties, or the last does not; one unlock too many is not refused;
 * another goroutine runs on a thread that is tied.
 */
#include <errno.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include <anthill.h>

#include "check.h"

static _Atomic pid_t tied_thread;
static _Atomic bool stop;
static ant_waitgroup ended;

/* As the head line of the main goroutine in a dump tells. */
static bool is_tied(void)
{
    char text[1024] = "";
    int fd = memfd_create("dump", 0);
    const char *line, *end;
    int err;

    CHECK(fd >= 0);
    while ((err = ant_dump(fd)) == -EAGAIN) /* not within a second: a busy machine */
        CHECK(lseek(fd, 0, SEEK_SET) == 0 && ftruncate(fd, 0) == 0);
    CHECK_INT(err, 0);
    CHECK(pread(fd, text, sizeof text - 1, 0) > 0);
    close(fd);
    line = strstr(text, "goroutine 1 [");
    CHECK(line != NULL);
    end = strchr(line, '\n');
    CHECK(end != NULL);
    return memmem(line, (size_t)(end - line), "locked to thread", 16) != NULL;
}

static void intruder(void *arg)
{
    while (!atomic_load(&stop)) {
        CHECK(gettid() != atomic_load(&tied_thread));
        ant_yield();
    }
    ant_waitgroup_done(&ended);
}

static void stay_for_a_while(void)
{
    pid_t thread = gettid();

    atomic_store(&tied_thread, thread);
    for (int i = 0; i < 20; i++) {
        ant_yield();
        CHECK_INT(gettid(), thread);
    }
    CHECK(is_tied());
}

static int run(void *arg)
{
    CHECK_INT(ant_unlock_thread(), -EPERM);
    ant_waitgroup_add(&ended, 2);
    for (int i = 0; i < 2; i++)
        CHECK_INT(ant_go(intruder, NULL), 0);
    for (int round = 0; round < 3; round++) {
        CHECK(!is_tied());
        CHECK_INT(ant_lock_thread(), 0);
        stay_for_a_while();
        CHECK_INT(ant_lock_thread(), 0);
        stay_for_a_while();
        CHECK_INT(ant_unlock_thread(), 0);
        stay_for_a_while();
        atomic_store(&tied_thread, 0);
        CHECK_INT(ant_unlock_thread(), 0);
        CHECK_INT(ant_unlock_thread(), -EPERM);
    }
    atomic_store(&stop, true);
    ant_waitgroup_wait(&ended);
    return 0;
}

TEST(go_lock_os_thread_nesting)
{
    CHECK_INT(ant_lock_thread(), ANT_ENOTGOROUTINE);
    CHECK_INT(ant_unlock_thread(), ANT_ENOTGOROUTINE);
    return ant_run(run, NULL, NULL);
}
