/* signal.h - signals: received on channels, and as the end of a context.
 *
 *     static const int ends[] = {SIGINT, SIGTERM};
 *     ant_ctx *ctx;
 *
 *     err = ant_ctx_with_signals(&ctx, NULL, ends, 2);
 *     ...
 *     while ((err = ant_accept_ctx(listener, &io, ctx)) == 0)
 *         ant_go_copy(serve, &io, sizeof io);
 *     ... a signal came: finish
 *
 * While anybody wants a signal, a handler of Anthill catches it, whichever thread it is sent to,
 * and it does not do what it did before. That comes back when nobody wants it any more, and as soon
 * as the runtime begins to stop: then all that was asked for here is forgotten. A handler that
 * others have installed meanwhile stays. System calls that a signal interrupts are restarted, as by
 * SA_RESTART; those that never are fail with EINTR. A child of fork has the former handlers, one of
 * ant_spawn the default ones.
 *
 * Every signal may be asked for except: SIGKILL and SIGSTOP, which cannot be caught; SIGSEGV,
 * SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT and SIGSYS, which tell of faults; those of libc below
 * SIGRTMIN; the signal of the setting presignal (SIGURG unless said otherwise); SIGQUIT with the
 * setting sigquit.
 *
 * A goroutine that waits for a signal here counts as one that something may still wake: it is no
 * deadlock. An idle process that waits sleeps. What a signal handler of your own may call is in
 * go.h.
 */
#ifndef ANTHILL_SIGNAL_H
#define ANTHILL_SIGNAL_H

#include <signal.h>

#include <anthill/chan.h>
#include <anthill/context.h>
#include <anthill/version.h>

ANT_BEGIN_DECLS

/* From now on sends the numbers of these n signals on c when they come. c is a channel of int.
 * Nobody waits for the receiver: a signal that finds the channel full, or one without room and
 * without a waiting receiver, is dropped for that channel. So give it room for as many as may come
 * at once, 1 if only the first counts. The system too may make one of several ordinary signals with
 * the same number. Of different signals that come at once the lowest number comes first. A signal
 * may go to several channels. A second call with c adds to the signals of the first one. c must not
 * be destroyed before ant_signal_stop or the end of the run; if it is closed, nothing is sent. Any
 * thread; does not block. Returns 0; -EINVAL if c or signals is NULL, n < 1, c is no channel of
 * int, or for a signal that cannot be had (see above): then none is added; ANT_ENOTRUNNING;
 * -ENOMEM. */
ANT_API int ant_signal_notify(ant_chan *c, const int *signals, int n);

/* Sends no more signals on c: when this returns nobody touches it. What lies in it stays. A signal
 * that came a moment before may be lost. Does nothing if c gets none, or is NULL. Any thread; waits
 * for nobody but a delivery that is under way. */
ANT_API void ant_signal_stop(ant_chan *c);

/* Makes a context that is moreover done when the first of these n signals comes, with
 * ANT_ECANCELED; its cause is ANT_ESIGNAL. From then on it wants no more of them, and neither does
 * one that is done for another reason: so a second Ctrl-C ends a program that is slow to finish.
 * Whoever wants to know which signal it was, or to be told of the second one, uses a channel beside
 * it. Any thread; does not block. Returns 0; -EINVAL if ret_ctx or signals is NULL, n < 1, or for a
 * signal that cannot be had; ANT_ENOTRUNNING; -ENOMEM. */
ANT_API int ant_ctx_with_signals(ant_ctx **ret_ctx, ant_ctx *parent, const int *signals, int n);

ANT_END_DECLS

#endif
