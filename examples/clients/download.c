/* download.c - a thousand downloads at a time through libcurl, of one address.
 *
 *     download [poll|block] URL [times]
 *
 * Two recipes:
 *   poll    a multi handle for each goroutine; ant_poll waits for its descriptor.
 *   block   curl_easy_perform, as everywhere else, in the tasks of a pool with the option `blocking`. */
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <anthill.h>
#include <curl/curl.h>

enum { AT_A_TIME = 1000 };

static const char *url;
static ant_waitgroup done;
static atomic_long bytes;

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "download: %s: %s\n", what, why);
    exit(1);
}

static size_t count_bytes(char *data, size_t size, size_t n, void *arg)
{
    (void)data;
    (void)arg;
    atomic_fetch_add(&bytes, (long)(size * n));
    return size * n;
}

static CURL *new_download(void)
{
    CURL *easy = curl_easy_init();

    if (!easy)
        fail("curl_easy_init", "no memory");
    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, count_bytes);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_FAILONERROR, 1L);
    return easy;
}

/* ---- poll ---- */

/* For the descriptor that curl wants to hear of, or for a moment if there is none yet. */
static void wait_for(CURLM *multi)
{
    fd_set in, out, unused;
    long ms = -1;
    int fd = -1, events;

    FD_ZERO(&in);
    FD_ZERO(&out);
    FD_ZERO(&unused);
    curl_multi_fdset(multi, &in, &out, &unused, &fd);
    curl_multi_timeout(multi, &ms);
    if (ms < 0 || ms > 1000)
        ms = 1000;
    if (fd < 0) {
        ant_sleep(ANT_MILLISECOND);
        return;
    }
    events = (FD_ISSET(fd, &in) ? POLLIN : 0) | (FD_ISSET(fd, &out) ? POLLOUT : 0);
    ant_poll(fd, events ? events : POLLIN, ms * ANT_MILLISECOND);
}

static void polling(void *arg)
{
    CURL *easy = new_download();
    CURLM *multi = curl_multi_init();
    CURLMsg *message;
    int running = 1, left;

    (void)arg;
    curl_multi_add_handle(multi, easy);
    while (curl_multi_perform(multi, &running) == CURLM_OK && running)
        wait_for(multi);
    message = curl_multi_info_read(multi, &left);
    if (!message || message->data.result != CURLE_OK)
        fail(url, message ? curl_easy_strerror(message->data.result) : "no result");
    curl_multi_remove_handle(multi, easy);
    curl_multi_cleanup(multi);
    curl_easy_cleanup(easy);
    ant_waitgroup_done(&done);
}

/* ---- block ---- */

static void blocking(void *arg)
{
    CURL *easy = new_download();
    CURLcode result = curl_easy_perform(easy);

    (void)arg;
    if (result != CURLE_OK)
        fail(url, curl_easy_strerror(result));
    curl_easy_cleanup(easy);
    ant_waitgroup_done(&done);
}

struct how {
    bool blocking;
    int times;
};

static int run(void *arg)
{
    const struct how *how = arg;
    const ant_pool_options options = {.name = "downloads", .blocking = how->blocking};
    ant_pool *pool;
    int err = ant_pool_new(&pool, AT_A_TIME, &options);

    ant_waitgroup_add(&done, how->times);
    for (int i = 0; i < how->times && !err; i++)
        err = ant_pool_submit(pool, how->blocking ? blocking : polling, NULL);
    if (err)
        fail("the pool", ant_strerror(err));
    ant_waitgroup_wait(&done);
    printf("%d downloads, %ld bytes\n", how->times, atomic_load(&bytes));
    return ant_pool_destroy(pool);
}

int main(int argc, char **argv)
{
    struct how how = {.blocking = argc > 1 && strcmp(argv[1], "block") == 0,
                      .times = argc > 3 ? atoi(argv[3]) : 1000};

    if (argc < 3 || how.times <= 0 || (!how.blocking && strcmp(argv[1], "poll") != 0)) {
        fputs("usage: download poll|block URL [times]\n", stderr);
        return 2;
    }
    url = argv[2];
    curl_global_init(CURL_GLOBAL_DEFAULT);
    return ant_run(run, &how, NULL) ? 1 : 0;
}
