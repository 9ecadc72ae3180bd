"""Measure the statements of known truth and the planted failures, and write the table.

``python -m tests.qa.calibration.measure`` puts each of them through the ladder at the default
profile, in this process, and writes ``measured.json`` and ``measured.md`` after each.  It goes on
where it stopped: what is measured already stays, unless ``--again`` names it.  ``--seconds`` ends
it early.  The exit status is 1 where the table misses what it must show.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Mapping
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from tests.qa.calibration.kinds.planted import PLANTED
from tests.qa.calibration.kinds.record import told
from tests.qa.calibration.known.cases import FIRST
from tests.qa.calibration.known.judged import word_of
from tests.qa.calibration.known.second import SECOND
from tests.qa.calibration.known.table import faults, tables

HERE = Path(__file__).parent
DATA, TABLE = HERE / "measured.json", HERE / "measured.md"

Row = dict[str, Any]


def jobs() -> Mapping[str, tuple[str, Callable[[], Row]]]:
    """Set and measurement of every case, by its key."""
    found: dict[str, tuple[str, Callable[[], Row]]] = {}
    for name, listed in (("first", FIRST), ("second", SECOND)):
        found |= {one.key: (name, partial(word_of, one)) for one in listed}
    return found | {one.key: ("kinds", partial(told, one)) for one in PLANTED}


def main(arguments: list[str] | None = None) -> int:
    """Measure what is missing, write the tables, tell what they miss."""
    parser = argparse.ArgumentParser(prog="python -m tests.qa.calibration.measure")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so many")
    parser.add_argument("--only", default="", metavar="TEXT", help="keys that contain this")
    parser.add_argument("--again", action="store_true", help="measure those of --only anew")
    options = parser.parse_args(arguments)
    every = jobs()
    rows: dict[str, Row] = json.loads(DATA.read_text()) if DATA.exists() else {}
    rows = {key: row for key, row in rows.items() if key in every}
    end = time.monotonic() + options.seconds
    for key, (name, measured) in every.items():
        if options.only not in key or (key in rows and not options.again):
            continue
        if time.monotonic() > end:
            break
        clock = time.perf_counter()
        row = measured()
        row |= {"set": name, "seconds": round(time.perf_counter() - clock, 1)}
        rows[key] = row | {"date": date.today().isoformat()}
        rows = {one: rows[one] for one in every if one in rows}
        DATA.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
        print(f"{key}: {row}", flush=True)
    TABLE.write_text(tables(rows))
    left = [key for key in every if key not in rows]
    told = [*faults(rows), *([f"{len(left)} are not measured yet"] if left else [])]
    print("\n".join(told) or "everything is as it must be")
    return int(bool(told))


if __name__ == "__main__":
    raise SystemExit(main())
