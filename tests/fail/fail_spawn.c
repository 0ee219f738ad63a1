/* fail_spawn - as fail_io, while a program is started and talked to: if that fails no child is left,
 * and no pipe.
 *
 * Catches: a child that lives, or stays as a zombie, though it could not be watched. */
#include "fail_each.h"

static void talk(ant_process child, ant_io in, ant_io out)
{
    char text[4] = "";
    int status = -1;

    CHECK_INT(ant_write(in, "abc", 3), 3);
    CHECK_INT(ant_close(in), 0);
    CHECK_INT(ant_read_full(out, text, sizeof text), 3);
    CHECK_STR(text, "abc");
    CHECK_INT(ant_close(out), 0);
    CHECK_INT(ant_process_wait(child, &status), 0);
    CHECK_INT(status, 0);
}

static int run(void *arg)
{
    ant_io in, out;
    ant_spawn_options o = {.ret_in = &in, .ret_out = &out, .err = ANT_SPAWN_NULL};
    ant_process child;

    if (worked("spawn", ant_spawn(&child, (const char *[]){"cat", NULL}, &o)))
        talk(child, in, out);
    CHECK_INT(waitpid(-1, NULL, WNOHANG), -1);
    CHECK_INT(errno, ECHILD);
    return 0;
}

TEST(fail_spawn)
{
    return fail_each(run, (const char *[]){"<spawn ENOSPC>", "<spawn EMFILE>", NULL});
}
