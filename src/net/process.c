/* process.c - other programs.
 *
 * A child is watched by a descriptor of its own (pidfd), which can be waited for like any other and,
 * unlike a number, never means another process. The kernel has had it since 5.4. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "net/io.h"

#ifndef P_PIDFD
#define P_PIDFD 3
#endif

/* ---- what the child gets ---- */

enum { STREAMS = 3 };

struct child {
    ant_process *ret_process;
    const char *const *argv;
    const ant_spawn_options *options;
    int theirs[STREAMS]; /* what becomes its 0, 1 and 2; -1: as ours */
    int to_close[3 * STREAMS];
    int to_close_n;
    ant_io ours[STREAMS];
    bool piped[STREAMS];
    pid_t pid;
    int err;
};

static ant_io *wanted_end(const ant_spawn_options *o, int stream)
{
    return stream == 0 ? o->ret_in : stream == 1 ? o->ret_out : o->ret_err;
}

static int given_fd(const ant_spawn_options *o, int stream)
{
    return stream == 0 ? o->in : stream == 1 ? o->out : o->err;
}

/* What the child is to get as `stream`: fd itself, or if that is one of the three, which may be
 * replaced before its turn comes, a duplicate. */
static int give(struct child *c, int stream, int fd)
{
    if (fd <= STDERR_FILENO) {
        fd = fcntl(fd, F_DUPFD_CLOEXEC, STREAMS);
        if (fd < 0)
            return -ant__errno();
        c->to_close[c->to_close_n++] = fd;
    }
    c->theirs[stream] = fd;
    return 0;
}

static int make_pipe(struct child *c, int stream)
{
    int fds[2], ours = stream == 0 ? 1 : 0, err = ant__pipe(fds, 0);

    if (err)
        return err;
    c->to_close[c->to_close_n++] = fds[!ours];
    err = give(c, stream, fds[!ours]);
    if (!err)
        err = ant_io_from_fd(&c->ours[stream], fds[ours]);
    if (err)
        c->to_close[c->to_close_n++] = fds[ours];
    else
        c->piped[stream] = true;
    return err;
}

static int open_null(struct child *c, int stream)
{
    int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

    if (fd < 0)
        return -ant__errno();
    c->to_close[c->to_close_n++] = fd;
    return give(c, stream, fd);
}

static int prepare_stream(struct child *c, int stream)
{
    int fd = given_fd(c->options, stream);

    c->theirs[stream] = -1;
    if (wanted_end(c->options, stream))
        return make_pipe(c, stream);
    if (fd == ANT_SPAWN_NULL)
        return open_null(c, stream);
    if (fd < ANT_SPAWN_NULL)
        return -EINVAL;
    return fd > 0 ? give(c, stream, fd) : 0;
}

/* ---- starting it ---- */

static int fill_attributes(posix_spawnattr_t *attributes)
{
    sigset_t none, all;

    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setsigdefault(attributes, &all);
    return posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

static int fill_actions(posix_spawn_file_actions_t *actions, const struct child *c)
{
    int err = 0;

    for (int i = 0; i < STREAMS && !err; i++) {
        if (c->theirs[i] >= 0)
            err = posix_spawn_file_actions_adddup2(actions, c->theirs[i], i);
    }
    if (!err && c->options->dir)
        err = posix_spawn_file_actions_addchdir_np(actions, c->options->dir);
    return err;
}

static void spawn(void *arg)
{
    struct child *c = arg;
    char *const *env = c->options->env ? (char *const *)c->options->env : environ;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int err = posix_spawn_file_actions_init(&actions);

    if (!err && (err = posix_spawnattr_init(&attributes)))
        posix_spawn_file_actions_destroy(&actions);
    if (err) {
        c->err = -err;
        return;
    }
    err = fill_actions(&actions, c);
    if (!err)
        err = fill_attributes(&attributes);
    if (!err)
        err = posix_spawnp(&c->pid, c->argv[0], &actions, &attributes, (char *const *)c->argv, env);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    c->err = -err;
}

/* If the child cannot be watched it is not to live unwatched. One that is gone already, as SIGCHLD is
 * ignored or somebody waited for it, has a number but no watch; the number may be another's now. */
static int watch(struct child *c, ant_process *ret_process)
{
    int fd = ant__pidfd_open(c->pid);
    int err = fd < 0 ? fd : 0;

    *ret_process = (ant_process){.pid = c->pid};
    if (!err)
        err = ant__file_new(&ret_process->watch, fd, ANT__FILE_STREAM);
    if (!err || err == -ESRCH)
        return 0;
    if (fd >= 0)
        close(fd);
    kill(c->pid, SIGKILL);
    while (waitpid(c->pid, NULL, 0) < 0 && ant__errno() == EINTR) {
    }
    return err;
}

static void close_theirs(struct child *c)
{
    while (c->to_close_n > 0)
        close(c->to_close[--c->to_close_n]);
}

/* All that somebody must see to is seen to here, as the goroutine may be abandoned after it. */
static void spawn_and_watch(void *arg)
{
    struct child *c = arg;

    ant__with_room(spawn, c);
    close_theirs(c);
    if (!c->err)
        c->err = watch(c, c->ret_process);
}

static void close_ends(struct child *c, bool ours_too)
{
    close_theirs(c);
    for (int i = 0; i < STREAMS; i++) {
        if (!c->piped[i])
            continue;
        if (ours_too)
            ant_close(c->ours[i]);
        else
            *wanted_end(c->options, i) = c->ours[i];
    }
}

int ant_spawn(ant_process *ret_process, const char *const argv[], const ant_spawn_options *options)
{
    const ant_spawn_options defaults = {0};
    struct child c = {
        .ret_process = ret_process, .argv = argv, .options = options ? options : &defaults};
    int saved = ant__errno(), err = 0;

    if (!ret_process || !argv || !argv[0])
        return -EINVAL;
    if (ant_procs() == 0)
        return ANT_ENOTRUNNING;
    for (int i = 0; i < STREAMS && !err; i++)
        err = prepare_stream(&c, i);
    if (!err) {
        ant_blocking(spawn_and_watch, &c);
        err = c.err;
    }
    close_ends(&c, err != 0);
    ant__errno_set(saved);
    return err;
}

/* ---- its end ---- */

struct waiting_for {
    struct ant__op op;
    siginfo_t info;
};

static ssize_t call_wait(struct ant__op *op, int fd)
{
    struct waiting_for *w = ant__container_of(op, struct waiting_for, op);

    w->info.si_pid = 0;
    if (waitid((idtype_t)P_PIDFD, (id_t)fd, &w->info, WEXITED | WNOHANG) != 0)
        return -ant__errno();
    return w->info.si_pid ? 0 : -EAGAIN;
}

static int status_of(const siginfo_t *info)
{
    if (info->si_code == CLD_EXITED)
        return (info->si_status & 0xff) << 8;
    return (info->si_status & 0x7f) | (info->si_code == CLD_DUMPED ? 0x80 : 0);
}

/* See watch. */
static bool is_gone(ant_process process)
{
    return process.pid > 0 && !process.watch.file;
}

int ant_process_wait_ctx(ant_process process, int *ret_status, ant_ctx *ctx)
{
    struct waiting_for w = {.op = {.call = call_wait, .ctx = ctx}};
    int err;

    if (is_gone(process))
        return -ECHILD;
    err = (int)ant__io_do(process.watch, &w.op);
    if (err && err != -ECHILD)
        return err;
    if (!err && ret_status)
        *ret_status = status_of(&w.info);
    ant_close(process.watch);
    return err;
}

int ant_process_wait(ant_process process, int *ret_status)
{
    return ant_process_wait_ctx(process, ret_status, NULL);
}

int ant_process_kill(ant_process process, int signal)
{
    struct ant__file *f;
    int saved = ant__errno(), err = is_gone(process) ? -ESRCH : ant__file_ref(process.watch, &f);

    if (err)
        return err;
    err = syscall(SYS_pidfd_send_signal, f->fd, signal, NULL, 0) == 0 ? 0 : -ant__errno();
    ant__errno_set(saved);
    ant__file_unref(f);
    return err;
}
