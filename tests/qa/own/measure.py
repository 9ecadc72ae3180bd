"""Put the claims of known truth through the ladder, and write down what each verdict is.

``python -m tests.qa.own.measure --seed 1`` checks each claim as ``fedassay check --profile quick
--seed 1`` does, in this process, and writes ``measured.json`` and ``measured.md`` after each.  It
goes on where it stopped: what is measured stays, unless ``--only`` names it with ``--again``.  The
exit status is 1 where a word is wrong or too much is undecided.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from tests.qa.calibration.known.judged import word_of
from tests.qa.own.cases import EVERY
from tests.qa.own.table import faults, tables

HERE = Path(__file__).parent
DATA, TABLE = HERE / "measured.json", HERE / "measured.md"
SEEDS = (0, 1, 2)

Rows = dict[str, dict[str, Any]]


def main(arguments: list[str] | None = None) -> int:
    """Measure what is missing, write the table, tell what is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.qa.own.measure")
    parser.add_argument("--seed", type=int, choices=SEEDS, action="append", help="default: all")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so many")
    parser.add_argument("--only", default="", metavar="TEXT", help="keys that contain this")
    parser.add_argument("--again", action="store_true", help="measure those of --only anew")
    options = parser.parse_args(arguments)
    kept: dict[str, Rows] = json.loads(DATA.read_text()) if DATA.exists() else {}
    end = time.monotonic() + options.seconds
    for seed in options.seed or SEEDS:
        rows = kept.setdefault(str(seed), {})
        for own in EVERY:
            if options.only not in own.key or (own.key in rows and not options.again):
                continue
            if time.monotonic() > end:
                break
            clock = time.process_time()
            row = word_of(own, "quick", seed)
            del row["said"], row["truth"]  # they stand in the claims
            rows[own.key] = {**row, "seconds": round(time.process_time() - clock, 1)}
            print(f"{seed} {own.key} [{own.truth}]: {rows[own.key]}", flush=True)
            DATA.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n")
    TABLE.write_text(tables(kept))
    told = faults(kept)
    print("\n".join(told) or "everything is as it must be")
    return int(bool(told))


if __name__ == "__main__":
    raise SystemExit(main())
