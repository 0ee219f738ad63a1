/* error.h - the errors of Anthill, one list. */
#ifndef ANTHILL_ERROR_H
#define ANTHILL_ERROR_H

#include <anthill/version.h>

/* X(name, number, message). The numbers lie outside errno's range and never change. */
#define ANT_ERRORS(X)                                                                              \
    X(ANT_ENOTRUNNING, -4097, "the runtime is not running: call ant_run or ant_start first")       \
    X(ANT_ERUNNING, -4098, "the runtime is running already")                                       \
    X(ANT_ENOTGOROUTINE, -4099, "only a goroutine may call this")                                  \
    X(ANT_EGOROUTINE, -4100, "a goroutine may not call this")                                      \
    X(ANT_ECONFIG, -4101, "a setting is bad: see the message on standard error")                   \
    X(ANT_ETIMEOUT, -4102, "the time ran out")                                                     \
    X(ANT_EPANIC, -4103, "the function panicked")                                                  \
    X(ANT_ECLOSED, -4104, "it is closed: the channel or descriptor, or the pool was released")     \
    X(ANT_ECANCELED, -4105, "the context was canceled")                                            \
    X(ANT_EOVERLOAD, -4106, "the pool is full, and the caller may not wait")                       \
    X(ANT_EDEADLOCK, -4107, "a task would wait for its own pool, and nobody could ever end that")  \
    X(ANT_EPOOLFUNC, -4108, "a function pool needs a function")                                    \
    X(ANT_EPOOLEXPIRY, -4109, "a pool's expiry may not be negative")                               \
    X(ANT_EPOOLPREALLOC, -4110, "a pool without limit cannot be preallocated")                     \
    X(ANT_EPOOLINDEX, -4111, "the multi pool has no pool with this index")                         \
    X(ANT_EMULTISIZE, -4112, "a multi pool needs at least one pool")                               \
    X(ANT_ESTRATEGY, -4113, "no such strategy: ANT_ROUND_ROBIN or ANT_LEAST_TASKS")                \
    X(ANT_ENOTFOUND, -4114, "no such host or service")                                             \
    X(ANT_EREBOOTED, -4115, "the pool was opened again, and tasks of before may still run")        \
    X(ANT_ESIGNAL, -4116, "a signal came that ends the context")

enum ant_error {
#define ANT_ERROR_ENUM(name, number, message) name = number,
    ANT_ERRORS(ANT_ERROR_ENUM)
#undef ANT_ERROR_ENUM
};

ANT_BEGIN_DECLS

/* The message for a code that a function of Anthill returned: one of ANT_E..., -errno, or 0.
 * Any thread. Never NULL; the string is constant and may be kept. */
ANT_API const char *ant_strerror(int err);

/* The code's name, "ANT_ETIMEOUT" or "ENOMEM"; "OK" for 0, "unknown" for what is no code.
 * Any thread. Never NULL; the string is constant. */
ANT_API const char *ant_err_name(int err);

ANT_END_DECLS

#endif
