"""What the repairs make of the library's own broken claims, beside the forms entered by hand.

Each violated leaf goes through the loop of repairs; each mended claim that stands is compared with
the standing repaired, refined and explicit forms of its entry, on a hundred instances of each
shape of either family: equal, tighter, looser or incomparable, or another claim where the left
sides differ or one cannot be evaluated where the other is.  A repair changes right sides and
hypotheses: where every form entered by hand has another left side or another family than the
broken claim itself, no repair can be compared with it, and none is looked for.

``python -m tests.qa.repair.library --json FILE`` goes on where it stopped.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from bounds import generic as xp
from bounds.numbers.validate import InvalidInput
from tests.qa.repair.damage import claim_of, repaired
from verify.catalogue.library import library
from verify.claim.statement import Statement
from verify.ladder.budgets import PROFILES, Profile
from verify.verdict.relation import ROUNDING
from verify.world.noise_plan import NotAvailable, NoValue
from verify.world.score import Score, score

EXPECTED = Path(__file__).parents[2] / "expected" / "quick.json"
TABLE = Path(__file__).with_name("library.md")
HEAD = """# Broken claims of the library, and what the repairs make of them

`python -m tests.qa.repair.library --profile {profile} --json FILE --table`: every violated leaf at
that budget, its mended claims at the same one, compared with the standing forms entered by hand on
a hundred instances of each shape of either family. *apart*: every form entered by hand has another
left side or family than the broken claim, so that no repair can be compared with it; none was
looked for. *other*: the same of the repairs that were found. *as good*: equal or tighter, and
assumes no more.
"""
FORM = re.compile(r"\.(repaired|refined|explicit)(?=[/@]|$)")
WORDS = ("tighter", "equal", "incomparable", "looser", "other")
"""How a mended claim compares with one entered by hand, best first."""

BUDGETS: dict[str, Profile] = {
    "quick": replace(PROFILES["quick"], mends=3, onward=1 / 16, ladders=4),
    "default": PROFILES["default"],
}
ROWS = 100
"""Instances of a shape on which two claims are compared."""

CANNOT = (InvalidInput, NoValue, NotAvailable, ArithmeticError, LookupError, ValueError)


def expected() -> dict[str, str]:
    """Verdict of each leaf in the expected ledger."""
    leaves = json.loads(EXPECTED.read_text())["leaves"]
    return {key: fields["verdict"] for key, fields in leaves.items()}


def broken(verdicts: Mapping[str, str]) -> Iterator[Statement]:
    """Every violated leaf of a paper, in an order that mixes them."""
    for key in sorted(verdicts, key=lambda key: crc32(key.encode())):
        if verdicts[key] == "violated" and not key.startswith("world."):
            yield library().leaf(key)


def by_hand(key: str, verdicts: Mapping[str, str]) -> list[Statement]:
    """Standing forms of a leaf's entry that were entered by hand."""
    entry = re.split("[/@]", key)[0]
    return [
        library().leaf(other)
        for other, word in verdicts.items()
        if word in ("proved", "holds")
        and (found := FORM.search(other))
        and other[: found.start()] == entry
    ]


def compared(ours: Statement, theirs: Statement) -> str:
    """How a mended claim compares with one entered by hand."""
    if not _alike(ours, theirs):
        return "other"
    signs: set[int] = set()
    sign = -1 if ours.relation == ">=" else 1
    seen = False
    for family in (ours.family, theirs.family):
        rng = np.random.default_rng(5)
        for shape in family.shapes:
            values = family.decode(rng.random((ROWS, family.width(shape))), shape)
            instance = family.instance(values, shape)
            try:
                one, other = (_sides(score(s, instance)) for s in (ours, theirs))
            except CANNOT:
                continue
            if one[0].shape != other[0].shape:
                return "other"  # about other clients or rounds
            both = one[2] & other[2]
            if both.any() and not _near(one[0], other[0])[both].all():
                return "other"
            seen = seen or bool(both.any())
            if (other[2] & ~one[2]).any():  # ours assumes more
                signs.add(-1)
            if (one[2] & ~other[2]).any():
                signs.add(1)
            gap = np.where(_near(one[1], other[1]), 0, np.sign(other[1] - one[1]))[both]
            signs |= {int(sign * s) for s in np.unique(gap)}
    if not seen:
        return "other"
    if {1, -1} <= signs:
        return "incomparable"
    return "tighter" if 1 in signs else "looser" if -1 in signs else "equal"


def _alike(ours: Statement, theirs: Statement) -> bool:
    """Whether instances of one family are instances of the other."""
    one, other = ours.family, theirs.family
    return one.build is other.build and {*one.box} == {*other.box}


def _sides(found: Score) -> tuple[np.ndarray[Any, Any], ...]:
    left, right = xp.to_float(found.left), xp.to_float(found.right)
    left, right = np.broadcast_arrays(left, right)
    return left, right, np.broadcast_to(found.feasible[:, None], left.shape)


def _near(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.asarray(np.abs(a - b) <= ROUNDING * (np.abs(a) + np.abs(b)))


def looked_at(leaf: Statement, verdicts: Mapping[str, str], budget: Profile) -> dict[str, Any]:
    """Repairs of one leaf, and the best comparison of any of them."""
    start = time.process_time()
    forms = by_hand(leaf.key, verdicts)
    with np.errstate(all="ignore"):
        apart = bool(forms) and all(compared(leaf, form) == "other" for form in forms)
    told = [] if apart else repaired(leaf, budget)
    with np.errstate(all="ignore"):
        best = [
            min((compared(claim_of(one), form) for form in forms), key=WORDS.index, default="")
            for one in told
        ]
    return {
        "by hand": [form.key for form in forms],
        "apart": apart,
        "repairs": [
            {"mend": one.mend, "word": one.word, "beside": found}
            for one, found in zip(told, best, strict=True)
        ],
        "seconds": round(time.process_time() - start, 1),
    }


def main() -> None:
    """Go through the violated leaves, and write what came of them."""
    parser = argparse.ArgumentParser(prog="python -m tests.qa.repair.library")
    parser.add_argument("--json", type=Path, required=True)
    parser.add_argument("--profile", choices=BUDGETS, default="quick")
    parser.add_argument("--only", default="", help="a regular expression for keys")
    parser.add_argument(
        "--alone", action="store_true", help="leaves without a form entered by hand"
    )
    parser.add_argument("--table", action="store_true", help="write library.md")
    options = parser.parse_args()
    rows = json.loads(options.json.read_text()) if options.json.exists() else {}
    verdicts = expected()
    for leaf in broken(verdicts):
        wanted = re.search(options.only, leaf.key) is not None
        wanted &= not (options.alone and by_hand(leaf.key, verdicts))
        if leaf.key not in rows and wanted:
            rows[leaf.key] = looked_at(leaf, verdicts, BUDGETS[options.profile])
            options.json.write_text(json.dumps(rows, indent=1) + "\n")
            print(leaf.key, rows[leaf.key], flush=True)
    if options.table:
        TABLE.write_text(table(rows, options.profile))


def table(rows: Mapping[str, Mapping[str, Any]], profile: str) -> str:
    """Totals, and one row for each violated leaf."""
    known = {key: row for key, row in rows.items() if row["by hand"]}
    counts = Counter(beside(row) for row in known.values())
    near = len(known) - counts["apart"]
    good = counts["tighter"] + counts["equal"]
    alone = [row for row in rows.values() if not row["by hand"] and row["repairs"]]
    lines = [
        HEAD.format(profile=profile),
        f"- {len(known)} violated leaves with a standing form entered by hand: {counts['apart']} "
        f"apart, of the other {near} {good} as good",
        f"- {len(rows) - len(known)} without one: {len(alone)} repaired",
        "",
        "| leaf | beside the form entered by hand | proved or holds |",
        "| --- | --- | --- |",
    ]
    for key, row in sorted(rows.items()):
        told = "; ".join(f"{r['word']}: {r['mend']}" for r in row["repairs"]).replace("|", "\\|")
        lines.append(f"| {key} | {beside(row)} | {told} |")
    return "\n".join(lines) + "\n"


def beside(row: Mapping[str, Any]) -> str:
    """The best comparison of any repair of a leaf; a dash where there is none to compare."""
    if row["apart"]:
        return "apart"
    words = [r["beside"] for r in row["repairs"] if r["beside"]]
    return min(words, key=WORDS.index, default="-")


if __name__ == "__main__":
    main()
