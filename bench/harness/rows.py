"""rows.py - the rows of the table, computed from what the processes printed.

A ratio says how many times better one contestant is than another: above 1 the first one is better,
whether its figure should be low or high.
"""

import statistics
from dataclasses import dataclass

from .contestants import OURS
from .work import Case, Figure

LEVEL = 1.5  # a cost that grows less from the smallest to the largest size counts as level


def advantage(figure, mine, other):
    """How many times better mine is; None where it cannot be told."""
    mine, other = max(mine, figure.floor), max(other, figure.floor)
    if mine == other:
        return 1.0
    if figure.higher_is_better:
        mine, other = other, mine
    return other / mine if mine else None


@dataclass
class Row:
    case: Case
    figure: Figure
    values: dict  # contestant -> its figure in each round
    rows: list    # all of them

    @property
    def work(self):
        return self.case.work

    def median(self, contestant):
        values = self.values.get(contestant)
        return statistics.median(values) if values else None

    def ratio(self, peer):
        """How many times better Anthill is."""
        ours, theirs = self.median(OURS), self.median(peer)
        if ours is None or theirs is None:
            return None
        return advantage(self.figure, ours, theirs)

    def round_ratios(self, peer, ours=OURS):
        """The ratio in each round that both have measured."""
        pairs = zip(self.values.get(ours, []), self.values.get(peer, []))
        ratios = [advantage(self.figure, mine, other) for mine, other in pairs]
        return [r for r in ratios if r is not None]

    def met(self, goal):
        """True, False, or None where it cannot be told."""
        if goal.peer:
            ratio = self.ratio(goal.peer)
            return None if ratio is None else ratio >= goal.bound
        ours, bound = self.median(OURS), self.own_bound(goal)
        return None if ours is None or bound is None else ours <= bound

    def goal_as_ratio(self, goal, peer):
        """Which ratio to the peer would meet the goal just so; None where it cannot be told."""
        if goal.peer:
            return goal.bound if goal.peer == peer else None
        bound, theirs = self.own_bound(goal), self.median(peer)
        return None if bound is None or theirs is None else advantage(self.figure, bound, theirs)

    def own_bound(self, goal):
        """A goal without a peer in the row's unit; None where the row that it names is missing."""
        if not goal.row:
            return goal.bound
        named = [r.median(OURS) for r in self.rows if r.figure.name == goal.row]
        return goal.bound * named[0] if named and named[0] is not None else None


def make_rows(measurement):
    rows = []
    for i, case in enumerate(measurement.cases):
        of_case = {c: r for (j, c), r in measurement.results.items() if j == i}
        for f in case.figures:
            values = {c: [p[f.metric][f.phase] * f.scale for p in processes if f.metric in p]
                      for c, processes in of_case.items()}
            rows.append(Row(case, f, values, rows))
    return rows


def levels(rows, contestants):
    """The cost for each goroutine from the smallest size to the largest."""
    out = []
    for name in dict.fromkeys(r.figure.level for r in rows if r.figure.level):
        group = [r for r in rows if r.figure.level == name]
        for c in contestants:
            cost = [r.median(c) * r.figure.each for r in group if r.median(c) is not None]
            if len(cost) > 1 and cost[0]:
                out.append({"name": name, "contestant": c, "ns_each": cost,
                            "sizes": [r.case.args[r.figure.by] for r in group],
                            "growth": max(cost) / cost[0], "fall": cost[0] / min(cost)})
    return out
