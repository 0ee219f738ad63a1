"""work.py - what a work consists of: its cases, their figures, and the goals of these.

A work is what the tables and documents call W2 or "spawn". It has one or more cases. A case is one
process with fixed arguments, which every contestant runs that has the program. A process prints
several metrics; each figure picks one of them and becomes one row of the table.
"""

from dataclasses import dataclass, field
from typing import Optional

COLD, WARM = "cold", "warm"  # the first round in a process; the median of the later ones

KB = 1024
GB = 1 << 30


@dataclass(frozen=True)
class Goal:
    """A bound on the ratio to a peer. Without a peer it bounds Anthill's own figure, either in the
    row's unit or as a multiple of what the row named here has."""
    bound: float
    peer: Optional[str] = None
    text: str = ""
    row: Optional[str] = None


def times(bound, peer="go"):
    return Goal(bound, peer, f"≥ {bound:g}× {peer}")


def at_most(bound, text):
    return Goal(bound, None, f"≤ {text}")


def not_above(row, text, noise=1.1):
    """Not more than another row of Anthill's, apart from noise."""
    return Goal(noise, None, f"≤ {text}", row)


@dataclass(frozen=True)
class Figure:
    """One row of the table: which metric of a process, what it is called, what it should be."""
    name: str
    unit: str
    metric: str = "time"
    phase: str = WARM
    scale: float = 1                  # from the program's unit to the table's
    goal: Optional[Goal] = None       # first goal
    then: Optional[Goal] = None       # the one after it
    level: Optional[str] = None       # rows of one name are compared across sizes ...
    each: float = 1                   # ... after this conversion to ns for each goroutine,
    by: str = "count"                 # the size being this argument
    floor: float = 0                  # the clock tells no less than this; keeps ratios finite
    higher_is_better: bool = False


@dataclass
class Case:
    """One process, run by every contestant that has the program."""
    program: str
    args: dict
    figures: tuple
    quick: dict = field(default_factory=dict)  # arguments that differ in quick mode
    memory: int = 0       # bytes that must be free, if it needs many
    files: int = 0        # descriptors for each process, if it needs many
    package: str = ""     # which pkg-config must know
    others: bool = True   # in quick mode too for the peers that do only some works
    long: bool = False    # not in quick mode
    beside: int = 0       # so many more processes of the same hold what they have meanwhile
    warm: int = 0         # bytes to get from the host before each process
    work: Optional["Work"] = field(default=None, repr=False)  # set by the work it belongs to

    def arguments(self, quick):
        return {**self.args, **self.quick} if quick else self.args


@dataclass
class Work:
    number: str  # W1, W2, ...; empty if the design does not number it
    name: str
    what: str
    cases: list

    def __post_init__(self):
        for case in self.cases:
            case.work = self

    @property
    def id(self):
        return self.number or self.name

    @property
    def label(self):
        return f"{self.number} {self.name}".strip()
