/* context.h - contexts: one word for "stop", handed down from caller to callee.
 *
 * A context is made from another one, its parent. It is done when it is canceled, when its deadline
 * has passed, or when its parent is done, whichever comes first; what waits with it then gives up.
 * Its err tells why, its done channel is closed then.
 *
 *     ant_ctx *ctx;
 *
 *     err = ant_ctx_with_timeout(&ctx, parent, 5 * ANT_SECOND);
 *     ...
 *     err = ant_chan_recv_ctx(answers, &answer, ctx);
 *     ant_ctx_cancel(ctx);
 *     ant_ctx_unref(ctx);
 *
 * Who owns it. Each ant_ctx_with_... gives its caller one reference; ant_ctx_ref takes another one,
 * ant_ctx_unref gives one back, and the last one frees the context. A context holds a reference to
 * its parent. So: whoever makes a context unrefs it; whoever hands one to a goroutine that may
 * outlive him refs it for that goroutine, which unrefs it. A call that takes a context needs it
 * only until it returns.
 *
 * A context with which goroutines waited when the runtime was stopped, or with whose ancestor, may
 * only be unrefed after that: cancel before you stop. What references abandoned goroutines had, by an
 * ANT_TIMEOUT too, is not given back.
 *
 * Wherever a context may be given, NULL stands for one that is never done, and has no values.
 *
 * A timeout for the rest of a block takes one line, and no memory of malloc (ANT_TIMEOUT below).
 */
#ifndef ANTHILL_CONTEXT_H
#define ANTHILL_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include <anthill/chan.h>
#include <anthill/panic.h>
#include <anthill/time.h>
#include <anthill/version.h>

ANT_BEGIN_DECLS

/* Makes a context that can be canceled. Any thread; does not block. Returns 0; -EINVAL if ret_ctx
 * is NULL; -ENOMEM. */
ANT_API int ant_ctx_with_cancel(ant_ctx **ret_ctx, ant_ctx *parent);

/* Makes one that is moreover done, with ANT_ETIMEOUT, when the clock (ant_now) reaches the
 * deadline, or after a timeout; at once if that is past. The parent's deadline counts too. Returns
 * also ANT_ENOTRUNNING: the time is watched by the runtime, and only while it runs. */
ANT_API int ant_ctx_with_deadline(ant_ctx **ret_ctx, ant_ctx *parent, ant_time deadline);
ANT_API int ant_ctx_with_timeout(ant_ctx **ret_ctx, ant_ctx *parent, ant_duration timeout);

/* Makes one that carries a value under a key, which is told from others by its address: use that of
 * a static variable. The context does not own either. Returns -EINVAL also if key is NULL. */
ANT_API int ant_ctx_with_value(ant_ctx **ret_ctx, ant_ctx *parent, const void *key, void *value);

/* Makes one with the parent's values that is not done when the parent is. */
ANT_API int ant_ctx_without_cancel(ant_ctx **ret_ctx, ant_ctx *parent);

/* References, see above. Any thread; do not block; NULL is allowed. ant_ctx_ref returns ctx. */
ANT_API ant_ctx *ant_ctx_ref(ant_ctx *ctx);
ANT_API void ant_ctx_unref(ant_ctx *ctx);

/* Makes ctx and all that descend from it done, with ANT_ECANCELED. The cause, any negative code, is
 * what ant_ctx_cause will tell; 0 or a cancel without cause: ANT_ECANCELED. Does nothing if ctx is
 * done already, or NULL. A context that cannot be canceled itself, with_value and without_cancel,
 * is left as it is. Others may give back the last reference while it is at work. Any thread; do not
 * block. */
ANT_API void ant_ctx_cancel(ant_ctx *ctx);
ANT_API void ant_ctx_cancel_cause(ant_ctx *ctx, int cause);

/* 0 while ctx is not done, then ANT_ECANCELED or ANT_ETIMEOUT. Any thread; do not block. The cause
 * is the same unless a cancel gave another one. */
ANT_API int ant_ctx_err(const ant_ctx *ctx);
ANT_API int ant_ctx_cause(const ant_ctx *ctx);

/* The channel that is closed when ctx is done, for ant_select; NULL if it can never be. It belongs
 * to ctx and lives as long. Do not send on it, close it or destroy it. Any thread; does not
 * block. */
ANT_API ant_chan *ant_ctx_done(const ant_ctx *ctx);

/* True and *ret_deadline (may be NULL), if ctx has a deadline. Any thread; does not block. */
ANT_API bool ant_ctx_deadline(const ant_ctx *ctx, ant_time *ret_deadline);

/* The value under the key in ctx or the nearest of its ancestors that has one, or NULL. Any thread;
 * does not block. */
ANT_API void *ant_ctx_value(const ant_ctx *ctx, const void *key);

/* ---- a timeout for the rest of a block ----
 *
 *     {
 *         ANT_TIMEOUT(ctx, parent, 2 * ANT_SECOND);
 *         err = ant_chan_recv_ctx(answers, &answer, ctx);
 *     }
 *
 * Declares ctx, a context that is done, with ANT_ETIMEOUT, after that time, or when the parent is
 * (NULL: none). It ends with the block that it stands in, however that is left: at its last line, by
 * break, continue, return or goto, by an exception of C++, by ant_panic or ant_exit. It lies in the
 * frame, so nothing is allocated and nothing can fail. While the runtime is not running, ctx is done at
 * once, with ANT_ENOTRUNNING, since nobody would watch the time.
 *
 * ctx holds a reference to its parent. It may be canceled, and handed to goroutines that the block waits
 * for. No reference to it may be left at the end of the block: whoever takes one, by
 * ant_ctx_ref or by making a child, gives it back before, or the process is aborted with a message.
 * ctx itself must not be unrefed. It is undefined to leave the block by longjmp, or to jump into it
 * past the declaration. */
#define ANT_TIMEOUT(ctx, parent, duration)                                                         \
    __attribute__((cleanup(ant_timeout_end))) ant_timeout ant__timeout_##ctx;                      \
    ant_ctx *const ctx = ant_timeout_begin(&ant__timeout_##ctx, parent, duration)

typedef struct ant_timeout {
    uint64_t private_[36];
} ant_timeout;

/* The same by hand. begin makes a context in *timeout, whose memory stays where it is until end; what
 * is there before does not matter. They form a pair in one function, like ant_defer and
 * ant_defer_end, in the reverse order of these too: a panic in between does the end's work. Any
 * thread. begin does not block. end waits for those who are just canceling the context, a moment, and
 * may suspend. Both abort with a message if timeout is NULL. */
ANT_API ant_ctx *ant_timeout_begin(ant_timeout *timeout, ant_ctx *parent, ant_duration d);
ANT_API void ant_timeout_end(ant_timeout *timeout);

ANT_END_DECLS

#endif
