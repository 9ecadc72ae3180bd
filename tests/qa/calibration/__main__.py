"""Run the calibration set through the ladder: ``python -m tests.qa.calibration --profile default``.

It takes minutes.  The exit status is 1 where a falsehood came back ``holds`` or ``proved``, a truth
was accused, or more than a tenth of the truths stayed inconclusive.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tests.qa.calibration.cases import CASES
from tests.qa.calibration.judge import Judgement, as_json, judge, table, too_vague
from verify.ladder import PROFILES


def main(arguments: list[str] | None = None) -> int:
    """Judge the chosen cases, print a summary, write the verdicts."""
    kinds = sorted({case.kind for case in CASES} | {case.role for case in CASES})
    parser = argparse.ArgumentParser(prog="python -m tests.qa.calibration", description=__doc__)
    parser.add_argument("--profile", choices=sorted(PROFILES), default="default")
    parser.add_argument("--only", metavar="KIND", choices=kinds, action="append", help=str(kinds))
    parser.add_argument("--key", metavar="TEXT", default="", help="only keys that contain this")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    wanted = set(options.only or kinds)
    cases = [c for c in CASES if wanted & {c.kind, c.role} and options.key in c.statement.key]
    found: list[Judgement] = []
    for case in cases:
        item = judge(case, options.profile, options.seed)
        found.append(item)
        missed = item.role == "falsehood" and item.verdict != "violated"
        if item.mistaken or missed or item.verdict == "inconclusive":
            mark = "MISTAKE" if item.mistaken else "missed " if missed else "       "
            print(f"{mark} {item.key}: {item.verdict} ({item.reason})", flush=True)
    print(table(found))
    if options.json is not None:
        options.json.write_text(as_json(found, options.profile, options.seed))
    return int(any(item.mistaken for item in found) or too_vague(found))


if __name__ == "__main__":
    raise SystemExit(main())
