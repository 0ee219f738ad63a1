# The compiler checks the argument of a typed pool, its type, and its function, in C and in C++: the
# program compiles without a warning, and with each of its mistakes it does not.

set(last_mistake 10)
foreach(compiler IN ITEMS "${CC};-std=c11;-x;c" "${CXX};-std=c++17;-x;c++")
    # A pointer for a number, or another pointer, is only a warning in C by some compilers.
    set(compile ${compiler} -Wall -Wextra -Werror -fsyntax-only -I${INCLUDE})
    execute_process(COMMAND ${compile} ${SOURCE} COMMAND_ERROR_IS_FATAL ANY)
    foreach(mistake RANGE 1 ${last_mistake})
        execute_process(COMMAND ${compile} -DMISTAKE=${mistake} ${SOURCE}
            RESULT_VARIABLE refused OUTPUT_QUIET ERROR_VARIABLE why)
        if(NOT refused)
            message(SEND_ERROR "mistake ${mistake} is not seen by ${compile}")
        elseif(mistake GREATER 8 AND NOT why MATCHES "argument of a typed pool must")
            message(SEND_ERROR "mistake ${mistake} is refused without saying why:\n${why}")
        elseif(mistake LESS 9 AND NOT why MATCHES "a_(url|other)|url_pool|bad_")
            message(SEND_ERROR "mistake ${mistake} is refused for another reason:\n${why}")
        endif()
    endforeach()
    set(last_mistake 12)
endforeach()
