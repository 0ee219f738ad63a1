# Runs an example; compares what it prints with the file EXPECTED, if there is one.

list(REMOVE_ITEM RUN "")
execute_process(COMMAND ${RUN} OUTPUT_VARIABLE output RESULT_VARIABLE result)
message("${output}")
if(NOT result EQUAL 0)
    message(FATAL_ERROR "ended with ${result}")
endif()

if(EXISTS ${EXPECTED})
    file(READ ${EXPECTED} expected)
    if(NOT output STREQUAL expected)
        message(FATAL_ERROR "differs from ${EXPECTED}")
    endif()
endif()
