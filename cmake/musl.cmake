# Build against musl, by the wrapper of Debian's musl-tools. That has no headers of the kernel: those that
# musl lacks come from glibc's folders.
set(ANT_MUSL ON)
set(CMAKE_C_COMPILER musl-gcc)
set(CMAKE_ASM_COMPILER musl-gcc)
foreach(kind EXE SHARED MODULE)
    set(CMAKE_${kind}_LINKER_FLAGS_INIT "-Wl,--eh-frame-hdr") # for backtraces; other compilers do so
endforeach()
set(CMAKE_C_FLAGS_INIT "-idirafter /usr/include -idirafter /usr/include/${CMAKE_HOST_SYSTEM_PROCESSOR}-linux-gnu")
