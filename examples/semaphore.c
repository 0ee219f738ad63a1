/* semaphore.c - a weighted semaphore: five come to the table, three at a time. */
#include <stdio.h>

#include <anthill.h>

enum { SEATS = 3, GUESTS = 5 };

static ant_sem table = ANT_SEM(SEATS);
static ant_waitgroup all;

static void eat(void *arg)
{
    ant_sem_acquire(&table, 1);
    printf("%s is eating\n", (const char *)arg);
    ant_sleep(20 * ANT_MILLISECOND);
    ant_sem_release(&table, 1);
    ant_waitgroup_done(&all);
}

static int run(void *arg)
{
    const char *names[GUESTS] = {"Bai", "Hong", "Ming", "Li", "Hua"};

    ant_waitgroup_add(&all, GUESTS);
    for (int i = 0; i < GUESTS; i++)
        ant_go(eat, (void *)names[i]);
    ant_waitgroup_wait(&all);
    puts("the end");
    return 0;
}

int main(void)
{
    return ant_run(run, NULL, NULL) ? 1 : 0;
}
