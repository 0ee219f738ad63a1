"""builds.py - what bench/ab compares: the working tree, a directory with a build, or a revision.

A revision is checked out as a worktree below build/ab and built there, once: the worktree is named
after the commit, and a commit does not change.
"""

import re
from pathlib import Path

from .contestants import Anthill
from .tools import ROOT, Failed, run_tool

WORKTREES = ROOT / "build" / "ab"


class Revision(Anthill):
    def __init__(self, commit, name):
        super().__init__(WORKTREES / commit[:12], name=name)
        self.commit = commit

    def prepare(self, programs):
        if all(self.program(p).exists() for p in programs):
            return "built before"
        self.check_out()
        self.configure()
        known = self.known_programs()
        self.compile([p for p in programs if p in known])
        return self.build_type()

    def check_out(self):
        if (self.source / ".git").exists():
            return
        run_tool("forgetting worktrees that are gone", ["git", "worktree", "prune"], ROOT)
        run_tool("checking out", ["git", "worktree", "add", "--detach", self.source, self.commit],
                 ROOT)

    def known_programs(self):
        """An older revision may lack some works."""
        targets = run_tool("listing the programs",
                           ["cmake", "--build", self.build, "--target", "help"], self.source)
        return set(re.findall(r"^bench_(\w+):", targets, re.MULTILINE))


def programs_in(directory):
    """Where a directory has the benchmark's programs; None if it has none."""
    for place in (directory / "bench", directory):
        if place.is_dir() and any(path.is_file() for path in place.glob("bench_*")):
            return place.resolve()
    return None


def commit_of(word):
    try:
        return run_tool("asking git", ["git", "rev-parse", "--verify", "--quiet",
                                       "--end-of-options", f"{word}^{{commit}}"], ROOT).strip()
    except Failed:
        return None


def find_build(word, name):
    """The contestant of that name that a word of the command line stands for, and what it is."""
    if word in (".", "work"):
        return Anthill(name=name), "the working tree"
    programs = programs_in(Path(word))
    if programs:
        return Anthill(programs=programs, name=name), f"the programs in {programs}"
    commit = commit_of(word)
    if commit:
        about = run_tool("asking git", ["git", "log", "-1", "--format=%h %s", commit], ROOT)
        return Revision(commit, name), about.strip()
    raise Failed(f"{word}: neither a revision nor a directory with bench_* programs")
