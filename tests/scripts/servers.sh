#!/bin/sh
# servers.sh CLIENTS EXAMPLES [N] - the clients of examples/clients talk to real servers, N goroutines at a time,
# by each recipe. Beside servers: tools/with_servers tests/scripts/servers.sh ...
set -eu

clients=$1
examples=$2
n=${3:-1000}
work=$(mktemp -d)
pid=
trap 'kill $pid 2>/dev/null || true; rm -rf "$work"' EXIT

same() {
    [ "$1" = "$2" ] || { echo "got '$1', not '$2'" >&2; exit 1; }
}

for how in poll block; do
    same "$("$clients/postgres" $how "$n")" "$n answers over $n connections"
    same "$("$clients/redis" $how "$n")" "$((10 * n)) answers over $n connections"
done

"$examples/http_hello" >"$work/out" &
pid=$!
until grep -q "^listening" "$work/out"; do
    kill -0 $pid
    sleep 0.05
done
url=http://127.0.0.1:$(sed 's/.*://' "$work/out")/
for how in poll block; do
    same "$("$clients/download" $how "$url" "$n")" "$n downloads, $((6 * n)) bytes"
done
