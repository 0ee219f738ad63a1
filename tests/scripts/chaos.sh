#!/bin/sh
# chaos.sh PROGRAM - the chaos build finds a lost wake-up within two minutes. PROGRAM holds the tests
# of that build. The fault, which was mended, is switched on again, and a stress test must fail by it.
set -eu

program=$1
test=pool_all_at_once
limit=120 # seconds, for all runs together
output=$(mktemp)
trap 'rm -f "$output"' EXIT

# A name that is not known must not pass for a fault that was not found.
if ANT_CHAOS_MUTATION=NO_SUCH_FAULT "$program" --list >"$output" 2>&1 ||
    ! grep -q "NO_SUCH_FAULT: there is no such fault" "$output"; then
    echo "an unknown fault is not refused:"
    head -n 5 "$output"
    exit 1
fi

if ANT_CHAOS_SEED=12x "$program" --list >"$output" 2>&1 || ! grep -q "it must be a number" "$output"; then
    echo "a seed that is no number is not refused:"
    head -n 5 "$output"
    exit 1
fi

begin=$(date +%s)
while left=$((begin + limit - $(date +%s))) && [ "$left" -gt 0 ]; do
    status=0
    ANT_CHAOS_MUTATION=MOVE_PAST_WAITING ANTHILL=procs=8 ANT_TORTURE_SECONDS=$left \
        timeout -s KILL "$left" "$program" "$test" >"$output" 2>&1 || status=$?
    cat "$output"
    if grep -q "are idle, but . submitters wait" "$output"; then
        echo "found after $(($(date +%s) - begin)) s"
        exit 0
    fi
    if [ "$status" -ne 0 ] && [ "$status" -ne 137 ]; then
        echo "$test failed in another way: status $status"
        exit 1
    fi
done
echo "not found in $limit s"
exit 1
