/* exception.c - see exception.h. All that we know of the C++ library are weak symbols: they are NULL where it
 * is not linked. */
#include "runtime/exception.h"

#include <stdio.h>
#include <unwind.h>

#include "runtime/runtime.h"

struct ant__exceptions *__cxa_get_globals(void) __attribute__((weak));
void *__cxa_begin_catch(void *exception) __attribute__((weak));
void __cxa_end_catch(void) __attribute__((weak));

/* In panic.h, for C++: writes what() of the exception that is being handled. */
void ant__what(char *text, size_t size) __attribute__((weak));

bool ant__exceptions_exist(void)
{
    return __cxa_get_globals != NULL;
}

struct ant__exceptions *ant__exceptions_at(void)
{
    return __cxa_get_globals ? __cxa_get_globals() : NULL;
}

/* Between these two the goroutine stays on its thread. */
static struct ant__exceptions *hold(struct ant__m **ret_m)
{
    *ret_m = ant__hold();
    return *ret_m ? (*ret_m)->exceptions : ant__exceptions_at();
}

static void let_go(struct ant__m *m)
{
    if (m)
        ant__leave(m);
}

struct ant__exceptions ant__exceptions_get(void)
{
    struct ant__exceptions e = {0}, *at;
    struct ant__m *m;

    if (!ant__exceptions_exist())
        return e;
    at = hold(&m);
    e = *at;
    let_go(m);
    return e;
}

void ant__exceptions_set(const struct ant__exceptions *e)
{
    struct ant__m *m;

    if (!ant__exceptions_exist())
        return;
    *hold(&m) = *e;
    let_go(m);
}

void ant__exception_catch(void *exception, char *message, size_t size)
{
    char what[200] = "its type is no std::exception";

    if (__cxa_begin_catch && __cxa_end_catch) {
        __cxa_begin_catch(exception);
        if (ant__what)
            ant__what(what, sizeof what);
        __cxa_end_catch();
    } else {
        _Unwind_DeleteException(exception);
    }
    snprintf(message, size, "exception of C++: %s", what);
}

/* ---- nobody catches it ---- */

static void tell_uncaught(void *arg)
{
    const struct ant__g *g = arg;
    const char *name = g->stack->name;

    ant__log("an exception of C++ leaves the function of goroutine %llu%s%s, and nobody catches it",
             (unsigned long long)g->id, name ? " " : "", name ? name : "");
}

/* Unwinders that look for a handler come by the frame in which each goroutine begins, as the last. The C++
 * library then ends the process, and most say what it was. */
int ant__bottom_personality(int version, int actions, uint64_t kind, void *exception, void *context)
{
    if (actions & _UA_SEARCH_PHASE)
        ant__with_room(tell_uncaught, ant__self());
    return _URC_CONTINUE_UNWIND;
}
