"""Readings of a whole paper: the literal one, the kindest one, and in how many an entry stands.

An entry's word is that under the literal assignment.  The kindest assignment is one for all entries
of the paper: that under which most of its main results stand.  Everything here works on plain JSON
values and on the axes that the ledger itself holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from bounds.numbers.shapes import Array
from verify.catalogue.entry import is_result
from verify.claim.axes import Assignment, Axes, Axis, assignments, joined
from verify.ledger.conclude import STANDS, conclude

Line = Mapping[str, Any]
"""Entry of a ledger."""


def axes_in(ledger: Mapping[str, Any], paper: str) -> Axes:
    """Axes of a paper as its ledger holds them."""
    found = ledger.get("readings", {}).get(paper)
    return Axes() if found is None else Axes.from_json(found["axes"])


def own_axes(line: Line, axes: Axes) -> tuple[Axis, ...]:
    """Axes that an entry depends on."""
    return axes.of(str(leaf["id"]) for leaf in line["leaves"])


def with_readings(
    lines: Iterable[Line], axes: Mapping[str, Axes], missing: Mapping[str, Sequence[str]]
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Readings of each paper, and the entries with what they put beside a word.

    Parameters
    ----------
    lines : iterable of mappings
        Entries of a ledger.
    axes : mapping
        Open places of each paper.
    missing : mapping
        Keys of the main results of each paper that the ledger has no line for.
    """
    every = list(lines)
    found: dict[str, Any] = {}
    best: dict[str, dict[str, str]] = {}
    for paper in dict.fromkeys(line["paper"] for line in every):
        places = axes.get(paper)
        if places:
            members = [line for line in every if line["paper"] == paper]
            found[paper] = read(members, places, missing.get(paper, ()))
            best[paper] = kindest(members, places)
    told = [
        {**line, **beside(line, axes.get(line["paper"], Axes()), best.get(line["paper"], {}))}
        for line in every
    ]
    return found, told


def read(lines: Sequence[Line], axes: Axes, missing: Iterable[str]) -> dict[str, Any]:
    """What a ledger says about the readings of one paper.

    Parameters
    ----------
    lines : sequence of mappings
        Its entries.
    axes : Axes
    missing : iterable of str
        Keys of main results that the ledger has no line for; nothing is counted for them.
    """
    best = kindest(lines, axes)
    results = [line for line in lines if _counts(line)]
    stand = {
        name: sum(_word(line, axes, taken) in STANDS for line in results)
        for name, taken in (("literal", axes.literal), ("kindest", best))
    }
    return {
        "axes": axes.to_json(),
        "literal": list(axes.literal.values()),
        "kindest": list(best.values()),
        "stand": {**stand, "of": len(results)},
        "missing": list(missing),
    }


def kindest(lines: Sequence[Line], axes: Axes) -> dict[str, str]:
    """Assignment under which most main results among the entries of a paper stand.

    Ties go to the fewest axes changed, then to the first in the order of
    :func:`verify.claim.axes.assignments`.  All assignments of axes that an entry joins are looked
    at; components are independent of each other.
    """
    tables = [(own_axes(line, axes), line) for line in lines if _counts(line)]
    best = axes.literal
    for component in joined(tuple(axes), [own for own, _ in tables]):
        shape = [len(axis.options) for axis in component]
        total = np.zeros(shape, dtype=np.int64)
        for own, line in tables:
            if own and own[0] in component:
                spread = [len(axis.options) if axis in own else 1 for axis in component]
                total += standing(line, axes).reshape(spread)
        changed = (np.indices(shape) != 0).sum(axis=0)
        place = np.unravel_index(np.argmax(total * (len(component) + 1) - changed), shape)
        best |= {axis.name: axis.names[int(at)] for axis, at in zip(component, place, strict=True)}
    return best


def standing(line: Line, axes: Axes) -> Array:
    """Whether an entry stands (1 or 0), one number for each assignment of its own axes."""
    words = [_word(line, axes, {**axes.literal, **a}) for a in assignments(own_axes(line, axes))]
    return np.array([word in STANDS for word in words], dtype=np.int64)


def beside(line: Line, axes: Axes, best: Assignment) -> dict[str, Any]:
    """What stands beside an entry's word: the kindest one where it differs, and how many stand.

    Parameters
    ----------
    line : mapping
        Entry with its leaves.
    axes : Axes
        Of its paper.
    best : mapping
        Kindest assignment of its paper.

    Returns
    -------
    dict
        ``kindest`` with the word and the options that are not literal, or None; ``stands`` with
        the number of assignments of its own axes in which it stands, or None where it has none.
    """
    own = own_axes(line, axes)
    if not own or not line["leaves"]:
        return {"kindest": None, "stands": None}
    word = _word(line, axes, best)
    changed = [best[axis.name] for axis in own if best[axis.name] != axis.literal]
    told = standing(line, axes)
    differs = word != _word(line, axes, axes.literal)
    return {
        "kindest": {"verdict": word, "options": changed} if differs else None,
        "stands": {"in": int(told.sum()), "of": int(told.size)},
    }


def in_words(line: Line, axes: Axes) -> str:
    """What an output says beside an entry's word; empty where it has one reading.

    Examples
    --------
    >>> from verify.claim.axes import Axis, Option
    >>> axes = Axes([Axis("T", "what T counts", (
    ...     Option("steps", "'T iterations'", "T counts steps"),
    ...     Option("rounds", "'T rounds'", "T counts rounds")))])
    >>> line = {"verdict": "violated", "stands": {"in": 1, "of": 2},
    ...         "kindest": {"verdict": "holds", "options": ["rounds"]}}
    >>> in_words(line, axes)
    'stands if T counts rounds (in 1 of 2 readings)'
    """
    stands, kind = line.get("stands"), line.get("kindest")
    if not stands:
        return ""
    share = f"in {stands['in'] or 'none'} of {stands['of']} readings"
    if kind is None:
        return share if line["verdict"] in STANDS else f"stands {share}"
    word = kind["verdict"]
    verb = "stands" if word in STANDS and line["verdict"] not in STANDS else word
    told = " and ".join(axes.meaning[name].says for name in kind["options"])
    return f"{verb} if {told} ({share if verb == 'stands' else f'stands {share}'})"


def summary(ledger: Mapping[str, Any]) -> list[str]:
    """What readings change, a few lines for each paper with open places.

    The count as printed; then, where one reading of the whole paper makes more stand, which ones,
    and each thing that is read otherwise on a line of its own.
    """
    found = []
    for paper, raw in ledger.get("readings", {}).items():
        axes, stand = Axes.from_json(raw["axes"]), raw["stand"]
        changed = [n for n in raw["kindest"] if n not in raw["literal"]]
        told = f"{stand['literal']} of {stand['of']} main results stand as the words say"
        if not changed and stand["of"]:
            told += ", and no other reading of the whole paper makes it more"
        if raw["missing"]:
            told += f" ({len(raw['missing'])} more are not in this ledger, and not counted)"
        found.append(f"{paper}: {told}.")
        if changed:
            best = {
                axis.name: name for axis in axes for name in raw["kindest"] if name in axis.names
            }
            more = ", ".join(_gained(ledger, paper, axes, best))
            found.append(f"  Read as follows {stand['kindest']} do, {more} among them:")
            found += [f"  - {axes.meaning[name].says}" for name in changed]
    return found


def _gained(ledger: Mapping[str, Any], paper: str, axes: Axes, best: Assignment) -> Iterator[str]:
    """Main results that stand in another reading and do not as the words say, without the paper."""
    for line in ledger["entries"]:
        if line["paper"] != paper or not _counts(line):
            continue
        if _word(line, axes, best) in STANDS and _word(line, axes, axes.literal) not in STANDS:
            yield str(line["key"]).removeprefix(f"{paper}.")


def _counts(line: Line) -> bool:
    return is_result(line["kind"], line["form"]) and bool(line["leaves"])


def _word(line: Line, axes: Axes, assignment: Assignment) -> str | None:
    return conclude(line["leaves"], axes, assignment).verdict
