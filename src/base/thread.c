/* thread.c - see thread.h. */
#include "base/thread.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/errno.h"

ant_duration ant__thread_cpu(pid_t tid)
{
    /* As pthread_getcpuclockid makes it, which wants the thread's handle. */
    clockid_t clock = (clockid_t)(~(unsigned)tid << 3 | 6);
    struct timespec t = {0};

    if (clock_gettime(clock, &t) != 0)
        return 0;
    return t.tv_sec * ANT_SECOND + t.tv_nsec;
}

/* A line of numbers: the first, the name in parentheses, the state's letter. The name may hold anything,
 * but no more than 15 bytes. */
static char state_in(const char *line)
{
    const char *end = strrchr(line, ')');

    return end && end[1] == ' ' ? end[2] : '\0';
}

/* Where a standard descriptor is closed the file gets its number: never again then, since somebody may be
 * about to put something else there. */
static _Atomic bool refused;

bool ant__thread_is_runnable(pid_t tid)
{
    char path[40], line[48];
    int saved = ant__errno(), fd;
    ssize_t n = -1;
    char state;

    if (ant__load_relaxed(&refused))
        return true;

    snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)tid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    ant__store_relaxed(&refused, fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0) {
        n = read(fd, line, sizeof line - 1);
        close(fd);
    }
    ant__errno_set(saved);
    line[n < 0 ? 0 : n] = '\0';
    state = state_in(line);
    return state != 'S' && state != 'D';
}
