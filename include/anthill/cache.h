/* cache.h - objects that are used for a moment and then again: put by instead of freed. */
#ifndef ANTHILL_CACHE_H
#define ANTHILL_CACHE_H

#include <anthill/version.h>

ANT_BEGIN_DECLS

/* A cache keeps objects of one kind that nobody needs at the moment. Each P has a part of its own,
 * so that getting and putting cost a few nanoseconds and disturb nobody; a P that has none takes
 * from the others. What nobody got for a few seconds is freed, except for up to 8 objects for each
 * P. */
typedef struct ant_cache ant_cache;

/* make(arg) makes an object, or returns NULL: it could not; NULL for make: a get that finds nothing
 * returns NULL. destroy(object, arg) frees one. It is called from any thread, must not suspend, and
 * must not call with this or another cache. Any thread; does not block. Returns 0; -EINVAL if
 * ret_cache or destroy is NULL; -ENOMEM. */
ANT_API int ant_cache_new(ant_cache **ret_cache, void *(*make)(void *arg),
                          void (*destroy)(void *object, void *arg), void *arg);

/* Destroys all that is in it, and the cache; NULL is no error. Undefined if somebody calls with it
 * meanwhile or later. Any thread; does not block. */
ANT_API void ant_cache_destroy(ant_cache *cache);

/* An object that was put, whichever, or a new one, or NULL. Any thread; does not block. */
ANT_API void *ant_cache_get(ant_cache *cache);

/* Puts an object by; NULL is ignored. It may be freed at once, for lack of memory for instance. Any
 * thread; does not block. */
ANT_API void ant_cache_put(ant_cache *cache, void *object);

/* Frees what was not got since the last call but one, with the same exception. It happens by itself
 * every two seconds while the cache is in use, and when the runtime has been idle for a second. Any
 * thread; does not block. */
ANT_API void ant_cache_trim(ant_cache *cache);

ANT_END_DECLS

#endif
