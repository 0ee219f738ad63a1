/* api_dump_busy - a dump for which the goroutines cannot be stopped within a second, because somebody
 * stays inside the runtime or stops them himself, says so and returns -EAGAIN; a change of the number of
 * Ps waits instead. Afterwards all go on. */
#include <pthread.h>

#include <anthill.h>

#include "check.h"
#include "runtime/runtime.h"

static atomic_bool inside, leave;

static void stay_inside(void *arg)
{
    struct ant__m *m = ant__enter();

    atomic_store(&inside, true);
    while (!atomic_load(&leave))
        sched_yield();
    ant__leave(m);
}

static void check_dump(int expected, const char *text)
{
    char said[4096] = "";
    int fds[2];

    CHECK_INT(pipe(fds), 0);
    CHECK_INT(ant_dump(fds[1]), expected);
    CHECK(read(fds[0], said, sizeof said - 1) > 0);
    CHECK_HAS(said, text);
    close(fds[0]);
    close(fds[1]);
}

static void *add_ps(void *arg)
{
    return (void *)(intptr_t)ant_set_procs(2);
}

static void check_set_procs(void)
{
    pthread_t thread;
    void *was;

    CHECK(ant__pause_all(NULL));
    CHECK_INT(pthread_create(&thread, NULL, add_ps, NULL), 0);
    usleep(1200000); /* longer than it waits at a time */
    CHECK_INT(ant_procs(), 1);
    ant__resume_all();
    CHECK_INT(pthread_join(thread, &was), 0);
    CHECK_INT((intptr_t)was, 1);
    CHECK_INT(ant_procs(), 2);
}

TEST(api_dump_busy)
{
    const char *none = "anthill: the goroutines could not be stopped, so there is no dump\n";

    CHECK_INT(unsetenv("ANTHILL"), 0);
    CHECK_INT(ant_start(&(ant_config){.procs = 1}), 0);
    CHECK(ant__pause_all(NULL));
    check_dump(-EAGAIN, none);
    ant__resume_all();
    CHECK_INT(ant_go(stay_inside, NULL), 0);
    while (!atomic_load(&inside))
        usleep(1000);
    check_dump(-EAGAIN, none);
    atomic_store(&leave, true);
    check_dump(0, " procs\n\n");
    check_set_procs();
    CHECK_INT(ant_stop(), 0);
    return 0;
}
