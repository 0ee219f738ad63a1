/* process.h - other programs: starting them, talking to them, waiting for their end. */
#ifndef ANTHILL_PROCESS_H
#define ANTHILL_PROCESS_H

#include <anthill/io.h>

ANT_BEGIN_DECLS

/* A child. To be waited for once, as the system keeps it until then. A value, to be copied freely. */
typedef struct ant_process {
    int pid;
    ant_io watch;
} ant_process;

#define ANT_SPAWN_NULL (-1) /* for in, out and err: /dev/null */

typedef struct ant_spawn_options {
    const char *const *env; /* "NAME=value", ended by NULL; NULL: ours */
    const char *dir;        /* where it runs; NULL: where we do */
    int in, out, err; /* its descriptors 0, 1 and 2: 0 for ours, a descriptor of ours that it is
                               to get, or ANT_SPAWN_NULL */
    ant_io *ret_in;   /* if not NULL, in place of these: a pipe, of which this is our end */
    ant_io *ret_out;
    ant_io *ret_err;
} ant_spawn_options;

/* Starts the program argv[0], looked for in PATH if there is no slash in it, with the arguments argv,
 * ended by NULL; options may be NULL. Its signals are as a new program's should be. Other
 * descriptors of ours it gets only if they are not close-on-exec; Anthill's are. Any thread; does not
 * wait for the program to end, only until it is started, in a blocking section (go.h). Returns 0;
 * -EINVAL, -ENOENT, -EACCES and the like; -EMFILE, -EAGAIN, -ENOMEM, -ENOSPC: then there is no child,
 * and none of the pipes; ANT_ENOTRUNNING. */
ANT_API int ant_spawn(ant_process *ret_process, const char *const argv[],
                      const ant_spawn_options *options);

/* Waits until it has ended; *ret_status, if not NULL, is what waitpid(2) tells (WEXITSTATUS and the
 * like). A goroutine parks meanwhile. Any thread. Returns 0; ANT_ECLOSED if it was waited for before, or
 * the runtime was stopped since it was started; -EBADF for a zero process. -ECHILD if it has ended but
 * its status is lost, as SIGCHLD is ignored (then the system keeps no child) or somebody else waited for
 * it; *ret_status stays as it is. The _ctx form gives up with ctx, ANT_ECANCELED or ANT_ETIMEOUT, and
 * can be called again. */
ANT_API int ant_process_wait(ant_process process, int *ret_status);
ANT_API int ant_process_wait_ctx(ant_process process, int *ret_status, ant_ctx *ctx);

/* Sends it a signal; 0 sends none, and tells whether it could be. Any thread; does not wait. Returns 0;
 * ANT_ECLOSED if it was waited for, or the runtime was stopped since it was started; -ESRCH if it is
 * gone (see -ECHILD above); -EBADF for a zero process; -EINVAL, -EPERM. */
ANT_API int ant_process_kill(ant_process process, int signal);

ANT_END_DECLS

#endif
