/* maps.h - which file is mapped at an address. */
#ifndef ANT_RUNTIME_MAPS_H
#define ANT_RUNTIME_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ant__mapping {
    uintptr_t start, end;
    uintptr_t base; /* where the file's first byte is mapped, or would be */
    uint64_t inode; /* 0: no file, but the kernel has a name for it */
    char path[256]; /* cut off if longer; " (deleted)" at its end says that the file is gone */
};

/* False: there is none. The buffer is for the text of the maps; a line must fit in. */
bool ant__mapping_find(uintptr_t address, struct ant__mapping *ret_mapping, char *buffer,
                       size_t size);

#endif
