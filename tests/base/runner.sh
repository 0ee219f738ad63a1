#!/bin/sh
# runner.sh KIND PROGRAM [LAUNCHER...] - the runner reports what is planted in PROGRAM (planted.c) as
# what it is: a test that fails, hangs, crashes or ends too early, and what a test leaves behind.
set -eu

kind=$1
program=$2
shift 2
work=$(mktemp -d)
trap 'marked | xargs -r kill -KILL; rm -rf "$work"' EXIT

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

# The processes of the planted tests that run from here. The mark is in their environment.
mark=ANT_PLANTED=$$.$(date +%s)
export "${mark?}" # the name and the value
marked() {
    for pid in $(pgrep -f planted_ || true); do
        ! tr '\0' '\n' <"/proc/$pid/environ" 2>/dev/null | grep -qx "$mark" || echo "$pid"
    done
}

# Fails if one of them is still there after a moment.
none_is_left() {
    for _ in $(seq 100); do
        [ -n "$(marked)" ] || return 0
        sleep 0.1
    done
    die "these processes have outlived $1: $(marked)"
}

"$@" "$program" planted_pass
fails "$@" "$program" planted_fail
has 'planted\.c:[0-9]+: 1 \+ 1 is 2, not 3'
fails "$@" "$program" planted_256
has 'planted_256 returned 256'
for test in planted_exit planted__exit planted_pthread_exit; do
    fails "$@" "$program" $test
    has "$test ended the process before it returned"
done
fails "$@" "$program" planted_fd
has 'left behind: descriptor [0-9]+ \(/dev/null\)'
fails "$@" "$program" planted_thread
has 'left behind: thread [0-9]+ \('
if [ "$kind" != tsan ]; then
    fails "$@" "$program" planted_blocked_thread
    has 'left behind: thread [0-9]+ \('
fi
fails "$@" "$program" planted_child
has 'left behind: process [0-9]+ \('
fails "$@" "$program" planted_zombie
has 'left behind: process [0-9]+ \('
[ "$kind" = aarch64 ] || none_is_left planted_child # qemu does not know of subreapers
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
[ "$(grep -c '^planted_' "$work/out")" = 14 ] || die "--list does not list all"
"$@" "$program" --list 'planted_*exit' >"$work/out"
[ "$(wc -l <"$work/out")" = 3 ] || die "--list does not heed the pattern"
status=0
"$@" "$program" --jobs 3 'planted_[!h]*' >"$work/out" 2>&1 || status=$?
[ $status -eq 1 ] || die "the runner ended with $status"
has '^passed  planted_pass'
has '^FAILED  planted_fail: exit status 1'
has '^FAILED  planted_256: exit status 1'
has '^FAILED  planted_exit: exit status 1'
has '^(DIED    planted_crash: signal 11|FAILED  planted_crash: exit status)'
has '^FAILED  planted_fd'
has '^FAILED  planted_thread'
has '^FAILED  planted_child'
case $kind in
asan) has '^1 passed, 12 failed' ;;
tsan) has '^3 passed, 10 failed' ;;
*) has '^2 passed, 11 failed' ;;
esac
! "$@" "$program" --timeout 1 planted_hang >"$work/out" 2>&1 || die "planted_hang passed"
has '^HUNG    planted_hang: killed after 1 s'
"$@" "$program" --repeat 5 planted_pass >"$work/out"
has '^5 passed, 0 failed'

# Whoever started the runner may have blocked signals and ignored some.
ignore='import os, signal, sys
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
signal.signal(signal.SIGQUIT, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
os.execvp(sys.argv[1], sys.argv[1:])'
if command -v python3 >"$work/out"; then
    timeout -s KILL 60 python3 -c "$ignore" "$@" "$program" --repeat 2 planted_pass >"$work/out" ||
        die "with signals ignored and blocked it ended with $?"
    has '^2 passed, 0 failed'
fi

# The tests do not outlive the runner.
for signal in TERM KILL; do
    "$@" "$program" --repeat 2 --jobs 2 planted_hang >"$work/out" 2>&1 &
    while [ "$(marked | wc -l)" -lt 3 ]; do sleep 0.1; done
    kill -$signal $!
    wait $! || true
    none_is_left "the runner that got SIG$signal"
done

# $1: what the runner says; the rest: what it refuses.
refuses() {
    text=$1
    shift
    ! "$@" >"$work/out" 2>&1 || die "$* was accepted"
    has "$text"
}

refuses "no test of this program has the name 'no_such_test'" "$@" "$program" no_such_test
refuses "the name 'no_such_\*'" "$@" "$program" planted_pass 'no_such_*'
has 'ALONE'
! grep -q passed "$work/out" || die "one was run though another name is wrong"
refuses '^usage:' "$@" "$program" --nonsense
refuses 'jobs 0: it must be a number from 1 to' "$@" "$program" --jobs 0
refuses 'jobs 0: it must be' "$@" "$program" --jobs 0 --list
refuses 'jobs 5x: it must be' "$@" "$program" --jobs 5x planted_pass
refuses 'jobs 257: it must be' "$@" "$program" --jobs 257 planted_pass
refuses 'timeout 1e3: it must be' "$@" "$program" --timeout 1e3 planted_pass
refuses 'repeat 4294967297: it must be' "$@" "$program" --repeat 4294967297 planted_pass
