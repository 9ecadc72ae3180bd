"""How a claim fails, in one word, from what the ledger itself holds.

slip
    It stands once a misprint is read past that the text itself shows.
condition
    It stands under further hypotheses, which are named: a form with the same formulas, or one more
    hypothesis that the program has found and put through the ladder.
constant
    Left/right was followed along every size and every single number, and levels off along all of
    them as far as was seen: some constant in front of the bound would do there.
order
    The worst ratios found grow like a power or an exponential along a size or a number, as far as
    they were followed, or the right side is zero where the left one is not.
empty
    No instance meets its hypotheses: proved.
open
    None of these has been found out.

Where a misprint can be read past and the claim still falls, the word is about the claim behind it.
Of several parts that fall the worst word is told: an order if one is known to fall so, else open if
one is open.
Everything here works on plain JSON values, so that the same code writes a ledger and checks one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf, log2
from typing import Any

from bounds.numbers import Undecided
from bounds.numbers.validate import InvalidInput
from verify.claim.axes import Assignment, Axes, assignments
from verify.ledger.conclude import STANDS, Conclusion, conclude, parts, tail
from verify.ledger.readings import in_words, own_axes
from verify.ledger.rests import rests_in_words
from verify.verdict.evidence import number_from_json
from verify.verdict.verdict import HOLDS, INCONCLUSIVE, NOT_CHECKABLE, PROVED, VACUOUS, VIOLATED

__all__ = ["KINDS", "TALLIED", "fails_in_words", "failure_of", "notes", "tally", "with_failures"]

KINDS = ("slip", "condition", "constant", "order", "empty", "open")
"""All words, the least harm first."""

HARM = ("slip", "condition", "constant", "open", "order")
"""Words of a part, the worst last: what is open may be an order, and nothing is worse than one."""

_WORD = {PROVED: "it is proved", HOLDS: "it holds"}

BOUNDED, GROWING = "bounded", ("exponential", "faster", "power")
"""Kinds of laws of growth (`verify.ladder.repair.laws`) that say how far a claim falls.

Of a logarithm a few values cannot tell whether it ends.
"""

STAND = "stand"
TALLIED = (STAND, *KINDS, INCONCLUSIVE, NOT_CHECKABLE, VACUOUS, VIOLATED)
"""What entries are counted by; the last two are of ledgers that do not say how claims fall."""

Line = Mapping[str, Any]
"""Entry of a ledger."""


def with_failures(lines: Sequence[Line], axes: Mapping[str, Axes]) -> list[dict[str, Any]]:
    """Entries with ``fails``: how a printed claim falls, or None.

    Parameters
    ----------
    lines : sequence of mappings
        All entries of a ledger.
    axes : mapping
        Open places of each paper.
    """
    words = {str(leaf["id"]): str(leaf["verdict"]) for line in lines for leaf in line["leaves"]}
    forms: dict[str, list[Mapping[str, Any]]] = {}
    for line in lines:
        for item in line.get("narrows", ()):
            if words.get(item["leaf"]) in STANDS:
                forms.setdefault(str(item["of"]), []).append(item)
    return [
        {**line, "fails": failure_of(line, axes.get(line["paper"], Axes()), forms)}
        for line in lines
    ]


def fails_in_words(line: Line) -> str:
    """What an output says about how an entry falls; empty where it does not."""
    fails = line.get("fails")
    return f"{fails['kind']}: {fails['words']}" if fails else ""


def notes(line: Line, axes: Axes) -> str:
    """All that an output says beside an entry's word.

    How it falls, its readings, and empty claims below it.
    """
    said = (fails_in_words(line), in_words(line, axes), rests_in_words(line))
    return "; ".join(text for text in said if text)


def tally(lines: Sequence[Line]) -> dict[str, int]:
    """How many entries stand, fall in which way, or are left undecided; only what there is."""
    words = [_column(line) for line in lines if line["verdict"] is not None]
    return {word: words.count(word) for word in TALLIED if word in words}


def _column(line: Line) -> str:
    fails = line.get("fails")
    if line["verdict"] in STANDS:
        return STAND
    return str(fails["kind"]) if fails else str(line["verdict"])


def failure_of(
    line: Line, axes: Axes, forms: Mapping[str, Sequence[Mapping[str, Any]]]
) -> dict[str, str] | None:
    """How one entry falls; None where it does not, or is no printed claim.

    Parameters
    ----------
    line : mapping
    axes : Axes
        Of its paper.
    forms : mapping
        By the key of a printed leaf, the forms that stand and say the same under more hypotheses
        (`verify.catalogue.narrowed`).

    Returns
    -------
    dict or None
        ``kind`` and ``words``.
    """
    if line["form"] != "printed" or line["verdict"] not in (VIOLATED, VACUOUS):
        return None
    last = conclude(line["leaves"], axes)
    falling = _falling(line, axes)
    behind: list[str] = []
    for options, assignment in _mended(line, axes):
        found = conclude(line["leaves"], axes, assignment)
        if found.verdict in STANDS:
            said = " and ".join(axes.meaning[name].says for name in options)
            return {"kind": "slip", "words": f"it {_stands(found)} if {said}"}
        if found.deciding is not None:
            last, behind = found, options
            falling = _falling(line, axes, assignment)
    kind, words = _worst(last, falling, forms)
    if behind and kind:
        said = " and ".join(axes.meaning[name].says for name in behind)
        words = f"also if {said}: {words}"
    return {"kind": kind, "words": words} if kind else None


def _mended(line: Line, axes: Axes) -> Iterator[tuple[list[str], Assignment]]:
    """Options and readings in which misprints are read past, fewest first; all of them last."""
    slips = [axis for axis in own_axes(line, axes) if axis.slip]
    found = []
    for taken in assignments(slips):
        options = [name for axis, name in taken.items() if name != axes.literal[axis]]
        if options:
            found.append((options, {**axes.literal, **taken}))
    yield from sorted(found, key=lambda item: len(item[0]))


def _falling(line: Line, axes: Axes, assignment: Assignment | None = None) -> list[Line]:
    """The parts of an entry that fall in one reading, in their order."""
    taken = parts(line["leaves"], axes, assignment)
    return [leaf for leaf in taken if leaf["verdict"] == VIOLATED]


def _worst(
    found: Conclusion, falling: Sequence[Line], forms: Mapping[str, Sequence[Mapping[str, Any]]]
) -> tuple[str, str]:
    """Kind and words of the part that falls worst; of the deciding leaf where none falls."""
    if found.verdict != VIOLATED or len(falling) < 2:
        return _of_leaf(found.deciding, found.verdict, forms)
    kinds = [(*_of_leaf(leaf, VIOLATED, forms), leaf) for leaf in falling]
    kind, words, leaf = max(kinds, key=lambda item: HARM.index(item[0]))
    return kind, f"{tail(str(leaf['id']))}: {words}"


def _of_leaf(
    leaf: Mapping[str, Any] | None,
    verdict: str | None,
    forms: Mapping[str, Sequence[Mapping[str, Any]]],
) -> tuple[str, str]:
    """Kind and words by one leaf; no kind where the claim says nothing, but is met."""
    if leaf is None or verdict not in (VIOLATED, VACUOUS):
        return "open", "what is left when the misprints are read past is undecided"
    if verdict == VACUOUS:
        links = [item.get("link") or {} for item in leaf["evidence"]]
        empty = any(one.get("kind") == "empty" and one.get("verdict") == PROVED for one in links)
        return ("empty", "no instance meets the hypotheses") if empty else ("", "")
    conditions = forms.get(str(leaf["id"]), ())
    if conditions:
        least = min(conditions, key=lambda item: len(item["given"]))
        return "condition", f"it stands under: {'; '.join(least['given'])} ({least['leaf']})"
    along = _along_a_ray(leaf)
    if along:
        return "order", along
    if _without_a_right_side(leaf):
        return "order", "the right side is zero where the left one is not"
    laws = leaf.get("laws", ())
    growing = [law for law in laws if law["kind"] in GROWING]
    if growing:
        return "order", str(growing[0]["text"])
    bounded = [law for law in laws if law["kind"] == BOUNDED]
    if bounded and len(bounded) == len(laws) >= bounded[0].get("of", inf):
        return "constant", _highest(bounded)
    under = [item for item in leaf.get("repairs", ()) if item.get("given")]
    if under:
        return "condition", f"{_WORD[under[0]['word']]} under {under[0]['given']}"
    if laws:  # one that rises by no law, if there is one: where it levels off elsewhere is no size
        most = next((law for law in laws if law["kind"] == "unknown"), laws[0])
        return "open", f"{most['text']}; {_followed(laws)}"
    return "open", "how far it falls was not followed"


def _highest(laws: Sequence[Mapping[str, Any]]) -> str:
    """Where left/right levels off: the highest place of all, and along how many others."""
    most = max(laws, key=lambda law: (law.get("supremum") or [0.0])[-1])
    others = f"; no higher along {len(laws) - 1} more" if len(laws) > 1 else ""
    return f"{most['text']}{others}"


def _followed(laws: Sequence[Mapping[str, Any]]) -> str:
    """How much of what there was to follow the laws speak of."""
    return f"{len(laws)} of {laws[0].get('of', len(laws))} sizes and numbers have a law"


def _along_a_ray(leaf: Mapping[str, Any]) -> str:
    """How an order claim fell: the power with which left/right grows along its ray, exactly."""
    shown = _shown(leaf)
    near, doublings = shown.get("near"), shown.get("doublings")
    if shown.get("relation") != "<~" or not near or not doublings:
        return ""
    start, end = _ratio(near), _ratio(shown)
    if not start or not 0 < end < inf:
        return str(leaf["reason"])
    return f"{leaf['reason']}, with the exponent {log2(end / start) / doublings:.3g}"


def _without_a_right_side(leaf: Mapping[str, Any]) -> bool:
    """Whether the claim is an upper bound that is zero at the witness."""
    shown = _shown(leaf)
    return shown.get("relation", "<=") in ("<=", "<~") and _ratio(shown) == inf


def _shown(leaf: Mapping[str, Any]) -> Mapping[str, Any]:
    """The numbers of a leaf's witness, as its evidence has them."""
    found: Iterator[Mapping[str, Any]]
    found = (item["witness"] for item in leaf["evidence"] if item.get("witness"))
    return next(found, {})


def _ratio(point: Mapping[str, Any]) -> float:
    """left/right at a point, infinite where the right side alone is zero; 0 where it has none."""
    try:
        left, right = (number_from_json(point[side]) for side in ("left", "right"))
        if not bool(left > 0):
            return 0.0
        return inf if bool(right == 0) else float(left) / float(right)
    except (Undecided, InvalidInput, LookupError, ArithmeticError):
        return 0.0


def _stands(found: Conclusion) -> str:
    return "is proved" if found.verdict == PROVED else "holds"
