# gdb walks from a function that a goroutine called down to where the goroutine began, and stops there.
#   cmake -DPROGRAM=... -P gdb.cmake
execute_process(
    COMMAND gdb -q -batch -ex "set debuginfod enabled off" -ex "break ant_sleep" -ex run
            -ex "bt" ${PROGRAM}
    OUTPUT_VARIABLE out ERROR_VARIABLE err TIMEOUT 60)
if(NOT out MATCHES "#0[^\n]*ant_sleep[^\n]*\n#1[^\n]*greet[^\n]*\n#2[^\n]*ant__g_main")
    message(FATAL_ERROR "gdb does not see the frames of a goroutine:\n${out}\n${err}")
endif()
if(out MATCHES "corrupt stack|#8 ")
    message(FATAL_ERROR "gdb does not stop where the goroutine began:\n${out}")
endif()
