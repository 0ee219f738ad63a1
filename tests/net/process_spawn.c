/* Other programs: their output, their input, their end; errors; many at a time. */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { MANY = 20 };

static void check_output(void)
{
    const char *argv[] = {"sh", "-c", "cat; echo \"$WORD\" >&2; pwd; exit 7", NULL};
    const char *env[] = {"WORD=hello", "PATH=/usr/bin:/bin", NULL};
    ant_io in, out, err;
    ant_spawn_options o = {.env = env, .dir = "/", .ret_in = &in, .ret_out = &out, .ret_err = &err};
    ant_process child;
    char text[64] = {0};
    int status;

    CHECK_INT(ant_spawn(&child, argv, &o), 0);
    CHECK_INT(ant_write(in, "abc", 3), 3);
    CHECK_INT(ant_close(in), 0);
    CHECK_INT(ant_read_full(out, text, sizeof text), 5);
    CHECK_STR(text, "abc/\n");
    memset(text, 0, sizeof text);
    CHECK_INT(ant_read_full(err, text, sizeof text), 6);
    CHECK_STR(text, "hello\n");
    CHECK_INT(ant_process_wait(child, &status), 0);
    CHECK(WIFEXITED(status));
    CHECK_INT(WEXITSTATUS(status), 7);
    CHECK_INT(ant_process_wait(child, &status), ANT_ECLOSED);
    CHECK_INT(ant_process_kill(child, SIGTERM), ANT_ECLOSED);
    CHECK_INT(ant_close(out), 0);
    CHECK_INT(ant_close(err), 0);
}

/* Our own 1 and 2, exchanged. */
static void check_exchange(void)
{
    const char *argv[] = {"sh", "-c", "echo out; echo err >&2", NULL};
    int outs[2], errs[2], saved_out = dup(1), saved_err = dup(2), err;
    ant_process child;
    char text[16] = {0};

    CHECK_INT(pipe(outs), 0);
    CHECK_INT(pipe(errs), 0);
    dup2(outs[1], 1);
    dup2(errs[1], 2);
    err = ant_spawn(&child, argv, &(ant_spawn_options){.out = 2, .err = 1});
    dup2(saved_out, 1);
    dup2(saved_err, 2);
    CHECK_INT(err, 0);
    CHECK_INT(ant_process_wait(child, NULL), 0);
    CHECK_INT(read(errs[0], text, sizeof text), 4);
    CHECK_STR(text, "out\n");
    CHECK_INT(read(outs[0], text, sizeof text), 4);
    CHECK_STR(text, "err\n");
    for (int i = 0; i < 2; i++) {
        close(outs[i]);
        close(errs[i]);
    }
    close(saved_out);
    close(saved_err);
}

static void check_kill(void)
{
    const char *argv[] = {"sleep", "1000", NULL};
    ant_process child;
    ant_ctx *ctx;
    int status;

    CHECK_INT(ant_spawn(&child, argv, &(ant_spawn_options){.out = ANT_SPAWN_NULL}), 0);
    CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, ANT_MILLISECOND), 0);
    CHECK_INT(ant_process_wait_ctx(child, &status, ctx), ANT_ETIMEOUT);
    ant_ctx_unref(ctx);
    CHECK_INT(ant_process_kill(child, SIGTERM), 0);
    CHECK_INT(ant_process_wait(child, &status), 0);
    CHECK(WIFSIGNALED(status));
    CHECK_INT(WTERMSIG(status), SIGTERM);
}

static void check_errors(void)
{
    ant_process child;

    CHECK_INT(ant_spawn(NULL, (const char *[]){"true", NULL}, NULL), -EINVAL);
    CHECK_INT(ant_spawn(&child, NULL, NULL), -EINVAL);
    CHECK_INT(ant_spawn(&child, (const char *[]){NULL}, NULL), -EINVAL);
    CHECK_INT(ant_spawn(&child, (const char *[]){"/no/such/program", NULL}, NULL), -ENOENT);
    CHECK_INT(ant_spawn(&child, (const char *[]){"/", NULL}, NULL), -EACCES);
    CHECK_INT(ant_spawn(&child, (const char *[]){"true", NULL}, &(ant_spawn_options){.dir = "/no"}),
              -ENOENT);
    CHECK_INT(ant_spawn(&child, (const char *[]){"true", NULL}, &(ant_spawn_options){.in = -2}),
              -EINVAL);
    CHECK_INT(ant_process_wait((ant_process){0}, NULL), -EBADF);
}

static ant_waitgroup wg;

static void run_one(void *arg)
{
    ant_process child;
    int status;

    CHECK_INT(ant_spawn(&child, (const char *[]){"true", NULL}, NULL), 0);
    CHECK_INT(ant_process_wait(child, &status), 0);
    CHECK_INT(status, 0);
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    check_output();
    check_exchange();
    check_kill();
    check_errors();
    ant_waitgroup_add(&wg, MANY);
    for (int i = 0; i < MANY; i++)
        CHECK_INT(ant_go(run_one, NULL), 0);
    ant_waitgroup_wait(&wg);
    return 0;
}

TEST(process_spawn)
{
    struct test_resources before;
    ant_process child;

    CHECK_INT(ant_spawn(&child, (const char *[]){"true", NULL}, NULL), ANT_ENOTRUNNING);
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    before = test_resources_now();
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    test_resources_check(&before, 4);
    return 0;
}
