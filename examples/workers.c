/* workers.c - a channel and a wait group: ten goroutines share the work, however much there is.
 *
 *     workers [number of jobs]
 */
#include <stdio.h>
#include <stdlib.h>

#include <anthill.h>

enum { WORKERS = 10, WAITING_JOBS = 5 };

ANT_CHAN_DEFINE(job_chan, int);

static job_chan *jobs;
static ant_waitgroup all;

static void worker(void *arg)
{
    int job;

    while (job_chan_recv(jobs, &job)) /* until it is closed, and empty */
        printf("%d\n", job);
    ant_waitgroup_done(&all);
}

static int run(void *arg)
{
    int n = *(int *)arg;
    int err = job_chan_new(&jobs, WAITING_JOBS);

    if (err)
        return err;
    ant_waitgroup_add(&all, WORKERS);
    for (int i = 0; i < WORKERS; i++)
        ant_go(worker, NULL);
    for (int i = 0; i < n; i++)
        job_chan_send(jobs, i); /* waits while the workers are busy and five jobs wait */
    job_chan_close(jobs);
    ant_waitgroup_wait(&all);
    return job_chan_destroy(jobs);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;

    return ant_run(run, &n, NULL) ? 1 : 0;
}
