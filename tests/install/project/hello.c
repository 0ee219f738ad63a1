/* hello.c - the least program that shows that an installed Anthill works. */
#include <stdio.h>

#include <anthill.h>

static int hello(void *arg)
{
    (void)arg;
    printf("hello from goroutine %d, version %s\n", (int)ant_id(), ant_version());
    return 0;
}

int main(void)
{
    return ant_run(hello, NULL, NULL) ? 1 : 0;
}
