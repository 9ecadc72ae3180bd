"""How a claim fails, in one word, from what the ledger itself holds.

slip
    It stands once a misprint is read past that the text itself shows, and the bound that is read
    stays within a bounded factor of the printed one along each law by which the printed one falls.
condition
    It stands under further hypotheses, which are named: a form with the same formulas, or one more
    hypothesis that the program has found and put through the ladder.
constant
    The worst left/right was searched again along every size and every single number, and levels off
    along all of them as far as was seen, and along none does it grow by itself: some constant in
    front of the bound would do there.  An identity beside whose wrong form the right one stands.
order
    Left/right grows without a bound along a size or a number, all else as at one instance, or the
    right side is zero where the left one is not.
empty
    No instance meets its hypotheses: proved; or those of one of its parts.
open
    None of these has been found out.

Where a misprint can be read past and the claim still falls, the word is about the claim behind it.
Of several parts that fall the worst word is told: an order if one is known to fall so, else open if
one is open.
Everything here works on plain JSON values, so that the same code writes a ledger and checks one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import inf, log2
from typing import Any

from bounds.numbers import Undecided
from bounds.numbers.validate import InvalidInput
from verify.claim.axes import Assignment, Axes, assignments
from verify.ledger.conclude import STANDS, Conclusion, conclude, parts, tail
from verify.ledger.laws.in_print import GROWING
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

BOUNDED = "bounded"
"""Kind of a law of growth that levels off.  Of a logarithm a few values cannot tell that."""

AWAY = 1.1
"""Factor at each doubling from which one right side runs away from another."""

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
    stands = {
        str(line["key"]).removesuffix(".repaired"): str(line["key"])
        for line in lines
        if line["form"] == "repaired" and line["verdict"] in STANDS
    }
    return [
        {
            **line,
            "fails": failure_of(
                line, axes.get(line["paper"], Axes()), forms, stands.get(str(line["key"]), "")
            ),
        }
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
    line: Line,
    axes: Axes,
    forms: Mapping[str, Sequence[Mapping[str, Any]]],
    beside: str = "",
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
    beside : str
        Key of a repaired form of the entry that stands; empty where there is none.

    Returns
    -------
    dict or None
        ``kind`` and ``words``.
    """
    if line["form"] != "printed" or line["verdict"] not in (VIOLATED, VACUOUS):
        return None
    last = conclude(line["leaves"], axes)
    printed = falling = _falling(line, axes)
    empty = _empty_part(line, axes)
    if empty:
        return {"kind": "empty", "words": empty}
    behind: list[str] = []
    for options, assignment in _mended(line, axes):
        found = conclude(line["leaves"], axes, assignment)
        if found.verdict in STANDS:
            said = " and ".join(axes.meaning[name].says for name in options)
            words = f"it {_stands(found)} if {said}"
            far = _far_from(printed, line, axes, assignment)
            if not far:
                return {"kind": "slip", "words": words}
            return {"kind": "order", "words": f"{far}; {words}"}
        if found.deciding is not None:
            last, behind = found, options
            falling = _falling(line, axes, assignment)
    kind, words = _worst(last, falling, forms, beside)
    if behind and kind:
        said = " and ".join(axes.meaning[name].says for name in behind)
        words = f"also if {said}: {words}"
    return {"kind": kind, "words": words} if kind else None


def _empty_part(line: Line, axes: Axes) -> str:
    """What is said of a part, no step of a proof, whose hypotheses no instance meets."""
    for leaf in parts(line["leaves"], axes, None):
        own = tail(str(leaf["id"]))
        if leaf["verdict"] == VACUOUS and not own.startswith("proof") and _is_empty(leaf):
            return f"{own}: no instance meets the hypotheses" if own else "no instance meets them"
    return ""


def _is_empty(leaf: Line) -> bool:
    links = [item.get("link") or {} for item in leaf["evidence"]]
    return any(one.get("kind") == "empty" and one.get("verdict") == PROVED for one in links)


def _far_from(printed: Sequence[Line], line: Line, axes: Axes, assignment: Assignment) -> str:
    """How the printed claim falls by no bounded factor though another reading of it stands.

    Its own left/right grows, or its right side leaves every factor of the one that is read. Where
    the other reading compares means and the printed one single runs, only the latter counts: along
    one run no mean is bounded. Of an identity nothing is asked. Empty where the factor is bounded.
    """
    read = {str(leaf["id"]) for leaf in parts(line["leaves"], axes, assignment)}
    for leaf in printed:
        if _shown(leaf).get("relation") == "==":
            continue
        for item in leaf.get("read", ()):
            away = item.get("alike") or _runs_away([y for _, y in item["values"]])
            if item["leaf"] in read and away:
                law = next(law for law in leaf["laws"] if law["along"] == item["along"])
                return f"the printed bound is off by no bounded factor: {law['text']}"
    return ""


def _runs_away(ratios: Sequence[float]) -> bool:
    """Whether the right side of another reading leaves every factor of the printed one.

    By a tenth or more at each of the last three steps: what closes in on a bound slows down.
    """
    last = [abs(y) for y in ratios[-4:]]
    return len(last) == 4 and all(b >= AWAY * a > 0 for a, b in pairwise(last))


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
    found: Conclusion,
    falling: Sequence[Line],
    forms: Mapping[str, Sequence[Mapping[str, Any]]],
    beside: str,
) -> tuple[str, str]:
    """Kind and words of the part that falls worst; of the deciding leaf where none falls."""
    if found.verdict != VIOLATED or len(falling) < 2:
        return _of_leaf(found.deciding, found.verdict, forms, beside)
    kinds = [(*_of_leaf(leaf, VIOLATED, forms, beside), leaf) for leaf in falling]
    kind, words, leaf = max(kinds, key=lambda item: HARM.index(item[0]))
    return kind, f"{tail(str(leaf['id']))}: {words}"


def _of_leaf(
    leaf: Mapping[str, Any] | None,
    verdict: str | None,
    forms: Mapping[str, Sequence[Mapping[str, Any]]],
    beside: str,
) -> tuple[str, str]:
    """Kind and words by one leaf; no kind where the claim says nothing, but is met."""
    if leaf is None or verdict not in (VIOLATED, VACUOUS):
        return "open", "what is left when the misprints are read past is undecided"
    if verdict == VACUOUS:
        return ("empty", "no instance meets the hypotheses") if _is_empty(leaf) else ("", "")
    conditions = forms.get(str(leaf["id"]), ())
    if conditions:
        least = min(conditions, key=lambda item: len(item["given"]))
        return "condition", f"it stands under: {'; '.join(least['given'])} ({least['leaf']})"
    if _shown(leaf).get("relation") == "==" and beside:
        return "constant", f"another right side stands in its place ({beside})"
    along = _along_a_ray(leaf)
    if along:
        return "order", along
    if _without_a_right_side(leaf):
        return "order", "the right side is zero where the left one is not"
    growing = [law for law in leaf.get("laws", ()) if law["kind"] in GROWING]
    if growing and _shown(leaf).get("relation") != "==":
        return "order", str(growing[0]["text"])
    searched = leaf.get("searched", ())
    bounded = [law for law in searched if law["kind"] == BOUNDED]
    if bounded and len(bounded) == len(searched) >= bounded[0].get("of", inf):
        return "constant", _highest(leaf, bounded)
    under = [item for item in leaf.get("repairs", ()) if item.get("given")]
    if under:
        return "condition", f"{_WORD[under[0]['word']]} under {under[0]['given']}"
    return "open", _open(leaf, searched)


def _highest(leaf: Line, bounded: Sequence[Mapping[str, Any]]) -> str:
    """How far it falls, and along how many sizes and numbers it grows no further."""
    worst = (leaf.get("tightness") or {}).get("ratio")
    most = f"{worst:.4g}" if worst is not None else "a bound"
    count = len(bounded)
    return f"left/right is at most {most} as far as was searched, along {count} sizes and numbers"


def _open(leaf: Line, searched: Sequence[Mapping[str, Any]]) -> str:
    """What is known of a claim of which nobody knows how it falls."""
    told = leaf.get("laws", ())
    if told:
        return str(told[0]["text"])
    # of all ladders the one whose ratio still grows says most
    rising = [law for law in searched if law["values"][-1][1] > law["values"][0][1]]
    if not rising:
        worst = (leaf.get("tightness") or {}).get("ratio")
        return f"left/right up to {worst:.4g}" if worst is not None else "nothing was followed"
    low, high = min(y for _, y in rising[0]["values"]), max(y for _, y in rising[0]["values"])
    return (
        f"the worst left/right found goes from {low:.4g} to {high:.4g}, other numbers moving too, "
        "by no law of one number alone"
    )


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
