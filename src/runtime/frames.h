/* frames.h - the return addresses on a stack: where a thread or a goroutine is. */
#ifndef ANT_RUNTIME_FRAMES_H
#define ANT_RUNTIME_FRAMES_H

#include <stdbool.h>

#include "base/log.h"

/* Of the function that calls it and of those above that, at most max. Returns their number. */
int ant__frames(void **ret_frames, int max);

/* How many are ours, before that of user code, which called us from `caller`; 0: it is not there. */
int ant__frames_of_ours(void *const *frames, int n, const void *caller);

/* Whether it is one in which every goroutine begins, and no user code. */
bool ant__is_bottom_frame(const void *frame);

void ant__frames_print(struct ant__out *out, void *const *frames, int n);

#endif
