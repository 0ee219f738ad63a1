/* symbol.c - see symbol.h. Static functions included, of which the dynamic linker knows nothing: so we
 * read the symbol table of the file ourselves: map it, walk it. No malloc, no lock of libc's and little
 * stack, since this runs when something is already wrong, on the stack of a goroutine that may be
 * small. The answers are kept in a small table: the dump of a million goroutines shows the same few
 * addresses again and again.
 */
#define _GNU_SOURCE
#include "runtime/symbol.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/errno.h"
#include "runtime/maps.h"
#include "runtime/preempt.h"

enum {
    KEPT = 256,    /* symbols */
    MAPPINGS = 16, /* most programs have fewer with code of which a dump shows something */
    PATHS = 8192,  /* bytes of them; a dump can do without those for which there is no room */
    MAPS_BUFFER = 8192,
};

struct symbol {
    uintptr_t address;
    char name[48];    /* cut off if longer; empty if not known */
    size_t offset;    /* in the function */
    const char *file; /* NULL if not known */
    size_t in_file;   /* as it was linked, which is what addr2line wants */
};

struct object {
    const char *bytes;
    size_t size;
};

static struct {
    struct ant__lock lock;
    struct symbol kept[KEPT];
    struct ant__mapping mappings[MAPPINGS]; /* those used last */
    unsigned next_mapping;
    char paths[PATHS]; /* one after the other; never forgotten, as symbols point to them */
    size_t paths_size;
    char buffer[MAPS_BUFFER];
} symbols;

/* ---- the file ---- */

static bool object_open(struct object *o, const char *path, uint64_t inode)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* if it is a pipe now: not to wait */
    struct stat st;
    void *bytes = MAP_FAILED;

    if (fd < 0)
        return false;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (inode == 0 || st.st_ino == inode) &&
        st.st_size > (off_t)sizeof(ElfW(Ehdr))) {
        bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        *o = (struct object){.bytes = bytes, .size = (size_t)st.st_size};
    }
    close(fd);
    return bytes != MAP_FAILED;
}

/* n bytes at an offset that the file itself gave; NULL if they do not lie in it. */
static const void *part(const struct object *o, size_t offset, size_t n)
{
    return offset <= o->size && n <= o->size - offset ? o->bytes + offset : NULL;
}

/* The address at which the object was linked to be loaded. */
static uintptr_t linked_base(const struct object *o, const ElfW(Ehdr) * head)
{
    for (int i = 0; i < head->e_phnum; i++) {
        const ElfW(Phdr) *p = part(o, head->e_phoff + (size_t)i * head->e_phentsize, sizeof *p);

        if (p && p->p_type == PT_LOAD)
            return p->p_vaddr & ~(uintptr_t)4095;
    }
    return 0;
}

static void search_table(const struct object *o, const ElfW(Shdr) * table,
                         const ElfW(Shdr) * strings, struct symbol *found)
{
    const ElfW(Sym) *syms = part(o, table->sh_offset, table->sh_size);
    const char *names = part(o, strings->sh_offset, strings->sh_size);

    size_t most;

    for (size_t i = 0; syms && names && i < table->sh_size / sizeof *syms; i++) {
        const ElfW(Sym) *s = &syms[i];

        if (ELF64_ST_TYPE(s->st_info) != STT_FUNC || s->st_name >= strings->sh_size ||
            found->in_file < s->st_value || found->in_file >= s->st_value + s->st_size)
            continue;
        most = strings->sh_size - s->st_name; /* it may end there, without a zero */
        strncpy(found->name, names + s->st_name,
                most < sizeof found->name - 1 ? most : sizeof found->name - 1);
        found->offset = found->in_file - s->st_value;
        return;
    }
}

/* type: SHT_SYMTAB has all functions, SHT_DYNSYM those that are exported, also in a stripped file. */
static void search_tables(const struct object *o, const ElfW(Ehdr) * head, unsigned type,
                          struct symbol *found)
{
    const ElfW(Shdr) *sections = part(o, head->e_shoff, (size_t)head->e_shnum * sizeof *sections);

    for (int i = 0; sections && i < head->e_shnum && !found->name[0]; i++) {
        if (sections[i].sh_type == type && sections[i].sh_link < head->e_shnum)
            search_table(o, &sections[i], &sections[sections[i].sh_link], found);
    }
}

static void search_object(const struct object *o, struct symbol *found)
{
    const ElfW(Ehdr) *head = part(o, 0, sizeof *head);

    if (!head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_shentsize != sizeof(ElfW(Shdr)))
        return;
    found->in_file += linked_base(o, head);
    search_tables(o, head, SHT_SYMTAB, found);
    if (!found->name[0])
        search_tables(o, head, SHT_DYNSYM, found);
}

/* ---- looking up; under symbols.lock ---- */

static const struct ant__mapping *mapping_of(uintptr_t address)
{
    struct ant__mapping *m;

    for (int i = 0; i < MAPPINGS; i++) {
        m = &symbols.mappings[i];
        if (address >= m->start && address < m->end)
            return m;
    }
    m = &symbols.mappings[symbols.next_mapping++ % MAPPINGS];
    return ant__mapping_find(address, m, symbols.buffer, sizeof symbols.buffer) ? m : NULL;
}

static const char *keep_path(const char *path)
{
    const char *at = symbols.paths, *end = symbols.paths + symbols.paths_size;
    size_t size = strlen(path) + 1;

    while (at < end && strcmp(at, path) != 0)
        at += strlen(at) + 1;
    if (at < end)
        return at;
    if (size > PATHS - symbols.paths_size)
        return "(a file)";
    symbols.paths_size += size;
    return memcpy(symbols.paths + symbols.paths_size - size, path, size);
}

/* Not by its entry point: if it was started by the name of the dynamic linker, that is the program. */
static bool is_program(const struct ant__mapping *m)
{
    ssize_t n = readlink("/proc/self/exe", symbols.buffer, sizeof symbols.buffer - 1);

    symbols.buffer[n > 0 ? n : 0] = '\0';
    return n > 0 && strncmp(symbols.buffer, m->path, sizeof m->path - 1) == 0;
}

static void look_up(uintptr_t address, struct symbol *found)
{
    const struct ant__mapping *at = mapping_of(address);
    struct ant__mapping m;
    struct object object;

    *found = (struct symbol){.address = address};
    if (!at)
        return;
    m = *at; /* the search for another one may take its place */
    found->file = keep_path(m.path);
    found->in_file = address - m.base;
    /* The program's file may have another name by now, or none. Any other file may have become another
     * one, whose names would be false. */
    if (is_program(&m) ? object_open(&object, "/proc/self/exe", 0)
                       : m.inode != 0 && object_open(&object, m.path, m.inode)) {
        search_object(&object, found);
        munmap((void *)object.bytes, object.size);
    }
}

static void find(uintptr_t address, struct symbol *ret_symbol)
{
    struct symbol *kept = &symbols.kept[address / 4 % KEPT];
    int saved = ant__errno();
    uint8_t was = ant__lock_steady(&symbols.lock);

    ant__cancel_off();
    if (kept->address != address)
        look_up(address, kept);
    *ret_symbol = *kept;
    ant__cancel_back();
    ant__unlock_steady(&symbols.lock, was);
    ant__errno_set(saved);
}

/* ---- for others ---- */

void ant__symbol_print(struct ant__out *out, const char *indent, const void *address)
{
    struct symbol s;

    find((uintptr_t)address - 1, &s);
    if (!s.file)
        ant__out_print(out, "%s%#llx\n", indent, (unsigned long long)(uintptr_t)address);
    else if (s.name[0])
        ant__out_print(out, "%s%s+0x%zx (%s+0x%zx)\n", indent, s.name, s.offset + 1, s.file,
                       s.in_file + 1);
    else
        ant__out_print(out, "%s%s+0x%zx\n", indent, s.file, s.in_file + 1);
}

void ant__symbols_forked(void)
{
    memset(&symbols.lock, 0, sizeof symbols.lock);
    memset(symbols.kept, 0, sizeof symbols.kept); /* one may be half written */
    memset(symbols.mappings, 0, sizeof symbols.mappings);
    symbols.paths_size = 0;
}

void ant__symbols_forget(void)
{
    uint8_t was = ant__lock_steady(&symbols.lock);

    memset(symbols.kept, 0, sizeof symbols.kept);
    memset(symbols.mappings, 0, sizeof symbols.mappings);
    ant__unlock_steady(&symbols.lock, was);
}
