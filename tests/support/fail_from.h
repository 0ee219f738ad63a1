/* fail_from.h - lets the system refuse what the library asks of it. */
#ifndef ANT_TESTS_FAIL_FROM_H
#define ANT_TESTS_FAIL_FROM_H

#include <limits.h>

#include "base/sys.h"

/* The nth request from now on, and all behind it, are refused. */
static inline void fail_from(long nth)
{
    atomic_store(&ant__fail_times, LONG_MAX);
    atomic_store(&ant__fail_after, nth);
}

static inline void fail_no_more(void)
{
    atomic_store(&ant__fail_after, 0);
    atomic_store(&ant__fail_times, 0);
}

#endif
