/* mutex.h - what cond.c needs of a mutex; see mutex.c. */
#ifndef ANT_SYNC_MUTEX_H
#define ANT_SYNC_MUTEX_H

#include "sync/sleep.h"

/* Unlocks, for who is inside the runtime. Returns whom to wake, or NULL. */
struct ant__wait *ant__mutex_release(ant_mutex *mutex);

#endif
