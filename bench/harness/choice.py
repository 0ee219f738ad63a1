"""choice.py - which works a command line asks for, and which cases of them can run here."""

from . import machine
from .contestants import as_arguments
from .tools import Failed


class UnknownWork(Exception):
    """The command line names a work that does not exist; the text lists those that do."""


def split_words(texts):
    return [word.strip() for text in texts for word in text.split(",") if word.strip()]


def find_works(words, works):
    """The works that the words name, in the order of the table. A word is a number or a name in any
    case, or several of them with commas between."""
    asked = {word.lower() for word in split_words(words)}
    known = {key.lower() for work in works for key in (work.number, work.name)} - {""}
    unknown = sorted(asked - known)
    if unknown:
        raise UnknownWork(f"no such work: {', '.join(unknown)}; there are "
                          + ", ".join(work.label for work in works))
    return [w for w in works if {w.number.lower(), w.name.lower()} & asked]


def choose_cases(works, quick):
    """Says which cases it leaves out because this machine lacks something."""
    chosen = []
    for case in (case for work in works for case in work.cases if not (quick and case.long)):
        lack = machine.lacks(case)
        if lack:
            print(f"skipped: {case.work.label} {' '.join(as_arguments(case.args))}: {lack}")
        else:
            chosen.append(case)
    if not chosen:
        raise Failed("no work is left to be done")
    return chosen


def print_list(works):
    numbers = max(len(work.number) for work in works)
    names = max(len(work.name) for work in works)
    for work in works:
        print(f"{work.number:<{numbers}}  {work.name:<{names}}  {work.what}")
