"""contestants.py - Anthill and its peers: how each is built, and how each starts a case.

A contestant has a name, does_all, prepare() and command():

    does_all            whether it does nearly all works; the others do only some
    prepare(programs)   builds; returns what the results say about it, or raises Missing
    command(case, args) the command that runs the case, None if it has no twin of the program

Where two cases give a contestant the same command, one process serves both.
"""

import os
import shutil
import subprocess
from pathlib import Path

from .machine import clean_environment, cores
from .tools import BENCH, ROOT, need, run_tool

OURS = "anthill"
MAIN_PEER = "go"  # the one that is compared in all works


class Missing(Exception):
    """This machine cannot have a contestant."""


def as_arguments(args):
    return [f"{name}={value}" for name, value in args.items()]


class Anthill:
    """The programs of a source tree, built first, or those of a directory, as they are."""
    does_all = True

    def __init__(self, source=ROOT, programs=None, name=OURS):
        self.name = name
        self.build = None if programs else source / "build" / "gcc"
        self.source = source
        self.programs = programs or self.build / "bench"

    def prepare(self, programs):
        if not self.build:
            return f"programs from {self.programs}"
        self.configure()
        self.compile(programs)
        return self.build_type()

    def configure(self):
        need("cmake", "ninja", "gcc")
        run_tool("configuring Anthill", ["cmake", "--preset", "gcc"], self.source)

    def compile(self, programs):
        run_tool("building Anthill", ["cmake", "--build", self.build, "--parallel", str(cores()),
                                      "--target", *[f"bench_{p}" for p in programs]], self.source)

    def build_type(self):
        for line in (self.build / "CMakeCache.txt").read_text().splitlines():
            if line.startswith("CMAKE_BUILD_TYPE:"):
                return "CMake " + (line.partition("=")[2] or "without build type")
        return "CMake"

    def program(self, name):
        return self.programs / f"bench_{name}"

    def command(self, case, args):
        return [str(self.program(case.program)), *as_arguments(args)]


class Go:
    name = MAIN_PEER
    does_all = True
    binaries = ROOT / "build" / "bench" / "go"
    x_sync = Path("/usr/share/gocode/src/golang.org/x/sync")  # golang-golang-x-sync-dev

    def prepare(self, programs):
        go = "/usr/lib/go-1.23/bin/go"
        if not os.access(go, os.X_OK):
            go = shutil.which("go")
        if not go:
            raise Missing("no Go found: neither /usr/lib/go-1.23/bin/go nor go in PATH")
        self.binaries.mkdir(parents=True, exist_ok=True)
        env = dict(clean_environment(), GOTOOLCHAIN="local", GOFLAGS="-buildvcs=false")
        if "HOME" not in env:
            env["GOCACHE"] = str(self.binaries.parent / "go-cache")
        build = [go, "build", "-o", f"{self.binaries}/"]
        run_tool("building the Go twins", [*build, "./..."], BENCH / "go", env)
        if self.x_sync.is_dir():
            run_tool("building the Go twins with x/sync",
                     [*build, "-tags=xsync", "-modfile=xsync.mod", "./sem", "./w4_pool"],
                     BENCH / "go", env)
        return run_tool("go version", [go, "version"], BENCH, env).split()[2]

    def command(self, case, args):
        if not os.access(self.binaries / case.program, os.X_OK):
            return None
        return [str(self.binaries / case.program), *as_arguments(without_anthills_own(args))]


class GoOtherwise(Go):
    """Another way in which Go can do what a pool does; Go itself has built it."""
    does_all = False

    def __init__(self, name, how):
        self.name = name
        self.how = how

    def prepare(self, programs):
        if not os.access(self.binaries / "w4_pool", os.X_OK):
            raise Missing("needs Go and golang-golang-x-sync-dev")
        return "as go"

    def command(self, case, args):
        command = super().command(case, args)
        return [*command, f"how={self.how}"] if command and case.program == "w4_pool" else None


class Native:
    """A program of bench/peers, for the tasks of a pool that do not wait."""
    does_all = False

    def __init__(self, name, source, package=None):
        self.name = name
        self.source = BENCH / "peers" / source
        self.package = package
        self.binary = ROOT / "build" / "bench" / self.source.stem

    def prepare(self, programs):
        compiler = "c++" if self.source.suffix == ".cc" else "cc"
        self.binary.parent.mkdir(parents=True, exist_ok=True)
        run_tool(f"building {self.name}",
                 [compiler, "-O2", f"-I{ROOT / 'include'}", str(self.source), "-o",
                  str(self.binary), *self.flags(), "-lpthread"], ROOT)
        return self.package or "libc"

    def flags(self):
        if not self.package:
            return []
        asked = subprocess.run(["pkg-config", "--cflags", "--libs", self.package], text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if asked.returncode:
            raise Missing(f"pkg-config does not know {self.package}")
        return asked.stdout.split()

    def command(self, case, args):
        if case.program != "w4_pool" or args.get("sleep"):
            return None
        return [str(self.binary), *as_arguments(without_anthills_own(args))]


def without_anthills_own(args):
    """The arguments that a peer's twin has, too."""
    return {name: value for name, value in args.items() if name not in ("stack", "teams")}


PEERS = [Go(), GoOtherwise("go, channel", 2), GoOtherwise("go, no limit", 3),
         Native("oneTBB", "w4_tbb.cc", "tbb"), Native("GThreadPool", "w4_glib.c", "glib-2.0"),
         Native("threads", "w4_threads.c")]


def prepare_all(contestants, programs, machine):
    """Builds them; returns those that this machine can have, and describes them in machine."""
    ready = []
    for c in contestants:
        print(f"building {c.name} ...", flush=True)
        try:
            machine[c.name] = c.prepare(programs)
            ready.append(c)
        except Missing as e:
            print(f"skipped: peer {c.name}: {e}")
    return ready
