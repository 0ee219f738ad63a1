# Each public header can be included alone, in C11 and in C++17, without a warning.

file(GLOB_RECURSE headers RELATIVE ${INCLUDE} ${INCLUDE}/*.h)
if(NOT headers)
    message(FATAL_ERROR "no headers in ${INCLUDE}")
endif()

set(strict -Wall -Wextra -pedantic -Werror -fsyntax-only -I${INCLUDE})
foreach(header IN LISTS headers)
    execute_process(COMMAND ${CC} -std=c11 -Wstrict-prototypes ${strict}
        -include ${header} -x c /dev/null RESULT_VARIABLE bad_c)
    execute_process(COMMAND ${CXX} -std=c++17 ${strict}
        -include ${header} -x c++ /dev/null RESULT_VARIABLE bad_cpp)
    if(bad_c OR bad_cpp)
        message(SEND_ERROR "<${header}> does not compile alone")
    endif()
endforeach()
