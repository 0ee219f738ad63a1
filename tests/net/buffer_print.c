/* buffer_print - printf into a writer's buffer, at its borders: what fits, what fits after a flush,
 * what never does; from a goroutine with the smallest stack; errno stays. */
#include <float.h>
#include <wchar.h>

#include "net_help.h"

static ant_io ends[2];
static ant_writer w;
static char memory[16];

static void expect(const char *expected)
{
    char bytes[64] = "";
    size_t n = strlen(expected);

    CHECK_INT(ant_read_full(ends[0], bytes, n), n);
    CHECK_STR(bytes, expected);
    CHECK_INT(recv(ant_io_fd(ends[0]), bytes, 1, MSG_DONTWAIT), -1); /* and no more */
}

static void check_borders(void)
{
    CHECK_INT(ant_writer_printf(&w, "%d-%s", 12345, "789"), 9);
    CHECK_INT(ant_writer_printf(&w, "%s", ""), 0);
    CHECK_INT(ant_writer_printf(&w, "%lc", (wint_t)0x7fffffff), -EINVAL); /* no character */
    CHECK_INT(ant_writer_printf(&w, "%s", "abcdef"), 6);                  /* 15 of 16 bytes */
    CHECK_INT(ant_writer_printf(&w, "%s", "0123456789abcdef"), -EMSGSIZE);
    CHECK_INT(ant_writer_printf(&w, "x"), 1); /* and one for the zero byte: flushes */
    expect("12345-789abcdef");
    CHECK_INT(ant_writer_printf(&w, "%s", "0123456789abcde"), 15);
    expect("x");
    CHECK_INT(ant_writer_flush(&w), 0);
    expect("0123456789abcde");
    CHECK_INT(ant_writer_write(&w, "0123456789abcdef", 16), 16); /* past the buffer */
    expect("0123456789abcdef");
    CHECK_INT(ant_writer_write(&w, "a", 1), 1);
    CHECK_INT(ant_writer_write(&w, "0123456789abcdefghijklmnopqrstuvwxyz", 36), 36);
    CHECK_INT(ant_writer_flush(&w), 0);
    expect("a0123456789abcdefghijklmnopqrstuvwxyz");
}

static void print_much(void *arg)
{
    char long_memory[512];
    ant_writer long_writer;

    CHECK_INT(ant_writer_init(&long_writer, ends[1], long_memory, sizeof long_memory), 0);
    errno = 4711;
    CHECK_INT(ant_writer_printf(&long_writer, "%.3f %40d", DBL_MAX, 7), 354);
    CHECK_INT(errno, 4711);
    CHECK_INT(ant_writer_flush(&long_writer), 0);
    ant_waitgroup_done(arg);
}

static void check_small_stack(void)
{
    const ant_go_options options = {.stack_size = 2048};
    ant_waitgroup done = {0};
    char bytes[354];

    ant_waitgroup_add(&done, 1);
    CHECK_INT(ant_go_opts(&options, print_much, &done), 0);
    ant_waitgroup_wait(&done);
    CHECK_INT(ant_read_full(ends[0], bytes, sizeof bytes), sizeof bytes);
    CHECK(!memcmp(bytes, "179769313486231570", 18) && bytes[353] == '7');
}

static int run(void *arg)
{
    unix_pair(ends);
    CHECK_INT(ant_writer_init(&w, ends[1], memory, sizeof memory), 0);
    check_borders();
    check_small_stack();
    close_pair(ends);
    return 0;
}

TEST(buffer_print)
{
    return run_and_check_leaks(run);
}
