#!/bin/sh
# setup.sh SETUP - tools/setup with stubs for what it asks and calls: who is not root is told the exact
# command, and it fails; for root it installs what is missing, once; with nothing missing it is silent.
set -eu

setup=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
export SETUP_STUB="$work"
PATH="$work/bin:$PATH"

# stub NAME: standard input is its script.
stub() {
    { echo '#!/bin/sh' && cat; } >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}

stub id <<'END'
cat "$SETUP_STUB/uid"
END
stub dpkg-query <<'END' # the package is the last argument
for package; do :; done
grep -qx "$package" "$SETUP_STUB/missing" && exit 1
echo installed
END
stub apt-cache <<'END'
exit 0
END
stub apt-get <<'END'
echo "$@" >>"$SETUP_STUB/calls"
: >"$SETUP_STUB/missing"
END

fail() {
    echo "setup.sh: $*" >&2
    cat "$work/output" "$work/calls" >&2
    exit 1
}

# run UID MISSING... - sets $status
run() {
    echo "$1" >"$work/uid"
    shift
    printf '%s\n' "$@" >"$work/missing"
    : >"$work/calls"
    status=0
    "$setup" test >"$work/output" 2>&1 || status=$?
}

run 1000 ""
[ $status = 0 ] || fail "nothing is missing, and it fails"
[ ! -s "$work/output" ] || fail "nothing is missing, and it says so"

run 1000 valgrind spin
[ $status = 1 ] || fail "status $status, not 1, for who is not root"
grep -qx "    apt-get update && apt-get install -y --no-install-recommends spin valgrind" \
    "$work/output" || fail "not the command"
[ ! -s "$work/calls" ] || fail "calls apt-get as somebody"

run 0 valgrind spin
[ $status = 0 ] || fail "status $status for root"
grep -q "install -y --no-install-recommends spin valgrind$" "$work/calls" || fail "does not install"
[ ! -s "$work/missing" ] || fail "something is missing still"

run 0 ""
[ $status = 0 ] || fail "nothing is missing, and it fails for root"
[ ! -s "$work/calls" ] || fail "calls apt-get with nothing missing"
