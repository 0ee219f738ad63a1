/* api_dump_damaged - a file with a table of names that does not end with a zero: what lies behind it is no
 * part of the name.
 *
 * Catches: trust in what a file says about itself. */
#include <elf.h>
#include <link.h>

#include "check.h"
#include "runtime/symbol.h"

enum { FUNCTION = 0x100, NAMES = 3000 };

struct image {
    ElfW(Ehdr) head;
    ElfW(Shdr) sections[2];
    ElfW(Sym) symbol;
};

static void make(char *bytes)
{
    struct image *i = (struct image *)bytes;

    memset(bytes, 'X', 4096);
    memset(i, 0, sizeof *i);
    memcpy(i->head.e_ident, ELFMAG, SELFMAG);
    i->head.e_shoff = offsetof(struct image, sections);
    i->head.e_shnum = 2;
    i->head.e_shentsize = sizeof *i->sections;
    i->sections[0] = (ElfW(Shdr)){.sh_type = SHT_SYMTAB,
                                  .sh_offset = offsetof(struct image, symbol),
                                  .sh_size = sizeof i->symbol,
                                  .sh_link = 1};
    i->sections[1] = (ElfW(Shdr)){.sh_type = SHT_STRTAB, .sh_offset = NAMES, .sh_size = 4};
    i->symbol = (ElfW(Sym)){.st_value = FUNCTION, .st_size = 100, .st_info = STT_FUNC};
    memcpy(bytes + NAMES, "name", 4);
}

TEST(api_dump_damaged)
{
    char bytes[4096], path[] = "/tmp/anthill-damaged-XXXXXX", text[256] = "";
    int fd = mkstemp(path), out = memfd_create("out", MFD_CLOEXEC);
    struct ant__out lines = {.fd = out};
    char *mapped;

    make(bytes);
    CHECK_INT(write(fd, bytes, sizeof bytes), sizeof bytes);
    mapped = mmap(NULL, sizeof bytes, PROT_READ, MAP_PRIVATE, fd, 0);
    CHECK(mapped != MAP_FAILED);
    ant__symbol_print(&lines, "", mapped + FUNCTION + 8);
    CHECK_INT(ant__out_flush(&lines), 0);
    unlink(path);
    CHECK(pread(out, text, sizeof text - 1, 0) > 0);
    CHECK_HAS(text, "name+0x8 (");
    close(fd);
    close(out);
    munmap(mapped, sizeof bytes);
    return 0;
}
