"""results.py - bench/results.json: what the last run of bench/run found."""

import json

from .contestants import OURS


def row_as_json(row, peers):
    peers = [p for p in peers if row.values.get(p)]
    goals = [g for g in (row.figure.goal, row.figure.then) if g]
    return {
        "work": row.work.id, "work_name": row.work.name, "name": row.figure.name,
        "unit": row.figure.unit,
        "anthill": row.median(OURS),
        "peers": {p: row.median(p) for p in peers},
        "ratio": {p: row.ratio(p) for p in peers if row.ratio(p) is not None},
        "range": {c: [min(v), max(v)] for c, v in row.values.items() if v},
        "goals": [{"goal": g.text, "met": row.met(g)} for g in goals],
    }


def write_results(path, content):
    temporary = path.with_suffix(".tmp")
    temporary.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    temporary.replace(path)
