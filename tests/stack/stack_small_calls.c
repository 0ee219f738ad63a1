/* stack_small_calls - what each kind of call takes of a stack of 2 KB, measured on it: not more than
 * ANT_STACK_CALLS, and what it does is right.
 *
 * Catches: a call that needs more, which overwrites the neighbour's stack; one that is not done on g0's
 * stack then, as printing a panic, or listening. */
#include <anthill.h>

#include "check.h"
#include "runtime/runtime.h"

enum { SMALLEST = TEST_SANITIZED ? 64 << 10 : 2 << 10, PAINT = 0xa5, ABOVE = 64 };

static struct {
    int null;
    ant_panic_info info;
    ant_chan *chans[16];
    ant_case cases[16];
    ant_ctx *ctx;
    ant_cache *cache;
    ant_timer timer;
    ant_group group;
    ant_io listener, connection;
    ant_addr address;
    ant_process process;
    ant_pool *pool;
    ant_waitgroup wg;
    ant_stats stats;
    char text[256];
} all;

static void boom(void *arg)
{
    ant_panic("boom %d", 1);
}

static void nothing(void *arg)
{
}

static void free_object(void *object, void *arg)
{
    free(object);
}

static int no_error(void *arg)
{
    return 0;
}

static void print_panic(void)
{
    CHECK_INT(ant_panic_print(all.null, &all.info), 0);
}

static void select_many(void)
{
    for (int i = 0; i < 16; i++)
        all.cases[i] = (ant_case)ANT_RECV(all.chans[i], NULL);
    CHECK_INT(ant_select_ctx(all.cases, 16, all.ctx), ANT_ETIMEOUT);
}

static void try_silently(void)
{
    CHECK_INT(ant_try(boom, NULL, NULL), ANT_EPANIC);
}

static void try_aloud(void)
{
    CHECK_INT(ant_try(boom, NULL, &all.info), ANT_EPANIC);
    CHECK_STR(all.info.message, "boom 1");
}

static void dump(void)
{
    CHECK_INT(ant_dump(all.null), 0);
}

static void count(void)
{
    CHECK_INT(ant_stats_get(&all.stats), 0);
}

static void resize(void)
{
    int procs = ant_procs();

    ant_set_procs(procs + 1);
    ant_set_procs(procs);
}

static void cache(void)
{
    for (int i = 0; i < 30; i++)
        ant_cache_put(all.cache, malloc(1));
}

static void arm_timer(void)
{
    CHECK_INT(ant_timer_start(&all.timer, 1000, nothing, NULL), 0);
    ant_sleep(ANT_MILLISECOND);
}

static void wait_for_group(void)
{
    CHECK_INT(ant_group_go(&all.group, no_error, NULL), 0);
    CHECK_INT(ant_group_wait(&all.group), 0);
}

static void make_ctx(void)
{
    ant_ctx *ctx;

    CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, ANT_HOUR), 0);
    ant_ctx_cancel(ctx);
    ant_ctx_unref(ctx);
}

static void listen_at(void)
{
    CHECK_INT(ant_listen(&all.listener, "tcp", "127.0.0.1:0", NULL), 0);
}

static void dial_numbers(void)
{
    CHECK_INT(ant_local_addr(all.listener, &all.address), 0);
    CHECK_INT(ant_addr_text(&all.address, all.text, sizeof all.text) > 0, 1);
    CHECK_INT(ant_dial(&all.connection, "tcp", all.text), 0);
}

static void dial_name(void)
{
    ant_io io;

    memcpy(all.text, "localhost", 9);
    memmove(all.text + 9, strrchr(all.text, ':'), strlen(strrchr(all.text, ':')) + 1);
    if (ant_dial(&io, "tcp", all.text) == 0)
        ant_close(io);
}

static void exchange(void)
{
    ant_io accepted;

    CHECK_INT(ant_accept(all.listener, &accepted), 0);
    CHECK_INT(ant_write(accepted, "hello", 5), 5);
    CHECK_INT(ant_read(all.connection, all.text, sizeof all.text), 5);
    ant_close(accepted);
    ant_close(all.connection);
    ant_close(all.listener);
}

static void read_file(void)
{
    ant_io io;

    CHECK_INT(ant_open(&io, "/dev/zero", O_RDONLY, 0), 0);
    CHECK_INT(ant_read(io, all.text, sizeof all.text), (int)sizeof all.text);
    ant_close(io);
}

static void spawn(void)
{
    static const char *const argv[] = {"true", NULL};
    static int status;

    CHECK_INT(ant_spawn(&all.process, argv, NULL), 0);
    CHECK_INT(ant_process_wait(all.process, &status), 0);
    CHECK_INT(status, 0);
}

static void use_pool(void)
{
    CHECK_INT(ant_pool_new(&all.pool, 4, NULL), 0);
    for (int i = 0; i < 20; i++)
        CHECK_INT(ant_pool_submit(all.pool, nothing, NULL), 0);
    CHECK_INT(ant_pool_release_timeout(all.pool, 10 * ANT_SECOND), 0);
    ant_pool_destroy(all.pool);
}

static void use_default_pool(void)
{
    CHECK_INT(ant_submit(nothing, NULL), 0);
}

static void tick(void)
{
    ant_ticker *ticker;

    CHECK_INT(ant_ticker_new(&ticker, ANT_MILLISECOND), 0);
    ant_chan_recv(ant_ticker_chan(ticker), NULL);
    ant_ticker_destroy(ticker);
}

static void copy_much(void)
{
    ant_waitgroup_add(&all.wg, 0);
    CHECK_INT(ant_go_copy(nothing, all.text, 200), 0);
}

static const struct {
    const char *name;
    void (*call)(void);
} calls[] = {
    {"print_panic", print_panic},
    {"select_many", select_many},
    {"try_silently", try_silently},
    {"try_aloud", try_aloud},
    {"dump", dump},
    {"count", count},
    {"resize", resize},
    {"cache", cache},
    {"arm_timer", arm_timer},
    {"wait_for_group", wait_for_group},
    {"make_ctx", make_ctx},
    {"listen_at", listen_at},
    {"dial_numbers", dial_numbers},
    {"dial_name", dial_name},
    {"exchange", exchange},
    {"read_file", read_file},
    {"spawn", spawn},
    {"use_pool", use_pool},
    {"use_default_pool", use_default_pool},
    {"tick", tick},
    {"copy_much", copy_much},
};

enum { CALLS = sizeof calls / sizeof calls[0] };

static size_t measured[CALLS];

#if TEST_SANITIZED
static void measure(size_t i)
{
    calls[i].call();
}
#else
/* In one function, as each frame counts. The frame of the call itself, which is not optimised and checks
 * what it gets, is not ours: it has 256 bytes at most. */
static void measure(size_t i)
{
    static const size_t most = ANT_STACK_CALLS + 128;
    volatile char *top = (volatile char *)__builtin_frame_address(0) - ABOVE;
    size_t n = most;

    while (n-- > 0)
        top[-(ptrdiff_t)n] = (char)PAINT;
    calls[i].call();
    for (n = most - 1; n > 0 && top[-(ptrdiff_t)n] == (char)PAINT; n--) {
    }
    measured[i] = n;
}
#endif

static void goroutine(void *arg)
{
    measure((size_t)(intptr_t)arg);
    ant_waitgroup_done(&all.wg);
}

static int run(void *arg)
{
    ant_try(boom, NULL, &all.info);
    for (int i = 0; i < 16; i++)
        CHECK_INT(ant_chan_new(&all.chans[i], 0, 0), 0);
    CHECK_INT(ant_cache_new(&all.cache, NULL, free_object, NULL), 0);
    for (size_t i = 0; i < CALLS; i++) {
        CHECK_INT(ant_ctx_with_timeout(&all.ctx, NULL, 2 * ANT_MILLISECOND), 0);
        ant_waitgroup_add(&all.wg, 1);
        CHECK_INT(
            ant_go_opts(&(ant_go_options){.stack_size = SMALLEST}, goroutine, (void *)(intptr_t)i),
            0);
        ant_waitgroup_wait(&all.wg);
        ant_ctx_unref(all.ctx);
        if (getenv("ANT_TEST_PRINT"))
            fprintf(stderr, "%-20s %5zu\n", calls[i].name, measured[i]);
    }
    for (int i = 0; i < 16; i++)
        ant_chan_destroy(all.chans[i]);
    ant_cache_destroy(all.cache);
    return 0;
}

/* Where all frames are larger, as without optimisation, stacks are too. */
static int has_small_stacks(void *arg)
{
    return ant__stack_class(SMALLEST) == ANT__STACK_MIN_CLASS;
}

TEST(stack_small_calls)
{
    all.null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    close(all.null);
    for (size_t i = 0; i < CALLS && ant_run(has_small_stacks, NULL, NULL); i++) {
        if (measured[i] > ANT_STACK_CALLS)
            FAIL("%s took %zu bytes of stack", calls[i].name, measured[i]);
    }
    return 0;
}
