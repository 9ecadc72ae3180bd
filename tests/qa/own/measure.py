"""Put the claims of known truth through the ladder, and write down what each verdict is.

``python -m tests.qa.own.measure --seed 1`` checks each claim as ``fedassay check --profile quick
--seed 1`` does, in this process, and writes ``measured/1.json`` after each, and ``measured.md`` in
the end.  It goes on where it stopped: what is measured stays, unless ``--only`` names it with
``--again``.  The exit status is 1 where a word is wrong or too much is undecided.
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
DATA, TABLE = HERE / "measured", HERE / "measured.md"
SEEDS = (0, 1, 2)

Rows = dict[str, dict[str, Any]]


def measured(seed: int) -> Rows:
    """What was measured on a seed, of the claims that there are."""
    found: Rows = json.loads(_path(seed).read_text()) if _path(seed).exists() else {}
    return {own.key: found[own.key] for own in EVERY if own.key in found}


def main(arguments: list[str] | None = None) -> int:
    """Measure what is missing, write the table, tell what is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.qa.own.measure")
    parser.add_argument("--seed", type=int, choices=SEEDS, action="append", help="default: all")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so many")
    parser.add_argument("--only", default="", metavar="TEXT", help="keys that contain this")
    parser.add_argument("--again", action="store_true", help="measure those of --only anew")
    options = parser.parse_args(arguments)
    end = time.monotonic() + options.seconds
    for seed in options.seed or SEEDS:
        for own in EVERY:
            rows = measured(seed)  # which another process may have gone on with
            if options.only not in own.key or (own.key in rows and not options.again):
                continue
            if time.monotonic() > end:
                break
            clock = time.process_time()
            row = word_of(own, "quick", seed)
            del row["said"], row["truth"]  # they stand in the claims
            row["seconds"] = round(time.process_time() - clock, 1)
            print(f"{seed} {own.key} [{own.truth}]: {row}", flush=True)
            rows = {**measured(seed), own.key: row}
            _path(seed).write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
    kept = {str(seed): measured(seed) for seed in SEEDS}
    TABLE.write_text(tables(kept))
    told = faults(kept)
    print("\n".join(told) or "everything is as it must be")
    return int(bool(told))


def _path(seed: int) -> Path:
    return DATA / f"{seed}.json"


if __name__ == "__main__":
    raise SystemExit(main())
