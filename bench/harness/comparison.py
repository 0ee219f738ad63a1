"""comparison.py - what bench/ab prints. A ratio above 1 means that B is better."""

import math

from .interval import ENOUGH, UNDECIDED, WORSE, estimate
from .report import number, print_aligned

A, B = "A", "B"
SHOWN = 20  # more functions than these are not named


def print_times(rows):
    """Returns whether a figure is worse."""
    lines = [["work", "what", "unit", A, B, "ratio", "95 % interval", "verdict"]]
    by_row = [(row, row.round_ratios(A, ours=B)) for row in rows]
    estimates = [(row, estimate(ratios)) for row, ratios in by_row if ratios]
    for row, e in estimates:
        lines.append([row.work.label, row.figure.name, row.figure.unit, number(row.median(A)),
                      number(row.median(B)), f"{e.median:.3f}", bounds(e), e.verdict])
    print_aligned(lines)
    verdicts = {e.verdict for _, e in estimates}
    print_advice(verdicts)
    return WORSE in verdicts


def bounds(e):
    if e.high == math.inf:
        return "too few pairs"
    return f"[{e.low:.3f}–{e.high:.3f}]"


def print_advice(verdicts):
    if UNDECIDED in verdicts:
        print(f"\nThe verdict is not to be trusted: it takes at least {ENOUGH} pairs.")
    if WORSE in verdicts:
        print("\nOf 50 figures that have not changed, about one is called worse by chance."
              " Run its work again.")


def print_instructions(found):
    """found: (case, what was counted). Returns whether a case is worse."""
    lines = [["work", "case or function", A, B, "ratio", "verdict"]]
    for case, counted in found:
        a, b = counted.totals
        lines.append([case.work.label, case.figures[-1].name, str(a), str(b),
                      f"{a / b:.4f}", counted.verdict])
        lines += [["", f"  {f}", str(a), str(b), f"{a / b:.4f}" if b else "–", ""]
                  for f, (a, b) in counted.different.items()]
    print_aligned(lines)
    return any(counted.verdict == WORSE for _, counted in found)


def print_disassembly(found):
    """Returns whether a function differs."""
    for d in found:
        a, b = d.lengths
        if d.diff:
            print(f"{d.function}: " + (f"DIFFERS: {a}, {b} instructions" if a and b else
                                       f"only in {A if a else B}"))
            print("".join(f"    {line}\n" for line in d.diff[2:] if a and b), end="")
    same = [d.function for d in found if not d.diff]
    names = f": {', '.join(same)}" if 0 < len(same) <= SHOWN else ""
    print(f"{len(same)} of {len(found)} functions are identical{names}")
    return any(d.diff for d in found)
