"""Change genuine proofs at random; whatever the checker still accepts must be true.

``python -m tests.trusted.checker.fuzz SECONDS [SEED]`` takes proofs that provers have found and
changes terms, signs, multipliers, rules, relations, kinds, hypotheses and cases, several at
a time, and now and then splices two proofs.  Each claim that is accepted is evaluated at exact
points that meet its hypotheses, by `points`, which shares nothing with the checker.  What is false
at one of them, an error that is no refusal, and an answer that takes longer than `LONGEST` seconds
are faults; they are printed with their documents, and the exit status is 1.
"""

from __future__ import annotations

import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.trusted.checker.points import Reader, holds_at
from tests.trusted.checker.rows.worst import GENUINE
from verify.certify import checker

POINTS, TRIES = 1000, 4000
"""Points at which an accepted claim is evaluated, and how many are drawn to find them."""
LONGEST = 5.0
"""Seconds of computing that an answer may take."""
KINDS = checker.SIGNS
RULES = (
    "claim is false",
    "hypothesis",
    "declared",
    "squares",
    "gram",
    "definition",
    "power",
    "sum",
    "term",
    "Cauchy-Schwarz",
)
PIECES = ("0", "1", "-1", "2", "1/2", "x", "s", "a", "N", "u[k]", "Abs(x)", "Max(x, 0)", "sqrt(s)")
HOSTILE = ("1e999999999", "x**1000000000", "(a + b + s + 1)**400", "-" * 5000 + "x", "x # y", "")

__all__ = ["Report", "changed", "fuzz"]


@dataclass
class Report:
    """What a run has done."""

    asked: int = 0
    accepted: int = 0
    other: int = 0
    """Accepted claims that differ from the genuine one that they were made of."""
    points: int = 0
    thin: int = 0
    """Accepted claims with fewer than a hundred points that say something."""
    longest: float = 0.0
    faults: list[str] = field(default_factory=list)
    refusals: Counter[str] = field(default_factory=Counter)


def leaves(item: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Every entry of a document: where it stands, under which key, and what it is."""
    pairs = item.items() if isinstance(item, dict) else enumerate(item)
    for key, value in list(pairs):
        yield item, key, value
        if isinstance(value, dict | list):
            yield from leaves(value)


def changed(rng: random.Random, document: Any, others: list[Any]) -> Any:
    """A copy with one to four changes."""
    made = json.loads(json.dumps(document))
    for _ in range(rng.choice([1, 1, 2, 3, 4])):
        places = [p for p in leaves(made) if p[1] not in ("name", "format")]
        if not places:
            return made
        holder, key, value = rng.choice(places)
        how = rng.random()
        if how < 0.05 and isinstance(holder, list):
            holder.insert(rng.randrange(len(holder) + 1), json.loads(json.dumps(value)))
        elif how < 0.08 and (isinstance(holder, list) or how < 0.055):
            del holder[key]
        elif how < 0.16:
            like = [v for o in others for _, k, v in leaves(o) if k == key] or [value]
            holder[key] = json.loads(json.dumps(rng.choice(like)))
        else:
            holder[key] = _other(rng, key, value)
    return made


def _other(rng: random.Random, key: Any, value: Any) -> Any:
    """Another entry in the place of this one."""
    if isinstance(value, bool):
        return rng.choice([not value] * 6 + [1, -1, None])
    if isinstance(value, int):
        return rng.choice([value + 1, value - 1, 0, -value])
    if key == "rule" and isinstance(value, str):
        return rng.choice(RULES)
    if key == "relation":
        return rng.choice(checker.RELATIONS)
    if value in KINDS:
        return rng.choice(KINDS)
    if isinstance(value, str):
        return _text(rng, value)
    if isinstance(value, list):
        return rng.choice([[], value[::-1], value[:-1], value * 2])
    return rng.choice([value, value, None, 0, "", []])


def _text(rng: random.Random, text: str) -> str:
    """Another text: a token exchanged, dropped, doubled or put in brackets; a sign turned."""
    tokens = re.findall(r"\*\*|[A-Za-z_]\w*|\d+|\S", text)
    how = rng.random()
    if how < 0.02:
        return rng.choice(HOSTILE)
    if how < 0.12 or not tokens:
        return f"({text})*({rng.choice(PIECES)})"
    if how < 0.22:
        return f"{text} {rng.choice('+-')} {rng.choice(PIECES)}"
    if how < 0.27:
        return f"-({text})"
    i = rng.randrange(len(tokens))
    token = tokens[i]
    if token.isdigit():
        tokens[i] = rng.choice(
            [str(int(token[:9]) + 1), "0", "1", "2", str(max(0, int(token[:9]) - 1))]
        )
    elif token in "+-":
        tokens[i] = "-" if token == "+" else "+"
    elif token in ("*", "/", "**"):
        tokens[i] = rng.choice(["*", "/", "**", "+"])
    elif token.isidentifier():
        names = [t for t in tokens if t.isidentifier()]
        tokens[i] = rng.choice([*names, "x", "k", "N", "Max", "Min", "Abs"])
    elif how < 0.6:
        del tokens[i]
    else:
        tokens.insert(i, rng.choice(tokens))
    return " ".join(tokens)


def fuzz(seconds: float, seed: int, points: int = POINTS, most: int | None = None) -> Report:
    """Change proofs for so many seconds of computing time, or until so many faults are found."""
    rng, report = random.Random(seed), Report()
    genuine = list(GENUINE.values())
    own = {json.dumps(d, sort_keys=True) for d in genuine}
    truth: set[str] = set()
    start = time.process_time()
    while time.process_time() - start < seconds and len(report.faults) != most:
        document = changed(rng, rng.choice(genuine), [rng.choice(genuine)])
        report.asked += 1
        before = time.process_time()
        try:
            said = checker.check(document)
        except checker.Refused as reason:
            report.refusals[re.sub(r"[\d'].*|:.*", "", str(reason))[:40]] += 1
            said = ""
        except Exception as error:  # a fault of the checker, whatever it is
            report.faults.append(f"{type(error).__name__} {error} of {json.dumps(document)}")
            said = ""
        took = time.process_time() - before
        report.longest = max(report.longest, took)
        if took > LONGEST:
            report.faults.append(f"{took:.1f} seconds for {json.dumps(document)}")
        if said:
            report.accepted += 1
            report.other += json.dumps(document, sort_keys=True) not in own
            if said not in truth and document["format"] != checker.WORST_CASE:
                truth.add(said)
                _evaluate(report, document, rng, points)
    return report


def _evaluate(report: Report, document: Any, rng: random.Random, points: int) -> None:
    """Look for a point at which an accepted claim is false."""
    said = 0
    for number in range(TRIES * points // POINTS):
        clients = rng.choice([1, 1, 2, 3])
        reader = Reader(
            document["symbols"],
            set(document.get("vectors", [])),
            clients,
            f"{number}/{rng.random()}",
        )
        holds = holds_at(document, reader, rng.randint(1, clients))
        if holds is not None:
            said += 1
        if holds is False:
            report.faults.append(f"false at {reader.known}, {clients}: {json.dumps(document)}")
            return
        if said >= points:
            break
    report.points += said
    report.thin += said < 100 * points // POINTS


def main(argv: list[str]) -> int:
    report = fuzz(float(argv[0]), int(argv[1]) if len(argv) > 1 else 0)
    print(
        f"{report.asked} documents, {report.accepted} accepted, {report.other} of them changed, "
        f"evaluated at {report.points} points ({report.thin} claims at fewer than 100), "
        f"longest answer {report.longest:.2f} s, {len(report.faults)} faults"
    )
    for fault in report.faults:
        print(fault)
    print(report.refusals.most_common(12))
    return 1 if report.faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
