"""interval.py - the median of some ratios, an interval for it, and the verdict of bench/ab.

The interval is the classical one from order statistics. Each ratio lies above the true median with
probability one half, whatever their distribution, so the number of ratios above it is binomial.
The k-th smallest and the k-th greatest therefore enclose the median with a probability that is
known exactly. Nothing is assumed about the shape: the times of a shared machine have outliers and
two or more humps, where a t interval is wrong. Nothing is random either, as a bootstrap would be:
the same ratios always get the same verdict.
"""

import math
import statistics
from dataclasses import dataclass

CONFIDENCE = 0.95
ENOUGH = 20  # pairs, before a verdict counts

BETTER, WORSE, UNCHANGED, UNDECIDED = "better", "worse", "unchanged", "undecided"


def rank(n, confidence=CONFIDENCE):
    """The greatest k for which the k-th smallest and the k-th greatest of n values enclose the
    median with that confidence; 0 if n values are too few for it."""
    k, cases, all_cases = 0, 0, 2 ** n  # in `cases` of them fewer than k values are below
    while cases + math.comb(n, k) <= all_cases * (1 - confidence) / 2:
        cases += math.comb(n, k)
        k += 1
    return k


@dataclass(frozen=True)
class Estimate:
    """What a series of ratios says. Without enough ratios the interval is unbounded."""
    n: int
    median: float
    low: float
    high: float

    @property
    def verdict(self):
        if self.n < ENOUGH:
            return UNDECIDED
        if self.low <= 1 <= self.high:
            return UNCHANGED
        return BETTER if self.low > 1 else WORSE


def estimate(ratios):
    ordered = sorted(ratios)
    k = rank(len(ordered))
    low, high = (ordered[k - 1], ordered[-k]) if k else (0, math.inf)
    return Estimate(len(ordered), statistics.median(ordered), low, high)
