"""What was measured as a page, with what must not be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tests.qa.calibration.known.judged import is_open
from tests.qa.own.cases import EVERY
from tests.qa.own.record import EMPTY, FALSE, TRUE, Own

MOST_OPEN = 1 / 25
"""Largest share of claims that may be left undecided."""

WRONG = {TRUE: ("violated",), FALSE: ("proved", "vacuous"), EMPTY: ("violated",)}
"""Words that say what is not so; nothing speaks against a claim about nothing, so it is true."""

MISSED = {TRUE: ("vacuous",), FALSE: ("holds",), EMPTY: ("holds",)}
"""Words that say less than is so: no instance was found, or the emptiness was not."""

Rows = Mapping[str, Mapping[str, Any]]
HEAD = """# Own statements of known truth, at quick

Each claim is written as a user would, and its truth was found with a pencil. *Right*: a true one is
proved or holds, a false one is violated, one about nothing is vacuous. *Held*: a false one holds.
*Wrong*: a true one is violated, a false one proved.
"""


def outcome(own: Own, row: Mapping[str, Any]) -> str:
    """``right``, ``held``, ``undecided`` or ``wrong``."""
    if row["word"] in WRONG[own.truth]:
        return "wrong"
    if is_open(row):
        return "undecided"
    return "held" if row["word"] in MISSED[own.truth] else "right"


def faults(kept: Mapping[str, Rows], claims: tuple[Own, ...] = EVERY) -> list[str]:
    """Wrong words, and too many claims left undecided, on each seed."""
    return [text for seed, rows in kept.items() for text in _faults(seed, rows, claims)]


def _faults(seed: str, rows: Rows, claims: tuple[Own, ...]) -> Iterator[str]:
    met = [own for own in claims if own.key in rows]
    for own in met:
        if outcome(own, rows[own.key]) == "wrong":
            line = rows[own.key]["line"]
            yield f"seed {seed}: {own.key} is {own.truth}, and {rows[own.key]['word']}: {line}"
    undecided = [own.key for own in met if outcome(own, rows[own.key]) == "undecided"]
    if len(undecided) > MOST_OPEN * len(met):
        yield f"seed {seed}: {len(undecided)} of {len(met)} are undecided: {', '.join(undecided)}"


def tables(kept: Mapping[str, Rows], claims: tuple[Own, ...] = EVERY) -> str:
    """The page."""
    parts = [HEAD]
    for seed, rows in kept.items():
        met = sum(own.key in rows for own in claims)
        parts += [f"## Seed {seed}: {met} of {len(claims)} measured", ""]
        parts += [*_totals(rows, claims), ""]
    parts += ["## Claims", "", *_words(kept, claims), ""]
    return "\n".join(parts)


def _totals(rows: Rows, claims: tuple[Own, ...]) -> Iterator[str]:
    kinds = list(dict.fromkeys(own.kind for own in claims))
    yield "| kind | count | right | undecided | held | wrong | CPU-s |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for kind in [*kinds, "all"]:
        met = [own for own in claims if own.key in rows and kind in (own.kind, "all")]
        told = [outcome(own, rows[own.key]) for own in met]
        counts = [told.count(word) for word in ("right", "undecided", "held", "wrong")]
        seconds = sum(rows[own.key]["seconds"] for own in met)
        yield f"| {kind} | {len(met)} | {' | '.join(map(str, counts))} | {seconds:.0f} |"


def _words(kept: Mapping[str, Rows], claims: tuple[Own, ...]) -> Iterator[str]:
    yield f"| claim | truth | {' | '.join(f'seed {seed}' for seed in kept)} |"
    yield f"| --- | --- | {' | '.join('---' for _ in kept)} |"
    for own in claims:
        rows = [kept[seed].get(own.key) for seed in kept]
        words = [_word(own, row) if row else "" for row in rows]
        said = own.said.replace("|", "\\|")
        yield f"| `{own.key}`: {said} | {own.truth} | {' | '.join(words)} |"


def _word(own: Own, row: Mapping[str, Any]) -> str:
    found = outcome(own, row)
    return str(row["word"]) if found == "right" else f"**{row['word']}** ({found})"
