#!/bin/sh
# bench.sh SOURCE BUILD - the benchmark's commands. bench/run lists, refuses and draws. bench/ab
# tells better, worse and unchanged apart, on made-up builds whose figures are known. If BUILD has
# the benchmark's programs, it also compares that build with itself.
set -eu

source=$1
build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1 PYTHONUTF8=1

fail() {
    echo "bench.sh: $*" >&2
    cat "$work/output" >&2
    exit 1
}

# expect STATUS COMMAND... - its output is in $work/output
expect() {
    wanted=$1
    shift
    status=0
    "$@" >"$work/output" 2>&1 || status=$?
    [ $status = "$wanted" ] || fail "status $status, not $wanted: $*"
}

# says PATTERN - what the last command has to say
says() {
    grep -Eq -- "$1" "$work/output" || fail "does not say: $1"
}

# --------------------------------------------------------------------------------------- the works

expect 0 "$source/bench/run" --list
says '^W1 +yield +'
says '^W10 +idle +'
says '^ +select +'
expect 0 "$source/bench/run" --list --only w2,YIELD
[ "$(wc -l <"$work/output")" = 2 ] || fail "not two works"
expect 2 "$source/bench/run" --only nonsense
says 'no such work: nonsense; there are W1 yield, W2 spawn,'
expect 2 "$source/bench/run" --quick --only W1 --output "$work/none/results.json"
says '--output .*/none/results.json: it must be a file in a directory that exists'

# ------------------------------------------------------------------------------------- the picture

expect 1 "$source/bench/run" --plot="$work/none.svg" --output "$work/none.json"
says 'there are no results yet'
echo '{"rows": []}' >"$work/old.json"
expect 1 "$source/bench/run" --plot="$work/old.svg" --output "$work/old.json"
says 'older bench/run'

cat >"$work/results.json" <<'END_OF_RESULTS'
{"format": 2, "main_peer": "go", "quick": false, "rounds": 3, "levels": [],
 "machine": {"cpu": "a <CPU> & more", "cores": 2, "kernel": "6.1", "go": "go1.23"},
 "rows": [
  {"work": "W1", "work_name": "yield", "name": "better", "unit": "ns", "anthill": 2,
   "peers": {"go": 8}, "ratio": {"go": 4}, "range": {}, "ratio_range": {"go": [3, 5]},
   "goals": [{"goal": "3x", "met": true, "next": false, "ratio": 3},
             {"goal": "6x", "met": false, "next": true, "ratio": 6}]},
  {"work": "select", "work_name": "select", "name": "worse", "unit": "ns", "anthill": 8,
   "peers": {"go": 2}, "ratio": {"go": 0.25}, "range": {}, "ratio_range": {"go": [0.2, 0.3]},
   "goals": []},
  {"work": "echo", "work_name": "echo", "name": "no peer", "unit": "us", "anthill": 3,
   "peers": {}, "ratio": {}, "range": {}, "ratio_range": {},
   "goals": [{"goal": "5 us", "met": true, "next": false, "ratio": null}]},
  {"work": "echo", "work_name": "echo", "name": "not measured here", "unit": "us", "anthill": null,
   "peers": {}, "ratio": {}, "range": {}, "ratio_range": {}, "goals": []}]}
END_OF_RESULTS
expect 0 "$source/bench/run" --plot="$work/results.svg" --output "$work/results.json"
expect 0 python3 - "$work/results.svg" <<'END_OF_PYTHON'
import sys
import xml.etree.ElementTree as ElementTree
root = ElementTree.parse(sys.argv[1]).getroot()
texts = {e.text for e in root.iter("{http://www.w3.org/2000/svg}text")}
wanted = {"W1 yield", "select", "echo", "better", "worse", "no peer", "not measured here",
          "4.00×", "0.250×", "1×"}
sys.exit(f"not in the picture: {wanted - texts}" if wanted - texts else 0)
END_OF_PYTHON

# --------------------------------------------------------------------------------- the statistics

expect 0 python3 - "$source/bench" <<'END_OF_PYTHON'
import random
import sys
from collections import Counter
sys.path.insert(0, sys.argv[1])
from harness.interval import estimate, rank
from harness.instructions import Counted, parse

# From the tables of the binomial distribution.
assert [rank(n) for n in (5, 6, 8, 9, 20, 25, 100)] == [0, 1, 1, 2, 6, 8, 40]

assert estimate([1.0] * 20).verdict == "unchanged"
assert estimate([1.0] * 19).verdict == "undecided"
noise = [1 + 0.001 * (i - 10) for i in range(21)]
assert estimate(noise).verdict == "unchanged"
assert estimate([1.1 * x for x in noise]).verdict == "better"
assert estimate([x / 1.1 for x in noise]).verdict == "worse"
e = estimate(range(1, 21))
assert (e.median, e.low, e.high) == (10.5, 6, 15), e

# Of 20 values the interval encloses the true median in 95.9 % of all cases.
random.seed(1)
hits = sum(e.low <= 1 <= e.high
           for e in (estimate([random.lognormvariate(0, 1) for _ in range(20)])
                     for _ in range(1000)))
assert 935 < hits < 980, hits

text = "ob=/lib/ld-linux.so\nfn=h\n1 3\nob=w1\n" \
    "fn=f\n1 10\ncalls=1 5\n2 99\n3 5\nfn=f'2\n4 1\nfn=g\n8 2\n"
assert parse(text) == {"f": 16, "g": 2}, parse(text)

def verdict(runs_a, runs_b):
    return Counted([Counter(f=f, g=g) for f, g in runs_a],
                   [Counter(f=f, g=g) for f, g in runs_b]).verdict

assert verdict([(1000, 1000)] * 3, [(1001, 1000)] * 3) == "unchanged"
assert verdict([(1000, 1000)] * 3, [(1100, 1000)] * 3) == "worse"
assert verdict([(1000, 1000)] * 3, [(900, 1000)] * 3) == "better"
assert verdict([(1000, 1000)] * 3, [(900, 1100)] * 3) == "undecided"
assert verdict([(1000, 1000), (1300, 1000)], [(1200, 1000), (1500, 1000)]) == "unchanged"
END_OF_PYTHON

# --------------------------------------------------------------------------------- made-up builds

# made_up NAME NS - a build whose W1 takes so many ns
made_up() {
    mkdir -p "$work/$1/bench"
    cat >"$work/$1/bench/bench_w1_yield" <<END_OF_PROGRAM
#!/bin/sh
echo '{"work":"W1","metric":"time","param":"","unit":"ns","cold":$2,"values":[$2]}'
END_OF_PROGRAM
    chmod +x "$work/$1/bench/bench_w1_yield"
}

made_up ten 10
made_up eleven 11
expect 0 "$source/bench/ab" "$work/ten" "$work/ten" W1
says '^W1 yield .* 1\.000 +\[1\.000–1\.000\] +unchanged$'
expect 1 "$source/bench/ab" "$work/ten" "$work/eleven" yield
says ' worse$'
expect 0 "$source/bench/ab" "$work/eleven" "$work/ten" W1
says ' 1\.100 .* better$'
expect 0 "$source/bench/ab" "$work/ten" "$work/eleven" --pairs 2 W1
says ' undecided$'
says 'not to be trusted'
expect 2 "$source/bench/ab" "$work/ten" "$work/eleven" nonsense
says 'no such work: nonsense'
expect 2 "$source/bench/ab" "$work/ten" "$work/none" W1
says 'neither a revision nor a directory'
echo 'exit 3' >"$work/eleven/bench/bench_w1_yield"
expect 2 "$source/bench/ab" "$work/ten" "$work/eleven" --pairs 1 W1
says 'FAILED'

# ------------------------------------------------------------------------------------ a real build

if [ -x "$build/bench/bench_w1_yield" ]; then
    expect 0 "$source/bench/ab" "$build" "$build" --pairs 1 W1
    says '^W1 yield .* undecided$'
    expect 0 "$source/bench/ab" "$build" "$build" W1 --disassembly ant_yield
    says 'functions are identical'
fi
