/* embed.c - the runtime inside a program whose threads have other things to do: ant_start, ant_go
 * from plain threads, waiting for goroutines from plain threads, ant_stop. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include <anthill.h>

enum { THREADS = 4, PER_THREAD = 1000 };

static atomic_int sum;
static ant_waitgroup all;

static void add(void *arg)
{
    ant_yield();
    atomic_fetch_add(&sum, (int)(long)arg);
    ant_waitgroup_done(&all);
}

static void *thread(void *arg)
{
    for (int i = 0; i < PER_THREAD; i++) {
        ant_waitgroup_add(&all, 1);
        ant_go(add, (void *)1L);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    int err = ant_start(NULL);

    if (err) {
        fprintf(stderr, "embed: %s\n", ant_strerror(err));
        return 1;
    }
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, thread, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    ant_waitgroup_wait(&all);
    printf("%d threads made %d goroutines\n", THREADS, atomic_load(&sum));
    return ant_stop() ? 1 : 0;
}
