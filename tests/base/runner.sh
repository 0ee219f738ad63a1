#!/bin/sh
# runner.sh KIND PROGRAM [LAUNCHER...] - the runner reports what is planted in PROGRAM (planted.c) as
# what it is: a test that fails, hangs or crashes, and what a test leaves behind.
set -eu

kind=$1
program=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

die() {
    echo "$*; output:" >&2
    cat "$work/out" >&2
    exit 1
}

has() {
    grep -Eq "$1" "$work/out" || die "no '$1'"
}

# Runs one test as ctest does; it must fail. $status is how it ended.
fails() {
    status=0
    timeout 60 "$@" >"$work/out" 2>&1 || status=$?
    [ $status -ne 0 ] || die "$* passed"
}

"$@" "$program" planted_pass
fails "$@" "$program" planted_fail
has 'planted\.c:[0-9]+: 1 \+ 1 is 2, not 3'
fails "$@" "$program" planted_fd
has 'left behind: descriptor [0-9]+ \(/dev/null\)'
fails "$@" "$program" planted_thread
has 'left behind: thread [0-9]+ \('
fails "$@" "$program" planted_crash
fails timeout 2 "$@" "$program" planted_hang
[ $status -eq 124 ] || die "planted_hang ended by itself"
if [ "$kind" = asan ]; then
    fails "$@" "$program" planted_memory
    has 'LeakSanitizer: detected memory leaks'
fi

# The runner's own report. qemu cannot start programs by itself.
[ "$kind" != aarch64 ] || exit 0
"$@" "$program" --list >"$work/out"
[ "$(grep -c '^planted_' "$work/out")" = 7 ] || die "--list does not list all"
status=0
"$@" "$program" --jobs 3 --timeout 5 'planted_*' >"$work/out" 2>&1 || status=$?
[ $status -eq 1 ] || die "the runner ended with $status"
has '^passed  planted_pass'
has '^FAILED  planted_fail: exit status 1'
has '^HUNG    planted_hang: killed after 5 s'
has '^(DIED    planted_crash: signal 11|FAILED  planted_crash: exit status)'
has '^FAILED  planted_fd'
has '^FAILED  planted_thread'
if [ "$kind" = asan ]; then
    has '^FAILED  planted_memory'
    has '^1 passed, 6 failed'
else
    has '^2 passed, 5 failed'
fi
"$@" "$program" --repeat 5 planted_pass >"$work/out"
has '^5 passed, 0 failed'
! "$@" "$program" no_such_test >"$work/out" 2>&1 || die "a name that no test has was accepted"
has 'no test has such a name'
! "$@" "$program" --jobs 0 >"$work/out" 2>&1 || die "--jobs 0 was accepted"
has '^usage:'
