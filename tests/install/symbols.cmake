# The shared library exports exactly the functions that the public headers declare; the archive
# defines no name without our prefix.

# The global symbols that nm lists for a library.
function(list_symbols file result)
    execute_process(COMMAND ${NM} -P -g --defined-only ${ARGN} ${file}
        OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "[^\n]+" lines "${output}")
    set(names "")
    foreach(line IN LISTS lines)
        if(line MATCHES "^([^ ]+) [A-Za-z]")
            list(APPEND names ${CMAKE_MATCH_1})
        endif()
    endforeach()
    set(${result} ${names} PARENT_SCOPE)
endfunction()

# The functions declared with ANT_API.
function(list_declared result)
    file(GLOB headers ${INCLUDE}/anthill/*.h)
    set(names "")
    foreach(header IN LISTS headers)
        file(READ ${header} text)
        string(REGEX REPLACE "/\\*([^*]|\\*+[^*/])*\\*+/" "" text "${text}")
        string(REGEX MATCHALL "ANT_API[^(;]*[ *]ant_[a-z0-9_]+\\(" found "${text}")
        foreach(declaration IN LISTS found)
            string(REGEX REPLACE ".*[ *](ant_[a-z0-9_]+)\\($" "\\1" name "${declaration}")
            list(APPEND names ${name})
        endforeach()
    endforeach()
    set(${result} ${names} PARENT_SCOPE)
endfunction()

set(wrong 0)

# Prints each name of a list after the reason why it should not be there.
macro(complain reason)
    foreach(name ${ARGN})
        message("${name}: ${reason}")
        set(wrong 1)
    endforeach()
endmacro()

list_symbols(${SHARED} exported -D)
list_declared(declared)
if(NOT declared)
    message(FATAL_ERROR "no ANT_API functions found in ${INCLUDE}")
endif()

set(unwanted ${exported})
list(REMOVE_ITEM unwanted ${declared})
complain("exported, but no public function" ${unwanted})

set(missing ${declared})
if(exported)
    list(REMOVE_ITEM missing ${exported})
endif()
complain("declared ANT_API, but not exported" ${missing})

list_symbols(${STATIC} foreign)
set(chaos ${foreign})
list(FILTER chaos INCLUDE REGEX "^ant__chaos")
complain("of the chaos build, in another one" ${chaos})
list(FILTER foreign EXCLUDE REGEX "^ant_")
if(ANT_KIND STREQUAL "musl")
    list(REMOVE_ITEM foreign _dl_find_object) # src/runtime/frames.c
endif()
complain("global in the archive without our prefix" ${foreign})

if(wrong)
    message(FATAL_ERROR "the library's symbols are not as they should be")
endif()
