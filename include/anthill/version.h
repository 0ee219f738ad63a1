/* version.h - which Anthill this is, and the attributes its declarations use. */
#ifndef ANTHILL_VERSION_H
#define ANTHILL_VERSION_H

#define ANT_VERSION_MAJOR 0
#define ANT_VERSION_MINOR 1
#define ANT_VERSION_PATCH 0

#ifdef __cplusplus
#define ANT_BEGIN_DECLS extern "C" {
#define ANT_END_DECLS }
#define ANT__STATIC_ASSERT(condition, message) static_assert(condition, message)
#else
#define ANT_BEGIN_DECLS
#define ANT_END_DECLS
#define ANT__STATIC_ASSERT(condition, message) _Static_assert(condition, message)
#endif

#define ANT_API __attribute__((visibility("default")))
#define ANT_INLINE static inline __attribute__((unused))
/* Used where it can be put in place of a call; the library has the function itself. */
#define ANT_IN_PLACE extern inline __attribute__((gnu_inline))
#define ANT_NORETURN __attribute__((noreturn))
#define ANT_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

ANT_BEGIN_DECLS

/* The version of the library that is linked, as "0.1.0". Any thread; never fails. */
ANT_API const char *ant_version(void);

ANT_END_DECLS

#endif
