"""process.py - one process of a contestant: started, timed, and what it printed.

A process prints one line of JSON for each metric; bench.h describes the line.
"""

import contextlib
import json
import os
import signal
import statistics
import subprocess

from .tools import Failed
from .work import COLD, WARM

TIMEOUT = 120  # seconds


def pinned(command, args):
    """A case on one P stays on one core, so that the kernel does not move it about."""
    if args.get("procs") != 1:
        return command
    return ["taskset", "-c", str(min(os.sched_getaffinity(0))), *command]


@contextlib.contextmanager
def holding(command, n, env):
    """Meanwhile n processes of that command hold what they have."""
    with contextlib.ExitStack() as stack:
        for _ in range(n):
            holder = stack.enter_context(subprocess.Popen(
                [*command, "hold=1"], env=env, stdin=subprocess.PIPE,
                stdout=subprocess.PIPE))  # leaving closes its input, and waits for it
            if holder.stdout.readline() != b"held\n":
                raise Failed(f"{' '.join(command)} hold=1: ended early")
        yield


def run(command, env, timeout=TIMEOUT):
    """What the process printed."""
    shown = " ".join(command)
    try:
        done = subprocess.run(command, env=env, text=True, errors="replace",
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout)
    except subprocess.TimeoutExpired:
        raise Failed(f"{shown}: not done after {timeout} s, killed")
    except OSError as e:
        raise Failed(f"{shown}: {e.strerror}")
    if done.returncode:
        raise Failed(f"{shown}: {how_it_ended(done.returncode)}\n{done.stderr.strip()[-2000:]}")
    return done.stdout


def measure(command, env):
    """Runs one process; {metric: {"cold": x, "warm": y}}."""
    printed = run(command, env)
    try:
        lines = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
        return {line["metric"]: phases(line) for line in lines}
    except (ValueError, KeyError):
        raise Failed(f"{' '.join(command)}: printed what is no result:\n{printed[-2000:]}")


def phases(line):
    values = line["values"]
    return {COLD: line["cold"], WARM: statistics.median(values) if values else line["cold"]}


def how_it_ended(code):
    if code == -signal.SIGKILL:
        return "killed by SIGKILL, perhaps because memory ran out"
    return f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit status {code}"
