"""plot.py - draws bench/results.json as SVG: how many times better Anthill is than the main peer.

One bar for each row of the table, grouped by work. The axis is logarithmic and bars begin at 1, so
that twice as good and half as good are equally long. A whisker spans the ratios of the single
rounds. A row without the peer keeps its place and shows Anthill's figure alone.
"""

import math
import textwrap
from dataclasses import dataclass, field

from .report import number
from .svg import FONT, Drawing, width_of
from .tools import Failed

MARGIN = 20
LINE = 15          # from one line of text to the next
GAP = 5            # between two rows
BARS = 520         # width of the axis
LABEL = 66         # characters of a label before it is wrapped
WIDTH = 1000       # of the picture at least: the legend needs it
HEAD = 104         # title, machine, legend, upper axis
BETTER, WORSE = "#4c86c6", "#e08a3c"
STRIPE, GRID, ONE, WHISKER = "#f5f6f8", "#e0e3e8", "#333", "#333"
MET, MISSED = "#2b8a3e", "#c92a2a"


@dataclass
class Line:
    """A heading or a row, and where it stands."""
    y: float
    texts: list
    row: dict = field(default_factory=dict)  # empty for a heading

    @property
    def middle(self):
        return self.y + len(self.texts) * LINE / 2

    @property
    def bottom(self):
        return self.y + len(self.texts) * LINE + GAP


def lay_out(rows):
    lines, y, work = [], HEAD, None
    for row in rows:
        if row["work"] != work:
            work = row["work"]
            name = row["work_name"]
            lines.append(Line(y + 2 * GAP, [work if work == name else f"{work} {name}"]))
            y = lines[-1].bottom
        lines.append(Line(y, textwrap.wrap(row["name"], LABEL), row))
        y = lines[-1].bottom
    return lines


class Axis:
    """The ratios from left to right, logarithmic."""

    def __init__(self, ratios, left):
        self.low = next(t for t in reversed(steps()) if t <= min([0.5, *ratios]))
        self.high = next(t for t in steps() if t >= max([2, *ratios]))
        self.left = left
        self.unit = BARS / math.log(self.high / self.low)

    def x(self, ratio):
        return self.left + math.log(ratio / self.low) * self.unit

    def ticks(self):
        inside = [t for t in steps() if self.low <= t <= self.high]
        if len(inside) > 13:
            inside = [t for t in inside if f"{t:e}".startswith("1")]
        return inside


def steps():
    """1, 2, 5, 10, ... as far as any ratio goes."""
    return [float(f"{digit}e{power}") for power in range(-12, 13) for digit in (1, 2, 5)]


def ratios_of(row, peer):
    """Everything that must fit on the axis."""
    found = [row["ratio"].get(peer), *row["ratio_range"].get(peer, [])]
    if found[0]:
        found += [goal["ratio"] for goal in row["goals"]]
    return [r for r in found if r]


class Plot:
    def __init__(self, results):
        self.results = results
        self.peer = results["main_peer"]
        rows = results["rows"]
        self.lines = lay_out(rows)
        longest = max(text for line in self.lines for text in map(width_of, line.texts))
        left = MARGIN + longest + 12
        self.axis = Axis([r for row in rows for r in ratios_of(row, self.peer)], left)
        self.values = left + BARS + 14
        facts = max(width_of(self.fact(row)) for row in rows)
        self.bottom = self.lines[-1].bottom + GAP
        width = max(WIDTH, math.ceil(self.values + 52 + facts + MARGIN))
        self.out = Drawing(width, math.ceil(self.bottom + LINE + MARGIN))

    def fact(self, row):
        """The two medians that make the ratio."""
        theirs = row["peers"].get(self.peer)
        if row["anthill"] is None:
            return "not measured"
        ours = f"{number(row['anthill'])} {row['unit']}".strip()
        return f"{ours}, {self.peer} {number(theirs)}" if theirs is not None else ours

    def draw(self):
        self.draw_head()
        self.draw_legend()
        self.draw_stripes()
        self.draw_axis()
        for line in self.lines:
            self.draw_label(line)
            if line.row:
                self.draw_row(line)
        return self.out

    def draw_head(self):
        machine = self.results["machine"]
        self.out.text(MARGIN, 30, f"Anthill against {machine.get(self.peer, self.peer)}", "title")
        rounds = self.results["rounds"]
        parts = [machine["cpu"], f"{machine['cores']} cores", f"Linux {machine['kernel']}",
                 f"median of {rounds} round{'s' * (rounds != 1)}"]
        if self.results["quick"]:
            parts.append("quick mode")
        self.out.text(MARGIN, 50, ", ".join(parts), "muted")

    def draw_legend(self):
        x, y = MARGIN, 70
        for fill, text in ((BETTER, "Anthill is better"), (WORSE, f"{self.peer} is better")):
            self.out.box(x, y - 9, 18, 10, fill)
            x = self.legend_text(x + 24, y, text)
        self.draw_whisker(x, x + 20, y - 4)
        x = self.legend_text(x + 26, y, "least to greatest of the rounds")
        for next_goal, met, text in ((False, True, "goal, met"), (False, False, "goal, missed"),
                                     (True, True, "next goal, met"),
                                     (True, False, "next goal, missed")):
            self.draw_mark(x + 5, y - 4, next_goal, met)
            x = self.legend_text(x + 14, y, text)

    def legend_text(self, x, y, text):
        """Returns where the next entry begins."""
        self.out.text(x, y, text)
        return x + width_of(text) + 14

    def draw_stripes(self):
        """Every second row has a tint, so that the eye finds the figures of a label."""
        for line in [line for line in self.lines if line.row][::2]:
            self.out.box(MARGIN, line.y - GAP / 2, self.out.width - 2 * MARGIN,
                         line.bottom - line.y, STRIPE)

    def draw_axis(self):
        top = HEAD - 4
        for tick in self.axis.ticks():
            x = self.axis.x(tick)
            one = tick == 1
            self.out.line(x, top, x, self.bottom, ONE if one else GRID, 1.5 if one else 1)
            for y in (top - 5, self.bottom + FONT + 3):
                self.out.text(x, y, f"{tick:g}×", "ratio" if one else "muted", "middle")

    def draw_label(self, line):
        for n, text in enumerate(line.texts):
            y = line.y + n * LINE + FONT
            if line.row:
                self.out.text(self.axis.left - 12, y, text, anchor="end")
            else:
                self.out.text(MARGIN, y, text, "work")

    def draw_row(self, line):
        row, y = line.row, line.middle
        ratio = row["ratio"].get(self.peer)
        self.out.text(self.values, y + 3, f"{number(ratio)}×" if ratio else "–", "ratio")
        self.out.text(self.values + 52, y + 3, self.fact(row), "muted")
        if not ratio:
            return
        one, end = self.axis.x(1), self.axis.x(ratio)
        self.out.box(min(one, end), y - 5, abs(end - one), 10, BETTER if ratio >= 1 else WORSE,
                     f"{row['name']}: {number(ratio)}×")
        low, high = row["ratio_range"].get(self.peer, [None, None])
        if low and high:
            self.draw_whisker(self.axis.x(low), self.axis.x(high), y)
        for goal in row["goals"]:
            if goal["ratio"]:
                self.draw_mark(self.axis.x(goal["ratio"]), y, goal["next"], goal["met"])

    def draw_whisker(self, low, high, y):
        self.out.line(low, y, high, y, WHISKER)
        for x in (low, high):
            self.out.line(x, y - 3, x, y + 3, WHISKER)

    def draw_mark(self, x, y, next_goal, met):
        """A diamond for the first goal, a triangle for the next; hollow if missed."""
        points = ([(x, y - 5), (x + 5, y + 5), (x - 5, y + 5)] if next_goal else
                  [(x, y - 5.5), (x + 5.5, y), (x, y + 5.5), (x - 5.5, y)])
        self.out.polygon(points, MET if met else "#fff", "#fff" if met else MISSED)


def plot(results, path):
    try:
        Plot(results).draw().write(path)
    except OSError as e:
        raise Failed(f"cannot write the picture: {path}: {e.strerror}")
