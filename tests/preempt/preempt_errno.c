/* preempt_errno - goroutines may be interrupted while a call of ours learns why the system refused what it
 * asked for, or puts errno back: none gets the reason of another thread, or changes its errno.
 *
 * Catches: an address of errno that is used after the goroutine has changed threads. */
#include <errno.h>
#include <sys/mman.h>

#include <anthill.h>

#include "preempt.h"

enum { CALLERS = 6, KINDS_OF_CALLS = 3, LOOKS = 100 };

static _Atomic bool released;
static ant_waitgroup wg;

static int call(int kind)
{
    switch (kind) {
    case 0:
        return ant__madvise((void *)1, 1, MADV_DONTNEED);
    case 1:
        return ant__poll_register(-1, -1, 0, NULL);
    default:
        return ant__socket(-1, 0);
    }
}

static void caller(void *arg)
{
    static const int errors[KINDS_OF_CALLS] = {-EINVAL, -EBADF, -EAFNOSUPPORT};
    int kind = (int)(intptr_t)arg % KINDS_OF_CALLS;

    while (!atomic_load(&released)) {
        CHECK(ant_count() > 0); /* lets others run, if it has lost its P */
        CHECK_INT(call(kind), errors[kind]);
        for (int i = 0; i < LOOKS; i++) {
            ant__errno_set(kind + i);
            CHECK_INT(ant__errno(), kind + i);
        }
    }
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    const ant_go_options options = {.preempt = ANT_PREEMPT_SIGNAL};
    uint64_t enough = (uint64_t)test_scale(300);
    int callers = CALLERS + ant_procs();

    if (!can_preempt())
        return 0;
    ant_waitgroup_add(&wg, callers);
    for (int i = 0; i < callers; i++)
        CHECK_INT(ant_go_opts(&options, caller, (void *)(intptr_t)i), 0);
    while (preempted() < enough)
        ant_sleep(ANT_MILLISECOND);
    atomic_store(&released, true);
    ant_waitgroup_wait(&wg);
    return 0;
}

TEST(preempt_errno)
{
    ant__slice = 20 * ANT_MICROSECOND;
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
