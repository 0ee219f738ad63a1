# Installs the library's variants for the sanitizers, and builds a program against each, as the README says.

set(prefix ${WORK}/prefix)
file(REMOVE_RECURSE ${prefix})

function(run)
    execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE output
        OUTPUT_STRIP_TRAILING_WHITESPACE)
    set(output "${output}" PARENT_SCOPE)
endfunction()

# A program that is right is silent; the report on a wrong one names its function.
function(check library sanitizer bug function)
    run(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/${library} -G Ninja -D CMAKE_C_COMPILER=${CC}
        -D ANT_SANITIZE=${sanitizer} -D ANT_BUILD_TESTS=OFF -D ANT_BUILD_EXAMPLES=OFF)
    run(${CMAKE_COMMAND} --build ${WORK}/${library})
    run(${CMAKE_COMMAND} --install ${WORK}/${library} --prefix ${prefix})
    file(GLOB_RECURSE pc ${prefix}/${library}.pc)
    cmake_path(GET pc PARENT_PATH pc_dir)
    cmake_path(GET pc_dir PARENT_PATH lib_dir)
    set(ENV{PKG_CONFIG_PATH} ${pc_dir})
    run(pkg-config --cflags --libs ${library})
    separate_arguments(flags UNIX_COMMAND "${output}")
    run(${CC} -g ${PROGRAM} ${flags} -Wl,-rpath,${lib_dir} -o ${WORK}/${library}-program)
    execute_process(COMMAND setarch -R ${WORK}/${library}-program clean RESULT_VARIABLE result
        OUTPUT_VARIABLE output ERROR_VARIABLE error)
    if(result OR NOT output STREQUAL "done\n" OR NOT error STREQUAL "")
        message(FATAL_ERROR "${library}, clean: ${result} ${output}${error}")
    endif()
    execute_process(COMMAND setarch -R ${WORK}/${library}-program ${bug} RESULT_VARIABLE result
        OUTPUT_VARIABLE output ERROR_VARIABLE error)
    if(NOT result OR NOT error MATCHES "ERROR|WARNING" OR NOT error MATCHES " in ${function} | ${function} ")
        message(FATAL_ERROR "${library}, ${bug}: ${result} ${output}${error}")
    endif()
endfunction()

check(anthill-asan address use-after-free use_after_free)
check(anthill-tsan thread race race)
