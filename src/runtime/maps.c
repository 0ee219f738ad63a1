/* maps.c - which file is mapped at an address, as /proc/self/maps tells. dladdr would tell it too, but
 * waits for the dynamic linker's lock, which a thread in a library's constructor holds; and of the
 * program itself it knows only argv[0]. */
#include "runtime/maps.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/errno.h"

/* One line: start-end permissions offset device inode path */
struct line {
    uint64_t start, end, offset, inode;
    const char *path;
};

static const char *parse_number(const char *at, unsigned base, uint64_t *ret_n)
{
    uint64_t n = 0;

    for (;; at++) {
        unsigned digit = *at >= 'a' ? (unsigned)(*at - 'a') + 10 : (unsigned)(*at - '0');

        if (*at < '0' || digit >= base)
            break;
        n = n * base + digit;
    }
    *ret_n = n;
    return at;
}

static const char *skip_word(const char *at)
{
    while (*at && *at != ' ')
        at++;
    while (*at == ' ')
        at++;
    return at;
}

static void parse(const char *text, struct line *l)
{
    const char *at = parse_number(text, 16, &l->start);

    at = skip_word(parse_number(*at ? at + 1 : at, 16, &l->end));
    at = skip_word(parse_number(skip_word(at), 16, &l->offset));
    at = skip_word(parse_number(skip_word(at), 10, &l->inode));
    l->path = at;
}

/* The lines before the one that is looked for tell where its file begins. */
struct search {
    uintptr_t address;
    uint64_t base, base_inode;
    struct ant__mapping *found;
};

/* True: the search is over. */
static bool take_line(struct search *s, const char *text)
{
    struct line l;

    parse(text, &l);
    if (l.offset == 0) {
        s->base = l.start;
        s->base_inode = l.inode;
    }
    if (s->address >= l.end)
        return false;
    if (s->address < l.start || !*l.path)
        return true;
    s->found->start = l.start;
    s->found->end = l.end;
    s->found->inode = l.inode;
    s->found->base = l.inode == s->base_inode ? s->base : l.start - l.offset;
    strncpy(s->found->path, l.path, sizeof s->found->path - 1);
    return true;
}

/* The whole lines of the text; what is left of it is moved to its beginning, and its length returned. */
static size_t take_lines(struct search *s, char *text, size_t length, bool *over)
{
    char *at = text, *end;

    text[length] = '\0';
    while (!*over && (end = memchr(at, '\n', length - (size_t)(at - text)))) {
        *end = '\0';
        *over = take_line(s, at);
        at = end + 1;
    }
    length -= (size_t)(at - text);
    memmove(text, at, length);
    return length;
}

bool ant__mapping_find(uintptr_t address, struct ant__mapping *ret_mapping, char *buffer,
                       size_t size)
{
    struct search s = {.address = address, .found = ret_mapping};
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    size_t length = 0;
    bool over = fd < 0;
    ssize_t n;

    memset(ret_mapping, 0, sizeof *ret_mapping);
    while (!over) {
        n = read(fd, buffer + length, size - 1 - length);
        if (n < 0 && ant__errno() == EINTR)
            continue;
        over = n <= 0; /* the end, or a line longer than the buffer */
        if (n > 0)
            length = take_lines(&s, buffer, length + (size_t)n, &over);
    }
    if (fd >= 0)
        close(fd);
    return ret_mapping->end != 0;
}
