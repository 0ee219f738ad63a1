"""report.py - the tables that bench/run prints."""

import statistics

from .contestants import OURS
from .rows import LEVEL


def number(x):
    if x is None:
        return "–"
    if x == 0:
        return "0"
    digits = max(0, 3 - len(str(int(abs(x))))) if abs(x) >= 1 else 3
    return f"{x:.{digits}f}"


def spread(values):
    if not values:
        return "–"
    return f"{number(statistics.median(values))} [{number(min(values))}–{number(max(values))}]"


def print_aligned(lines):
    """The first line is the head."""
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    for n, line in enumerate(lines):
        print("  ".join(cell.ljust(w) for cell, w in zip(line, widths)).rstrip())
        if n == 0:
            print("  ".join("-" * w for w in widths))


def judgement(row, goal):
    if not goal:
        return ""
    return f"{goal.text}: " + {True: "met", False: "MISSED", None: "not judged"}[row.met(goal)]


def print_table(rows, peers):
    head = ["work", "what", "unit", OURS]
    for p in peers:
        head += [p, "ratio"]
    lines = [head + ["goal", "then"]]
    for row in rows:
        line = [row.work.label, row.figure.name, row.figure.unit, spread(row.values.get(OURS))]
        for p in peers:
            ratio = row.ratio(p)
            line += [spread(row.values.get(p)), f"{number(ratio)}×" if ratio else "–"]
        lines.append(line + [judgement(row, row.figure.goal), judgement(row, row.figure.then)])
    print_aligned(lines)


def print_others(rows, peers):
    """Peers that do only some of the works."""
    found = [(row, p) for row in rows for p in peers if row.ratio(p)]
    if found:
        print("\nother peers")
    for row, p in found:
        print(f"  {row.work.label:<13} {row.figure.name:<44} {p:<13} {number(row.median(p)):>8}"
              f" {row.figure.unit:<3} {number(row.ratio(p))}×")


def print_levels(found):
    if found:
        print("\nns for each goroutine, or task, as their number, or that of workers, grows"
              f" (level: never above {LEVEL:g}× the first, nor below it by as much)")
    for l in found:
        steps = " → ".join(number(x) for x in l["ns_each"])
        word = "GROWS" if l["growth"] > LEVEL else "falls" if l["fall"] > LEVEL else "level"
        print(f"  {l['name']:<14} {l['contestant']:<13} {steps:<22} {number(l['growth'])}× {word}")


def print_limits(of_machine):
    if of_machine:
        print("\nthe machine itself, ns")
    for what, ns in of_machine.items():
        print(f"  {what:<44} {number(ns)}")
