/* mutex.h - what cond.c needs of a mutex; see mutex.c. */
#ifndef ANT_SYNC_MUTEX_H
#define ANT_SYNC_MUTEX_H

#include "sync/sleep.h"

/* ant_mutex_unlock for who is inside the runtime. */
void ant__mutex_unlock_inside(struct ant__m *m, ant_mutex *mutex);

#endif
