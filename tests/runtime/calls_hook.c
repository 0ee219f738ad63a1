/* calls_hook.c - a library whose constructor calls the function whose address the environment tells. */
#include <stdlib.h>

__attribute__((constructor)) static void call_hook(void)
{
    const char *address = getenv("ANT_TEST_HOOK");

    if (address)
        ((void (*)(void))strtoul(address, NULL, 16))();
}
