"""tools.py - where the project lies, and how the harness runs tools such as cmake, git and go."""

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT / "bench"


class Failed(Exception):
    """Something that should work did not; the text says what."""


def need(*tools):
    """Lets tools/setup install what is missing; it tells anybody but root what to do."""
    if all(shutil.which(tool) for tool in tools):
        return
    run_tool("setting up the benchmark", [ROOT / "tools" / "setup", "bench"], ROOT)
    absent = [tool for tool in tools if not shutil.which(tool)]
    if absent:
        raise Failed(f"not found: {', '.join(absent)}")


def run_tool(what, command, cwd, env=None):
    """What the tool printed."""
    try:
        done = subprocess.run(command, cwd=cwd, env=env, text=True, errors="replace",
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except OSError as e:
        raise Failed(f"{what}: cannot run {command[0]}: {e.strerror}")
    if done.returncode:
        tail = "\n".join("    " + line for line in done.stdout.splitlines()[-40:])
        shown = " ".join(str(word) for word in command)
        raise Failed(f"{what} failed: {shown}\n  (in {cwd})\n{tail}")
    return done.stdout
