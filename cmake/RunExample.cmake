# Runs an example; compares what it prints with the file EXPECTED, if there is one, or its lines, in
# whatever order they come, with the file SORTED.

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

if(EXISTS ${SORTED})
    file(STRINGS ${SORTED} expected)
    string(REGEX REPLACE "\n$" "" lines "${output}")
    string(REPLACE "\n" ";" lines "${lines}")
    list(SORT expected)
    list(SORT lines)
    if(NOT lines STREQUAL expected)
        message(FATAL_ERROR "differs from ${SORTED}, also when sorted")
    endif()
endif()
