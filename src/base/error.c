/* error.c - names and messages of error codes. */
#define _GNU_SOURCE
#include <anthill/error.h>

#include <errno.h>
#include <string.h>

/* The system's. Not every libc can tell their names. */
/* clang-format off */
static const char *const names[] = {
#define N(name) [name] = #name
    N(EPERM), N(ENOENT), N(ESRCH), N(EINTR), N(EIO), N(ENXIO), N(E2BIG), N(ENOEXEC), N(EBADF),
    N(ECHILD), N(EAGAIN), N(ENOMEM), N(EACCES), N(EFAULT), N(ENOTBLK), N(EBUSY), N(EEXIST),
    N(EXDEV), N(ENODEV), N(ENOTDIR), N(EISDIR), N(EINVAL), N(ENFILE), N(EMFILE), N(ENOTTY),
    N(ETXTBSY), N(EFBIG), N(ENOSPC), N(ESPIPE), N(EROFS), N(EMLINK), N(EPIPE), N(EDOM), N(ERANGE),
    N(EDEADLK), N(ENAMETOOLONG), N(ENOLCK), N(ENOSYS), N(ENOTEMPTY), N(ELOOP), N(ENOMSG), N(EIDRM),
    N(ECHRNG), N(EL2NSYNC), N(EL3HLT), N(EL3RST), N(ELNRNG), N(EUNATCH), N(ENOCSI), N(EL2HLT),
    N(EBADE), N(EBADR), N(EXFULL), N(ENOANO), N(EBADRQC), N(EBADSLT), N(EBFONT), N(ENOSTR),
    N(ENODATA), N(ETIME), N(ENOSR), N(ENONET), N(ENOPKG), N(EREMOTE), N(ENOLINK), N(EADV),
    N(ESRMNT), N(ECOMM), N(EPROTO), N(EMULTIHOP), N(EDOTDOT), N(EBADMSG), N(EOVERFLOW),
    N(ENOTUNIQ), N(EBADFD), N(EREMCHG), N(ELIBACC), N(ELIBBAD), N(ELIBSCN), N(ELIBMAX),
    N(ELIBEXEC), N(EILSEQ), N(ERESTART), N(ESTRPIPE), N(EUSERS), N(ENOTSOCK), N(EDESTADDRREQ),
    N(EMSGSIZE), N(EPROTOTYPE), N(ENOPROTOOPT), N(EPROTONOSUPPORT), N(ESOCKTNOSUPPORT),
    N(EOPNOTSUPP), N(EPFNOSUPPORT), N(EAFNOSUPPORT), N(EADDRINUSE), N(EADDRNOTAVAIL), N(ENETDOWN),
    N(ENETUNREACH), N(ENETRESET), N(ECONNABORTED), N(ECONNRESET), N(ENOBUFS), N(EISCONN),
    N(ENOTCONN), N(ESHUTDOWN), N(ETOOMANYREFS), N(ETIMEDOUT), N(ECONNREFUSED), N(EHOSTDOWN),
    N(EHOSTUNREACH), N(EALREADY), N(EINPROGRESS), N(ESTALE), N(EUCLEAN), N(ENOTNAM), N(ENAVAIL),
    N(EISNAM), N(EREMOTEIO), N(EDQUOT), N(ENOMEDIUM), N(EMEDIUMTYPE), N(ECANCELED), N(ENOKEY),
    N(EKEYEXPIRED), N(EKEYREVOKED), N(EKEYREJECTED), N(EOWNERDEAD), N(ENOTRECOVERABLE), N(ERFKILL),
    N(EHWPOISON),
#undef N
};
/* clang-format on */

static const char *system_name(int err)
{
    return err < 0 && err > -(int)(sizeof names / sizeof names[0]) ? names[-err] : NULL;
}

static const char *system_message(int err)
{
#ifdef __GLIBC__ /* whose strerror translates */
    return system_name(err) ? strerrordesc_np(-err) : NULL;
#else
    return system_name(err) ? strerror(-err) : NULL;
#endif
}

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
    message = system_message(err);
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
    name = system_name(err);
    return name ? name : "unknown";
}

#define STRING(x) #x
#define VERSION(a, b, c) STRING(a) "." STRING(b) "." STRING(c)

const char *ant_version(void)
{
    return VERSION(ANT_VERSION_MAJOR, ANT_VERSION_MINOR, ANT_VERSION_PATCH);
}
