/* SIGCHLD is ignored, so that the system forgets children when they end: one that ended before it could be
 * watched, and one that ends later. Its output is there; its status nobody knows: -ECHILD.
 *
 * Catches: a program that did its work but is reported as not started, a signal to a number that may
 * be another's, a watch that stays open. */
#include <spawn.h>

#include "net_help.h"

static bool at_once; /* a child has ended before ant_spawn goes on */

int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const argv[], char *const env[])
{
    int err = posix_spawn(pid, file, actions, attributes, argv, env);

    while (!err && at_once && kill(*pid, 0) == 0)
        usleep(100);
    return err;
}

static void check_ended(void)
{
    const char *argv[] = {"/bin/sh", "-c", "echo hello", NULL};
    ant_process child = {0};
    char text[8] = "";
    int status = 4711;
    ant_io out;

    at_once = true;
    CHECK_INT(ant_spawn(&child, argv, &(ant_spawn_options){.ret_out = &out}), 0);
    CHECK(child.pid > 0);
    CHECK_INT(ant_read_full(out, text, sizeof text), 6);
    CHECK_STR(text, "hello\n");
    CHECK_INT(ant_close(out), 0);
    CHECK_INT(ant_process_kill(child, SIGKILL), -ESRCH);
    CHECK_INT(ant_process_wait(child, &status), -ECHILD);
    CHECK_INT(ant_process_wait_ctx(child, NULL, NULL), -ECHILD);
    CHECK_INT(status, 4711);
}

static void check_ends_later(void)
{
    ant_process child;
    int status = 4711;
    ant_ctx *ctx;
    ant_io in;

    at_once = false;
    CHECK_INT(
        ant_spawn(&child, (const char *[]){"/bin/cat", NULL}, &(ant_spawn_options){.ret_in = &in}),
        0);
    CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, ANT_MILLISECOND), 0);
    CHECK_INT(ant_process_wait_ctx(child, &status, ctx), ANT_ETIMEOUT);
    ant_ctx_unref(ctx);
    CHECK_INT(ant_process_kill(child, 0), 0);
    CHECK_INT(ant_close(in), 0);
    CHECK_INT(ant_process_wait(child, &status), -ECHILD);
    CHECK_INT(ant_process_wait(child, &status), ANT_ECLOSED);
    CHECK_INT(ant_process_kill(child, SIGKILL), ANT_ECLOSED);
    CHECK_INT(status, 4711);
}

static int run(void *arg)
{
    int fds;
    ant_io ends[2];

    CHECK_INT(ant_pipe(ends), 0); /* the poller is open from here on */
    fds = test_resources_now().fds;
    check_ended();
    check_ends_later();
    CHECK_INT(test_resources_now().fds, fds);
    close_pair(ends);
    return 0;
}

TEST(process_gone)
{
    signal(SIGCHLD, SIG_IGN);
    return run_and_check_leaks(run);
}
