# Exceptions of C++ in goroutines, with the library linked statically and shared, and with each C++ library that
# the compiler has. LAUNCHER: what runs programs for another architecture; then only statically.

function(check name)
    execute_process(COMMAND ${CXX} -std=c++17 -Wall -Wextra -Werror -I${INCLUDE} ${ARGN} ${SOURCE}
        ${libraries} -pthread -ldl -o ${WORK}/${name} COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND ${LAUNCHER} ${WORK}/${name} COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND ${LAUNCHER} ${WORK}/${name} uncaught
        RESULT_VARIABLE result ERROR_VARIABLE error)
    if(result EQUAL 0 OR NOT error MATCHES "goroutine [0-9]+ thrower, and nobody catches it"
            OR NOT error MATCHES "thrown in a task")
        message(FATAL_ERROR "${name}: an uncaught exception ended with ${result}: ${error}")
    endif()
endfunction()

file(MAKE_DIRECTORY ${WORK})
set(libraries ${STATIC})
if(LAUNCHER)
    check(catch_blocks_static -static)
    return()
endif()
check(catch_blocks_static)
execute_process(COMMAND ${CXX} -stdlib=libc++ -x c++ -fsyntax-only -include vector /dev/null
    RESULT_VARIABLE no_libcxx OUTPUT_QUIET ERROR_QUIET)
if(NOT no_libcxx)
    check(catch_blocks_libcxx -stdlib=libc++)
endif()
get_filename_component(folder ${SHARED} DIRECTORY)
set(libraries ${SHARED} -Wl,-rpath,${folder})
check(catch_blocks_shared)
