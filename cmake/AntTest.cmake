# What all tests and examples of one variant have in common: how slow it is, what its environment
# is, what starts its programs.

# ANT_KIND: plain, chaos, asan, tsan, aarch64 or musl.
set(ANT_KIND plain)
if(ANT_CHAOS)
    set(ANT_KIND chaos)
elseif(CMAKE_CROSSCOMPILING)
    set(ANT_KIND ${CMAKE_SYSTEM_PROCESSOR})
elseif(ANT_MUSL)
    set(ANT_KIND musl)
elseif(ANT_SANITIZE STREQUAL "address")
    set(ANT_KIND asan)
elseif(ANT_SANITIZE STREQUAL "thread")
    set(ANT_KIND tsan)
endif()

set(scale_plain 4)
set(scale_chaos 10)
set(scale_asan 10)
set(scale_tsan 40)
set(scale_aarch64 40)
set(scale_musl 10)
set(ANT_SCALE ${scale_${ANT_KIND}})
if(ANT_KIND STREQUAL "tsan" AND CMAKE_C_COMPILER_ID STREQUAL "GNU" AND NOT EXISTS "${ANT_TSAN_RUNTIME}")
    set(ANT_SCALE 60) # its fibers take ten times as long to make as clang's
endif()
set(ANT_TIMEOUT_FACTOR 4)
if(ANT_KIND STREQUAL "plain")
    set(ANT_TIMEOUT_FACTOR 1)
endif()

# libc keeps the stacks of ended threads, and an arena of malloc for each: how many threads there are
# depends on how busy the machine is, and tests that count what is left behind must not.
set(ANT_TEST_ENV
    ANT_TEST_SCALE=${ANT_SCALE}
    GLIBC_TUNABLES=glibc.pthread.stack_cache_size=0:glibc.malloc.arena_max=1
    UBSAN_OPTIONS=print_stacktrace=1
    TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1)

# The sanitizers of these compilers do not cope with every randomised address space.
set(ANT_LAUNCHER ${CMAKE_CROSSCOMPILING_EMULATOR})
if(ANT_SANITIZE)
    execute_process(COMMAND setarch -R true RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(NOT failed)
        set(ANT_LAUNCHER setarch -R)
    endif()
endif()

# Backtraces find the names of functions that the executable exports.
set(CMAKE_ENABLE_EXPORTS ON)

# Properties every registered test has. A torture test has no TIMEOUT of its own, so that ctest's
# --timeout rules its short and its long form.
function(ant_test_properties test seconds)
    cmake_parse_arguments(arg "SERIAL" "" "ENV;LABELS" ${ARGN})
    set_tests_properties(${test} PROPERTIES
        ENVIRONMENT "${ANT_TEST_ENV};${arg_ENV}" LABELS "${arg_LABELS}")
    if(NOT "torture" IN_LIST arg_LABELS)
        math(EXPR seconds "${seconds} * ${ANT_TIMEOUT_FACTOR}")
        set_tests_properties(${test} PROPERTIES TIMEOUT ${seconds})
    endif()
    if(arg_SERIAL)
        set_tests_properties(${test} PROPERTIES RUN_SERIAL ON)
    endif()
endfunction()

# The library once more at -O3 and with link-time optimisation, for tests that say LTO. Made here
# and not in tests/, because properties of source files hold in one directory only.
ant_objects(anthill_lto)
set_target_properties(anthill_lto PROPERTIES EXCLUDE_FROM_ALL ON)
target_compile_options(anthill_lto PRIVATE -O3 -flto -g0)
target_link_libraries(anthill_lto PUBLIC Threads::Threads ${CMAKE_DL_LIBS})
target_link_options(anthill_lto INTERFACE -Wl,-z,now
    -O3 -flto $<$<C_COMPILER_ID:Clang>:-fuse-ld=lld>)
