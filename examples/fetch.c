/* fetch.c - programs, pipes and files: runs some commands at once, reads what they print, and writes
 * it to a file, in the order in which they were given. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <anthill.h>

enum { JOBS = 3, MOST = 256 };

struct job {
    const char *argv[4];
    char output[MOST];
    ssize_t length;
};

static int run_job(void *arg)
{
    struct job *job = arg;
    ant_process child;
    ant_io out;
    int err = ant_spawn(&child, job->argv, &(ant_spawn_options){.ret_out = &out});

    if (err)
        return err;
    job->length = ant_read_full(out, job->output, MOST);
    ant_close(out);
    return ant_process_wait(child, NULL);
}

static int write_all(const struct job *jobs, const char *path)
{
    ant_io file;
    int err = ant_open(&file, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    if (err)
        return err;
    for (int i = 0; i < JOBS && !err; i++)
        err = ant_write(file, jobs[i].output, (size_t)jobs[i].length) < 0 ? 1 : 0;
    ant_close(file);
    return err;
}

static int run(void *arg)
{
    struct job jobs[JOBS] = {{.argv = {"sh", "-c", "sleep 0.1; echo late"}},
                             {.argv = {"echo", "early"}},
                             {.argv = {"sh", "-c", "echo $((6 * 7))"}}};
    char path[64], back[MOST];
    ant_group group = {0};
    ant_io file;
    ssize_t n;
    int err;

    (void)arg;
    snprintf(path, sizeof path, "/tmp/anthill-fetch-%d", getpid());
    for (int i = 0; i < JOBS; i++)
        ant_group_go(&group, run_job, &jobs[i]);
    err = ant_group_wait(&group);
    if (!err)
        err = write_all(jobs, path);
    if (!err)
        err = ant_open(&file, path, O_RDONLY, 0);
    unlink(path);
    if (err) {
        fprintf(stderr, "%s\n", ant_strerror(err));
        return 1;
    }
    n = ant_read(file, back, sizeof back);
    ant_close(file);
    printf("%.*s", (int)n, back);
    return 0;
}

int main(void)
{
    return ant_run(run, NULL, NULL) ? 1 : 0;
}
