/* api_dump_unknown - addresses of which little is known: in memory that belongs to no file the dump
 * shows the address alone; in a library whose file is gone, or has become another one, the file's name
 * and the offset. */
#include <dlfcn.h>

#include "dump_text.h"
#include "runtime/runtime.h"

static char path[] = "/tmp/anthill-dump-XXXXXX";

static void copy_file(const char *from)
{
    char bytes[65536];
    int in = open(from, O_RDONLY | O_CLOEXEC), out = mkstemp(path);
    ssize_t n;

    CHECK(in >= 0 && out >= 0);
    while ((n = read(in, bytes, sizeof bytes)) > 0)
        CHECK_INT(write(out, bytes, (size_t)n), n);
    close(in);
    close(out);
}

/* A function in a copy of the library with the cosine. */
static void *function_of_copy(void)
{
    Dl_info info;
    void *library, *function;

    library = dlopen("libm.so.6", RTLD_NOW);
    CHECK(library && dladdr(dlsym(library, "cos"), &info));
    copy_file(info.dli_fname);
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        FAIL("%s", dlerror());
    function = dlsym(library, "cosf");
    CHECK(function && dladdr(function, &info));
    CHECK_STR(info.dli_fname, path);
    return function;
}

/* It never begins. */
static void check_entry(void *function, const char *expected)
{
    void (*fn)(void *);

    memcpy(&fn, &function, sizeof fn);
    CHECK_INT(ant_go(fn, NULL), 0);
    take_dump();
    CHECK_HAS(text, expected);
}

static int run(void *arg)
{
    char expected[64];
    void *memory = test_memory(4096), *function = function_of_copy();
    FILE *other;

    snprintf(expected, sizeof expected, "\n  entry %p\n", (char *)memory + 1); /* as of all */
    check_entry(memory, expected);
    snprintf(expected, sizeof expected, "\n  entry %s (deleted)+0x", path);
    CHECK_INT(unlink(path), 0);
    check_entry(function, expected);
    other = fopen(path, "w");
    CHECK(other);
    for (int i = 0; i < 1000; i++)
        fprintf(other, "no library\n");
    fclose(other);
    check_entry((char *)function + 4, expected);
    CHECK_INT(unlink(path), 0);
    return 0;
}

TEST(api_dump_unknown)
{
    ant__slice = ANT_HOUR; /* main runs alone for as long as it wants, */
    CHECK_INT(unsetenv("ANTHILL"), 0);
    /* and what could run while it dumps has no thread */
    CHECK_INT(ant_run(run, NULL, &(ant_config){.procs = 1, .max_threads = 1}), 0);
    return 0;
}
