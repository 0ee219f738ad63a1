/* symbol.c - the name of the function at an address, static functions included.
 *
 * dladdr knows only what is exported. So we read the symbol table of the object file ourselves: map
 * it, walk it. No malloc and little stack, since this runs when something is already wrong, on the
 * stack of a goroutine that may have 2 KB. The answers are kept in a small table: the dump of a
 * million goroutines shows the same few addresses again and again.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/preempt.h"

enum { KEPT = 256 };

struct object {
    const char *bytes;
    size_t size;
};

static struct {
    struct ant__lock lock;
    struct ant__symbol kept[KEPT];
} symbols;

static bool object_open(struct object *o, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* if it is a pipe now: not to wait */
    struct stat st;
    void *bytes = MAP_FAILED;

    if (fd < 0)
        return false;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > (off_t)sizeof(ElfW(Ehdr)))
        bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    *o = (struct object){.bytes = bytes, .size = (size_t)st.st_size};
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
                         const ElfW(Shdr) * strings, uintptr_t address, struct ant__symbol *found)
{
    const ElfW(Sym) *syms = part(o, table->sh_offset, table->sh_size);
    const char *names = part(o, strings->sh_offset, strings->sh_size);

    for (size_t i = 0; syms && names && i < table->sh_size / sizeof *syms; i++) {
        const ElfW(Sym) *s = &syms[i];

        if (ELF64_ST_TYPE(s->st_info) != STT_FUNC || s->st_name >= strings->sh_size ||
            address < s->st_value || address >= s->st_value + s->st_size)
            continue;
        strncpy(found->name, names + s->st_name, sizeof found->name - 1);
        found->offset = address - s->st_value;
        return;
    }
}

static void search_object(const struct object *o, uintptr_t offset, struct ant__symbol *found)
{
    const ElfW(Ehdr) *head = part(o, 0, sizeof *head);
    const ElfW(Shdr) * sections;

    if (!head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_shentsize != sizeof *sections)
        return;
    sections = part(o, head->e_shoff, (size_t)head->e_shnum * sizeof *sections);
    for (int i = 0; sections && i < head->e_shnum && !found->name[0]; i++) {
        if (sections[i].sh_type == SHT_SYMTAB && sections[i].sh_link < head->e_shnum)
            search_table(o, &sections[i], &sections[sections[i].sh_link],
                         linked_base(o, head) + offset, found);
    }
}

/* What dladdr tells of the program itself is argv[0], which its caller has chosen: it may be the name of
 * another file, or of none. */
static bool is_program(const Dl_info *info)
{
    void *headers = (void *)getauxval(AT_PHDR); /* NOLINT(performance-no-int-to-ptr) */
    Dl_info program;

    return headers && dladdr(headers, &program) && program.dli_fbase == info->dli_fbase;
}

/* Under symbols.lock. */
static const char *program_path(void)
{
    static char path[512];

    if (!path[0] && readlink("/proc/self/exe", path, sizeof path - 1) < 0)
        return "/proc/self/exe";
    return path;
}

static void look_up(void *address, struct ant__symbol *found)
{
    struct object object;
    Dl_info info;
    bool is_ours;

    *found = (struct ant__symbol){.address = address};
    if (!dladdr(address, &info) || !info.dli_fname)
        return;
    is_ours = is_program(&info);
    found->file = is_ours ? program_path() : info.dli_fname;
    found->file_offset = (size_t)((char *)address - (char *)info.dli_fbase);
    /* A relative path of a library held when it was loaded, and may not hold now. */
    if ((is_ours || found->file[0] == '/') &&
        object_open(&object, is_ours ? "/proc/self/exe" : found->file)) {
        search_object(&object, found->file_offset, found);
        munmap((void *)object.bytes, object.size);
    }
    if (!found->name[0] && info.dli_sname) {
        strncpy(found->name, info.dli_sname, sizeof found->name - 1);
        found->offset = (size_t)((char *)address - (char *)info.dli_saddr);
    }
}

void ant__symbol_find(void *address, struct ant__symbol *ret_symbol)
{
    struct ant__symbol *kept = &symbols.kept[(uintptr_t)address / 4 % KEPT];
    int saved = errno;
    uint8_t was;

    was = ant__lock_steady(&symbols.lock);
    if (kept->address != address)
        look_up(address, kept);
    *ret_symbol = *kept;
    ant__unlock_steady(&symbols.lock, was);
    errno = saved;
}
