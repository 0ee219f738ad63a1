/* panic.h - panic, try, defer.
 *
 *     static void risky(void *arg)
 *     {
 *         char *buf = malloc(100);
 *
 *         ANT_DEFER(free, buf);    // runs when this scope ends, however it ends
 *         ant_panic("no luck: %d", 7);
 *     }
 *
 *     ant_panic_info info;
 *     if (ant_try(risky, NULL, &info))
 *         fprintf(stderr, "%s\n", info.message);
 *
 * All of it works in goroutines and in other threads alike.
 */
#ifndef ANTHILL_PANIC_H
#define ANTHILL_PANIC_H

#include <stdint.h>

#include <anthill/version.h>

#if defined(__cplusplus) && defined(__cpp_exceptions)
#include <cstdio>
#include <exception>

/* For the library, which is C: writes what() of the exception that is being handled. */
extern "C" __attribute__((used, visibility("default"))) inline void ant__what(char *text,
                                                                              std::size_t size)
{
    try {
        throw;
    } catch (const std::exception &e) {
        std::snprintf(text, size, "%s", e.what());
    } catch (...) {
    }
}
#endif

ANT_BEGIN_DECLS

#define ANT_PANIC_FRAMES 32

typedef struct ant_panic_info {
    char message[256];  /* cut off at the end if longer */
    uint64_t goroutine; /* where it happened; 0 for other threads */
    int signal;         /* SIGSEGV, ... if a fault became this panic, else 0 */
    int frame_count;    /* of frames[], innermost first: return addresses */
    void *frames[ANT_PANIC_FRAMES];
} ant_panic_info;

/* Unwinds to the nearest ant_try, running the deferred calls on the way. Without an ant_try, prints
 * the message, the backtrace and all goroutines, and ends the process by abort. A panic in a
 * deferred call replaces the first one. Any thread; never returns. Frames between here and the
 * ant_try are left without running C++ destructors or cleanup attributes; only ant_defer counts. In C++
 * throw an exception where that matters: in a pool's task one that is not caught becomes a panic. */
ANT_API ANT_NORETURN void ant_panic(const char *format, ...) ANT_PRINTF(1, 2);

/* Calls fn(arg). Returns 0 if it returned, ANT_EPANIC if it panicked (*ret_info tells what, unless
 * it is NULL), -EINVAL if fn is NULL. Does not return if fn calls ant_exit, even if a deferred call
 * panics on the way. An exception of C++ passes through it. Leaving fn by longjmp is undefined. Any
 * thread. */
ANT_API int ant_try(void (*fn)(void *), void *arg, ant_panic_info *ret_info);

/* Prints info as an unhandled panic would be: message, goroutine, backtrace with symbols. Any
 * thread. Returns 0 or -EINVAL. */
ANT_API int ant_panic_print(int fd, const ant_panic_info *info);

/* A call to be made when the calling function's scope is left: by ant_defer_end, by ant_panic or by
 * ant_exit. The node lies in that scope; leaving it in any other way without ant_defer_end is an
 * error that aborts with a message as soon as it is seen, and so are a node or a function that is NULL.
 * Nodes end in the reverse order of their making. Any thread; do not block, but for what fn does. */
typedef struct ant_defer_node {
    struct ant_defer_node *next;
    void (*fn)(void *);
    void *arg;
} ant_defer_node;

ANT_API void ant_defer(ant_defer_node *node, void (*fn)(void *), void *arg);
ANT_API void ant_defer_end(ant_defer_node *node); /* unlinks the node and calls fn(arg) */

/* The same in one line, for the enclosing scope. */
#define ANT_DEFER(fn, arg) ANT__DEFER(fn, arg, __LINE__)
#define ANT__DEFER(fn, arg, line) ANT__DEFER_NODE(fn, arg, line)
#define ANT__DEFER_NODE(fn, arg, line)                                                             \
    __attribute__((cleanup(ant_defer_end))) ant_defer_node ant__defer_##line;                      \
    ant_defer(&ant__defer_##line, fn, arg)

ANT_END_DECLS

#endif
