/* error.c - names and messages of error codes. */
#define _GNU_SOURCE
#include <anthill/error.h>

#include <string.h>

const char *ant_strerror(int err)
{
    const char *message;

    switch (err) {
    case 0:
        return "success";
#define MESSAGE(name, number, text)                                                                \
    case number:                                                                                   \
        return text;
        ANT_ERRORS(MESSAGE)
#undef MESSAGE
    }
    message = err < 0 && err > -4096 ? strerrordesc_np(-err) : NULL;
    return message ? message : "unknown error";
}

const char *ant_err_name(int err)
{
    const char *name;

    switch (err) {
    case 0:
        return "OK";
#define NAME(name, number, text)                                                                   \
    case number:                                                                                   \
        return #name;
        ANT_ERRORS(NAME)
#undef NAME
    }
    name = err < 0 && err > -4096 ? strerrorname_np(-err) : NULL;
    return name ? name : "unknown";
}

#define STRING(x) #x
#define VERSION(a, b, c) STRING(a) "." STRING(b) "." STRING(c)

const char *ant_version(void)
{
    return VERSION(ANT_VERSION_MAJOR, ANT_VERSION_MINOR, ANT_VERSION_PATCH);
}
