/* pool_default.c - a thousand tasks through the default pool, which has no limit. */
#include <stdio.h>

#include <anthill.h>

enum { TASKS = 1000 };

static ant_waitgroup all;

static void demo(void *arg)
{
    ant_sleep(10 * ANT_MILLISECOND);
    ant_waitgroup_done(&all);
}

static int run(void *arg)
{
    for (int i = 0; i < TASKS; i++) {
        int err;

        ant_waitgroup_add(&all, 1);
        err = ant_submit(demo, NULL);
        if (err)
            return err;
    }
    ant_waitgroup_wait(&all);
    ant_pool_wait(ant_default_pool()); /* the last workers are on their way back */
    printf("finished all tasks; workers there were: %s\n",
           ant_pool_running(ant_default_pool()) <= TASKS ? "at most one for each" : "too many");
    return ant_pool_release(ant_default_pool());
}

int main(void)
{
    return ant_run(run, NULL, NULL) ? 1 : 0;
}
