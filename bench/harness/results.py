"""results.py - bench/results.json: what the last run of bench/run found."""

import json

from .contestants import MAIN_PEER, OURS
from .tools import Failed

FORMAT = 2  # grows when a reader of the file would misunderstand an older one


def row_as_json(row, peers):
    peers = [p for p in peers if row.values.get(p)]
    by_round = {p: row.round_ratios(p) for p in peers}
    return {
        "work": row.work.id, "work_name": row.work.name, "name": row.figure.name,
        "unit": row.figure.unit,
        "anthill": row.median(OURS),
        "peers": {p: row.median(p) for p in peers},
        "ratio": {p: row.ratio(p) for p in peers if row.ratio(p) is not None},
        "range": {c: [min(v), max(v)] for c, v in row.values.items() if v},
        "ratio_range": {p: [min(r), max(r)] for p, r in by_round.items() if r},
        "goals": [goal_as_json(row, g, g is row.figure.then)
                  for g in (row.figure.goal, row.figure.then) if g],
    }


def goal_as_json(row, goal, is_next):
    """The ratio is the one to the main peer that would meet the goal just so."""
    return {"goal": goal.text, "met": row.met(goal), "next": is_next,
            "ratio": row.goal_as_ratio(goal, MAIN_PEER)}


def write_results(path, content):
    content = {"format": FORMAT, "main_peer": MAIN_PEER, **content}
    temporary = path.with_suffix(".tmp")
    temporary.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    temporary.replace(path)


def read_results(path):
    try:
        content = json.loads(path.read_text())
    except FileNotFoundError:
        raise Failed(f"there are no results yet: {path} does not exist; bench/run writes it")
    except (OSError, ValueError) as e:
        raise Failed(f"cannot read the results: {path}: {e}")
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise Failed(f"{path} has another format, probably that of an older bench/run;"
                     " run bench/run again")
    if not content.get("rows"):
        raise Failed(f"{path} has no rows")
    return content
