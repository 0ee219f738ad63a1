/* frames.c - see frames.h. The compiler's own library walks the stack, by the tables that the linker
 * keeps for exceptions. backtrace() of glibc does the same, but opens that library at its first call,
 * under the lock of the dynamic linker; and other libcs do not have it. */
#include "runtime/frames.h"

#include <stdint.h>
#include <unwind.h>

#include "base/compiler.h"
#include "runtime/symbol.h"

struct walk {
    void **frames;
    int n, max; /* n is -1 at first: the first frame is ant__frames itself */
    _Unwind_Word last;
};

static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *arg)
{
    struct walk *w = arg;
    uintptr_t address = _Unwind_GetIP(context);
    _Unwind_Word frame = _Unwind_GetCFA(context);

    if (address == 0)
        return _URC_END_OF_STACK;
    if (w->n > 0 && frame == w->last && w->frames[w->n - 1] == (void *)address)
        return _URC_END_OF_STACK; /* a damaged stack, on which the way leads nowhere */
    if (w->n >= 0)
        w->frames[w->n] = (void *)address;
    w->last = frame;
    return ++w->n < w->max ? _URC_NO_REASON : _URC_END_OF_STACK;
}

ant__noinline int ant__frames(void **ret_frames, int max)
{
    struct walk w = {.frames = ret_frames, .n = -1, .max = max};

    _Unwind_Backtrace(visit, &w);
    return w.n < 0 ? 0 : w.n;
}

int ant__frames_of_ours(void *const *frames, int n, const void *caller)
{
    for (int i = 0; i < n; i++) {
        if (frames[i] == caller)
            return i;
    }
    return 0;
}

void ant__frames_print(struct ant__out *out, void *const *frames, int n)
{
    for (int i = 0; i < n; i++)
        ant__symbol_print(out, "    ", frames[i]);
}
