"""machine.py - what this machine is and what it can do, as far as the figures depend on it."""

import mmap
import os
import resource
import subprocess
import sys
from pathlib import Path

from .tools import ROOT, run_tool
from .work import GB, KB

MADV_POPULATE_WRITE = 23


def cores():
    return len(os.sched_getaffinity(0))


def first_line(path, start=""):
    try:
        for line in Path(path).read_text().splitlines():
            if line.startswith(start):
                return line
    except OSError:
        pass
    return ""


def available_memory():
    words = first_line("/proc/meminfo", "MemAvailable:").split()
    return int(words[1]) * KB if words else sys.maxsize


def describe():
    model = first_line("/proc/cpuinfo", "model name").partition(":")[2].strip()
    return {
        "cpu": model or os.uname().machine,
        "cores": cores(),
        "kernel": os.uname().release,
        "memory_available_gb": round(available_memory() / 1e9, 1),
        "huge_pages": first_line("/sys/kernel/mm/transparent_hugepage/enabled"),
        "load_at_start": round(os.getloadavg()[0], 2),
    }


def is_busy(load):
    return load > 0.5


def lacks(case):
    """What this machine does not have for a case; empty if it has everything."""
    if case.memory > available_memory():
        return f"needs {case.memory / 1e9:.0f} GB of free memory"
    if case.files > resource.getrlimit(resource.RLIMIT_NOFILE)[1]:
        return f"needs a hard limit of {case.files} descriptors (ulimit -Hn)"
    if case.package and subprocess.run(["pkg-config", "--exists", case.package]).returncode:
        return f"needs {case.package}, which pkg-config does not know"
    return ""


def limits(programs):
    """What the machine itself takes for the things that cannot be avoided: {what: ns}."""
    program = programs / "bench_limits"
    if not program.exists():
        return {}
    take_from_host(GB)
    lines = run_tool("the limits", [program], ROOT).splitlines()
    return {name: float(ns) for name, ns in (line.split("\t") for line in lines)}


def take_from_host(size):
    """A virtual machine may have given free memory back to its host. The first process that touches
    it waits until the host has found it again; without this call that is always the same one."""
    if size == 0:
        return
    with mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as memory:
        memory.madvise(mmap.MADV_HUGEPAGE)
        try:
            memory.madvise(MADV_POPULATE_WRITE)
        except OSError:  # before Linux 5.14
            for at in range(0, size, 4 * KB):
                memory[at] = 1


def clean_environment():
    """Without the variables that would change how a contestant runs."""
    drop = {"ANTHILL", "GOMAXPROCS", "GOGC", "GODEBUG", "GOMEMLIMIT", "GOFLAGS"}
    return {k: v for k, v in os.environ.items() if k not in drop}
