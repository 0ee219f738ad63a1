#!/bin/sh
# clients.sh EXAMPLES KIND - programs that everybody has talk to the servers of the examples. KIND is
# that of the build: TSan puts off a signal that comes to a thread which sleeps.
set -eu

examples=$1
kind=$2
work=$(mktemp -d)
trap 'kill $pid 2>/dev/null || true; rm -rf "$work"' EXIT

# Starts a server; $port is its port.
start() {
    : >"$work/out" # the one before was there too
    "$examples/$1" >"$work/out" &
    pid=$!
    until grep -q "^listening" "$work/out"; do
        kill -0 $pid
        sleep 0.05
    done
    port=$(sed 's/.*://' "$work/out")
}

stop() {
    kill $pid
    wait $pid || true
}

same() {
    [ "$1" = "$2" ] || { echo "got '$1', not '$2'" >&2; exit 1; }
}

start echo
same "$(printf 'to and fro' | nc -N 127.0.0.1 "$port")" "to and fro"
head -c 3000000 /dev/urandom >"$work/big"
nc -N 127.0.0.1 "$port" <"$work/big" >"$work/back"
cmp "$work/big" "$work/back"
stop

start http_hello
same "$(curl -s --max-time 30 "http://127.0.0.1:$port/")" hello
same "$(curl -s --max-time 30 "http://127.0.0.1:$port/[1-5]")" "$(printf 'hello\n%.0s' 1 2 3 4 5)"
stop

# A connection that is open when the signal comes is served to its end.
drain() {
    start drain
    mkfifo "$work/words"
    nc -N 127.0.0.1 "$port" <"$work/words" >"$work/back" &
    client=$!
    exec 3>"$work/words"
    printf 'one ' >&3
    until grep -q one "$work/back"; do sleep 0.05; done
    kill -TERM $pid
    until grep -q "a signal came" "$work/out"; do sleep 0.05; done
    while nc -z 127.0.0.1 "$port"; do sleep 0.05; done
    printf two >&3
    exec 3>&-
    wait $client
    wait $pid # it ends with 0
    same "$(cat "$work/back")" "one two"
    grep -q "all connections have finished" "$work/out"
}

[ "$kind" = tsan ] || drain
