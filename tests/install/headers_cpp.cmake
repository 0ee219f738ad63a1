# A C++17 program that uses Anthill compiles without a warning, links and runs.

execute_process(COMMAND ${CXX} -std=c++17 -Wall -Wextra -Werror -I${INCLUDE}
    ${SOURCE} ${LIBRARY} -pthread -ldl -o ${PROGRAM} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${PROGRAM} COMMAND_ERROR_IS_FATAL ANY)
