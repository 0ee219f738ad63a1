/* api_errno_calls - errno is never the channel: no function of Anthill changes it, whether it
 * succeeds or fails, in a goroutine or in a plain thread. */
#include <errno.h>
#include <fcntl.h>

#include <anthill.h>

#include "check.h"

static int null, failures;

/* Not inlined: see api_errno. */
static __attribute__((noinline)) int get_errno(void)
{
    __asm__ volatile("" ::: "memory");
    return errno;
}

static __attribute__((noinline)) void set_errno(int value)
{
    __asm__ volatile("" ::: "memory");
    errno = value;
}

static void nothing(void *arg)
{
}

static void panic(void *arg)
{
    ant_panic("x");
}

#define KEEPS(call)                                                                                \
    do {                                                                                           \
        set_errno(4321);                                                                           \
        (void)(call);                                                                              \
        if (get_errno() != 4321) {                                                                 \
            dprintf(STDERR_FILENO, "%s set errno to %d\n", #call, get_errno());                    \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

static void call_of_goroutines(void)
{
    static char big[1000];

    KEEPS(ant_go(nothing, NULL));
    KEEPS(ant_go(NULL, NULL));
    KEEPS(ant_go_copy(nothing, big, 8));
    KEEPS(ant_go_copy(nothing, big, sizeof big));
    KEEPS(ant_go_copy(nothing, big, SIZE_MAX));
    KEEPS(ant_go_opts(&(ant_go_options){.name = "n", .stack_size = 1 << 20}, nothing, NULL));
    KEEPS((ant_yield(), 0));
    KEEPS((ant_sleep(1), 0));
    KEEPS(ant_id());
    KEEPS(ant_count());
    KEEPS(ant_procs());
    KEEPS(ant_set_procs(ant_procs() ? ant_procs() + 1 : 1));
    KEEPS(ant_set_procs(0));
    KEEPS(ant_lock_thread());
    KEEPS((ant_yield(), 0));
    KEEPS(ant_unlock_thread());
    KEEPS(ant_unlock_thread());
}

static void call_all(void)
{
    static ant_timer timer;
    ant_waitgroup wg = {0};
    ant_panic_info info;
    ant_stats stats;
    ant_local key = {0};

    call_of_goroutines();
    KEEPS(ant_local_new(&key, NULL));
    KEEPS(ant_local_set(key, &key));
    KEEPS(ant_local_get(key) != NULL);
    KEEPS(ant_local_free(key));
    KEEPS(ant_dump(-1));
    KEEPS(ant_dump(null));
    KEEPS(ant_timer_start(&timer, ANT_HOUR, nothing, NULL));
    KEEPS(ant_timer_start(&timer, ANT_HOUR, nothing, NULL));
    KEEPS(ant_timer_reset(&timer, ANT_HOUR));
    KEEPS(ant_timer_stop(&timer));
    KEEPS((ant_waitgroup_add(&wg, 1), 0));
    KEEPS((ant_waitgroup_done(&wg), 0));
    KEEPS((ant_waitgroup_wait(&wg), 0));
    KEEPS(ant_stats_get(&stats));
    KEEPS(ant_try(nothing, NULL, NULL));
    KEEPS(ant_try(panic, NULL, &info));
    KEEPS(ant_panic_print(null, &info));
    KEEPS(ant_strerror(-EINVAL) != NULL);
    KEEPS(ant_err_name(-EINVAL) != NULL);
    KEEPS(ant_now() != 0);
}

static int run(void *arg)
{
    call_all();
    KEEPS(ant_start(NULL));
    KEEPS(ant_stop());
    return 0;
}

TEST(api_errno_calls)
{
    null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    CHECK(null >= 0);
    for (int i = 0; i < 3; i++) {
        call_all();
        KEEPS(ant_start(NULL));
        call_all();
        KEEPS(ant_start(NULL));
        KEEPS(ant_stop());
        KEEPS(ant_stop());
        KEEPS(ant_run(run, NULL, NULL));
        KEEPS(ant_start(&(ant_config){.procs = -1}));
    }
    close(null);
    CHECK_INT(failures, 0);
    return 0;
}
