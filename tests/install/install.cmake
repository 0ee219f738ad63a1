# Installs into a temporary prefix and builds one program against it in each of the ways that
# users have: pkg-config with the shared library and with the archive, and find_package.

set(prefix ${WORK}/prefix)
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})

function(run)
    execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE output
        OUTPUT_STRIP_TRAILING_WHITESPACE)
    set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect_hello)
    run(${ARGN})
    if(NOT output STREQUAL "hello from goroutine 1, version 0.1.0")
        message(FATAL_ERROR "${ARGN} said: ${output}")
    endif()
endfunction()

# The flags that pkg-config gives, as a list.
function(pkg_config result)
    run(pkg-config ${ARGN} anthill)
    separate_arguments(flags UNIX_COMMAND "${output}")
    set(${result} ${flags} PARENT_SCOPE)
endfunction()

# What a program calls is bound when it is loaded: to do so at the first call takes more stack than a
# goroutine may have.
function(expect_bound)
    foreach(program IN LISTS ARGN)
        run(readelf -dW ${program})
        if(NOT output MATCHES "Flags:[^\n]* NOW")
            message(FATAL_ERROR "${program} binds functions at their first call")
        endif()
    endforeach()
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
file(GLOB_RECURSE pc ${prefix}/anthill.pc)
cmake_path(GET pc PARENT_PATH pc_dir)
cmake_path(GET pc_dir PARENT_PATH lib_dir)
set(ENV{PKG_CONFIG_PATH} ${pc_dir})

pkg_config(flags --cflags --libs)
run(${CC} ${SOURCE}/hello.c ${flags} -Wl,-rpath,${lib_dir} -o ${WORK}/hello_shared)
expect_hello(${WORK}/hello_shared)

pkg_config(cflags --cflags)
pkg_config(libs --libs --static)
list(TRANSFORM libs REPLACE "^-lanthill$" "${lib_dir}/libanthill.a")
run(${CC} ${cflags} ${SOURCE}/hello.c ${libs} -o ${WORK}/hello_archive)
expect_hello(${WORK}/hello_archive)

run(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/package -G Ninja -D CMAKE_C_COMPILER=${CC}
    -D CMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build ${WORK}/package)
expect_hello(${WORK}/package/hello)
expect_hello(${WORK}/package/hello_static)

expect_bound(${WORK}/hello_shared ${WORK}/hello_archive ${WORK}/package/hello
    ${WORK}/package/hello_static)
file(GLOB shared ${lib_dir}/libanthill.so)
expect_bound(${shared})
run(readelf -rW ${shared})
string(REGEX REPLACE "[^\n]*__register_atfork[^\n]*" "" output "${output}") # libc's, in pthread_atfork
# clang calls exported functions of the same library that way all the same.
if(NOT CC MATCHES "clang" AND output MATCHES "JU?MP_SLOT?[^\n]*")
    message(FATAL_ERROR "${shared} calls through the dynamic linker: ${CMAKE_MATCH_0}")
endif()
