"""instructions.py - how many instructions the hot functions execute, counted by callgrind.

Only cases on one P are counted. On several Ps, it depends on chance which thread finds which work.

Even on one P the clock has a say: how often the scheduler looks around depends on how much time has
passed. So each build runs several times. The counts of a function are the same if the ranges of the
two builds overlap or their medians differ by less than SAME. Functions below HOT and those of the
dynamic linker are ignored.
"""

import re
import statistics
import tempfile
from collections import Counter
from pathlib import Path

from .interval import BETTER, UNCHANGED, UNDECIDED, WORSE
from .machine import clean_environment
from .process import run
from .tools import need

RUNS = 5
HOT = 0.02        # of all instructions
SAME = 0.002      # one more instruction among five hundred is still seen
COUNT = 100000    # turns at most, because valgrind is slow
ROUNDS = 2
TIMEOUT = 300     # seconds


class Counted:
    """What one case executes in A and in B: the counts of each function in each run."""

    def __init__(self, runs_a, runs_b):
        functions = set().union(*runs_a, *runs_b)
        by_function = {f: ([run[f] for run in runs_a], [run[f] for run in runs_b])
                       for f in functions}
        least = HOT * max(sum(run.values()) for run in [*runs_a, *runs_b])
        self.hot = {f: pair for f, pair in by_function.items() if max(medians(pair)) >= least}
        self.sums = tuple([sum(run[f] for f in self.hot) for run in runs]
                          for runs in (runs_a, runs_b))

    @property
    def totals(self):
        return medians(self.sums)

    @property
    def different(self):
        """{function: its counts in A and in B}, the hottest first."""
        found = {f: medians(pair) for f, pair in self.hot.items() if not same(pair)}
        return dict(sorted(found.items(), key=lambda item: -max(item[1])))

    @property
    def verdict(self):
        if not self.different:
            return UNCHANGED
        if same(self.sums):
            return UNDECIDED  # instructions have moved from one function to another
        a, b = self.totals
        return BETTER if a > b else WORSE


def medians(pair):
    return tuple(round(statistics.median(counts)) for counts in pair)


def same(pair):
    a, b = pair
    if min(a) <= max(b) and min(b) <= max(a):
        return True
    x, y = medians(pair)
    return abs(x - y) <= SAME * max(x, y)


def short_arguments(case):
    """The arguments for a case under valgrind; None for a case that has several Ps."""
    args = case.arguments(quick=True)
    if args.get("procs") != 1:
        return None
    return {**args, "count": min(args["count"], COUNT), "rounds": ROUNDS}


def compare(commands, progress):
    """commands are that of A and that of B."""
    need("valgrind")
    runs = ([], [])
    for n in range(RUNS):
        for i, command in enumerate(commands):
            progress.step(f"run {n + 1}  {' '.join(command)}")
            runs[i].append(count(command))
    return Counted(*runs)


def count(command):
    """Runs one process; the instructions of each function, without those of functions it calls."""
    with tempfile.TemporaryDirectory() as directory:
        out = Path(directory) / "callgrind.out"
        run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--compress-strings=no",
             "--compress-pos=no", *command], clean_environment(), TIMEOUT)
        return parse(out.read_text(errors="replace"))


def parse(text):
    """In callgrind's format a line of numbers belongs to the function named last. Behind a line
    that begins with calls=, it is the cost of the function called. A suffix '2 marks recursion."""
    counts = Counter()
    program, function, of_callee = "", "", False
    for line in text.splitlines():
        key, _, value = line.partition("=")
        if key == "ob":
            program = Path(value).name
        elif key == "fn":
            function = re.sub(r"'\d+$", "", value)
        elif key == "calls":
            of_callee = True
        elif line[:1].isdigit():
            if not of_callee and not program.startswith("ld-"):
                counts[function] += int(line.split()[1])
            of_callee = False
    return counts
