/* rwmutex_try - Go's TestRWMutex, the table of what may be locked beside what, by trying. Without a
 * runtime too. */
#include <anthill.h>

#include "check.h"

static int run(void *arg)
{
    ant_rwmutex rw = {0};

    ant_rwmutex_lock(&rw);
    CHECK(!ant_rwmutex_try_lock(&rw));
    CHECK(!ant_rwmutex_try_rlock(&rw));
    ant_rwmutex_unlock(&rw);

    CHECK(ant_rwmutex_try_lock(&rw));
    CHECK(!ant_rwmutex_try_lock(&rw));
    CHECK(!ant_rwmutex_try_rlock(&rw));
    ant_rwmutex_unlock(&rw);

    ant_rwmutex_rlock(&rw);
    CHECK(ant_rwmutex_try_rlock(&rw));
    CHECK(!ant_rwmutex_try_lock(&rw));
    ant_rwmutex_runlock(&rw);
    CHECK(!ant_rwmutex_try_lock(&rw)); /* one reader is left */
    CHECK_INT(ant_rwmutex_rlock_ctx(&rw, NULL), 0);
    ant_rwmutex_runlock(&rw);
    ant_rwmutex_runlock(&rw);

    CHECK_INT(ant_rwmutex_lock_ctx(&rw, NULL), 0);
    CHECK(!ant_rwmutex_try_rlock(&rw));
    ant_rwmutex_unlock(&rw);
    CHECK(ant_rwmutex_try_rlock(&rw));
    ant_rwmutex_runlock(&rw);
    CHECK(ant_rwmutex_try_lock(&rw));
    return 0;
}

TEST(rwmutex_try)
{
    run(NULL);
    return ant_run(run, NULL, NULL);
}
