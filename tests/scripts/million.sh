#!/bin/sh
# million.sh EXAMPLES - the example million prints each row of its table, and, on a terminal, a bar.
set -eu

program=$1/million
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

has() {
    grep -Eq "$1" "$work/out" || { echo "no '$1' in:" >&2; cat "$work/out" >&2; exit 1; }
}

# $1: what ends a line.
rows() {
    has "^  tasks of 10 ms +400 by 100 workers$1\$"
    has "^  time +[0-9.]+ s; with no overhead at all: 0\.040 s$1\$"
    has "^  tasks per second +[0-9]+$1\$"
    has "^  CPU time +[0-9.]+ s$1\$"
    has "^  peak memory +[0-9.]+ MB$1\$"
    has "^  memory per worker +[0-9]+ bytes$1\$"
    has "^  switches +[0-9]+$1\$"
    has "^  steals +[0-9]+$1\$"
    has "^  threads +[0-9]+ on [0-9]+ procs$1\$"
    has "^  sum +80200, as it must be$1\$"
}

"$program" 400 100 1 >"$work/out"
rows ""
has "^400 done, [0-9]+ running, 0 waiting"
has "^  a thread for each task +[0-9]+ tasks per second: [0-9]+ of them in [0-9.]+ s\$"
has "^  the pool +[0-9.]+ times as many\$"

"$program" 400 100 0 >"$work/out"
rows ""
! grep "a thread for each task" "$work/out"

for wrong in "0" "x" "1 0" "1 1 -1" "1 1 1 1"; do
    status=0
    "$program" $wrong 2>"$work/out" || status=$?
    [ $status -eq 2 ]
    has "^usage: "
done

command -v script >/dev/null || exit 0
script -qec "$program 400 100 0" /dev/null </dev/null >"$work/out"
cr=$(printf '\r')
rows "$cr"
has "\[#{40}\] 400 done, [0-9]+ running, 0 waiting"
