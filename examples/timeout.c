/* timeout.c - a context: three sources are asked, the first answer counts, and who is too slow is
 * told to stop. */
#include <stdio.h>

#include <anthill.h>

enum { SOURCES = 3 };

struct source {
    const char *name;
    ant_duration takes;
    ant_chan *answers;
    ant_ctx *ctx;
};

static int ask(void *arg)
{
    struct source *s = arg;
    int err = ant_sleep_ctx(s->takes, s->ctx); /* what takes time gets the context along */

    return err ? err : ant_chan_send_ctx(s->answers, &s->name, s->ctx);
}

static int first_answer(const char **ret_name, ant_duration quickest, ant_duration patience)
{
    struct source sources[SOURCES] = {
        {.name = "the archive", .takes = ANT_HOUR},
        {.name = "the neighbour", .takes = quickest},
        {.name = "the far end", .takes = ANT_HOUR},
    };
    ant_ctx *patient, *ctx;
    ant_chan *answers;
    ant_group group;
    int err;

    ant_chan_new(&answers, sizeof *ret_name, 0);
    ant_ctx_with_timeout(&patient, NULL, patience);
    ant_group_init_ctx(&group, &ctx, patient);
    for (int i = 0; i < SOURCES; i++) {
        sources[i].answers = answers;
        sources[i].ctx = ctx;
        ant_group_go(&group, ask, &sources[i]);
    }
    err = ant_chan_recv_ctx(answers, ret_name, patient);
    ant_ctx_cancel(patient); /* the others need not go on */
    ant_group_wait(&group);
    ant_ctx_unref(patient);
    ant_chan_destroy(answers);
    return err;
}

static int run(void *arg)
{
    const char *name;

    if (first_answer(&name, 20 * ANT_MILLISECOND, ANT_MINUTE) == 0)
        printf("the first answer came from %s\n", name);
    if (first_answer(&name, ANT_HOUR, 20 * ANT_MILLISECOND) == ANT_ETIMEOUT)
        printf("nobody answered in time\n");
    return 0;
}

int main(void)
{
    return ant_run(run, NULL, NULL) ? 1 : 0;
}
