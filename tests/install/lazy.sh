#!/bin/sh
# lazy - runs each program with stacks of all sizes, once in a process: lazy.sh PROGRAM ...
set -eu

for program in "$@"; do
    for size in 2048 4096 8192 16384 32768 65536; do
        "$program" "$size"
    done
done
