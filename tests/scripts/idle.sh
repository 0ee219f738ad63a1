#!/bin/sh
# idle.sh EXAMPLES SERVER - an idle server makes (almost) no system calls: what strace counts in two seconds.
set -eu

work=$(mktemp -d)
trap 'kill $pid 2>/dev/null || true; rm -rf "$work"' EXIT
"$1/$2" >"$work/out" &
pid=$!
until grep -q "^listening" "$work/out"; do
    kill -0 $pid
    sleep 0.05
done
printf 'hello' | nc -N 127.0.0.1 "$(sed 's/.*://' "$work/out")" >/dev/null
sleep 2 # until memory is given back, too
timeout -s INT 2 strace -f -o "$work/calls" -p $pid 2>"$work/strace" || true
cat "$work/strace"
grep -q "Process $pid attached" "$work/strace" # else there is nothing to be counted
calls=$(grep -c '[a-z0-9_]*(' "$work/calls" || true)
echo "$calls system calls in two seconds"
cat "$work/calls"
[ "$calls" -le 8 ] # each thread is in one when strace comes
