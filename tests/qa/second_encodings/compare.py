"""Whether two encodings of one claim say the same: both are scored on the same instances.

Instances are corners of the box, points of it, points a little outside, and points found inside
the hypotheses of either encoding.  Two encodings agree if the same instances meet the hypotheses
and if, on these, the sides agree up to a positive factor or after terms have moved across.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tests.qa.second_encodings.draws import batches, spread
from tests.qa.second_encodings.record import Second
from verify.claim import Hypothesis, Instance, Statement
from verify.verdict import relation
from verify.world.score import Score, score

__all__ = ["Comparison", "as_statement", "compare"]

RTOL = 1e-9
"""Two float64 evaluations of one formula by different expressions; as `relation.ROUNDING`."""

EDGE = 1e-9
"""A hypothesis missed by less is on its edge, where rounding decides."""

NOTHING = 1e-26
"""What rounding leaves of differences of numbers of order one, squared: 0, computed two ways."""

HOW = ("identical", "up to a factor or moved terms", "by their largest ratio alone")


@dataclass(frozen=True)
class Comparison:
    """What became of two encodings.

    Parameters
    ----------
    result : str
        ``same``, ``sides differ``, ``hypotheses differ``, ``both differ``, or ``not comparable``
        with the reason.
    how : str
        For the same: in how far (identical, up to a factor, after moving terms).
    instance : Instance or None
        The first one on which they differ.
    numbers : str
        What both say there.
    met, drawn : int
        Instances that meet the hypotheses of both, and all.
    """

    result: str
    how: str = ""
    instance: Instance | None = None
    numbers: str = ""
    met: int = 0
    drawn: int = 0

    @property
    def same(self) -> bool:
        """Whether they agree."""
        return self.result == "same"

    def __str__(self) -> str:
        where = "" if self.instance is None else f" at {_shown(self.instance)}"
        text = f"{self.result} ({self.met} of {self.drawn} within both)"
        return f"{text} {self.how}{self.numbers}{where}"


def as_statement(second: Second, leaf: Statement) -> Statement:
    """The second encoding as a statement on the instances of the first."""
    given = [
        Hypothesis(name, name, rule, strict=name in second.strict)
        for name, rule in second.given.items()
    ]
    return Statement(
        key=leaf.key,
        source=leaf.source,
        latex=leaf.latex,
        family=leaf.family,
        sides=second.sides,
        given=given,
        defines=second.defines,
        relation=second.relation,
        over=second.over,
        delta=second.delta,
        form=leaf.form,
    )


def compare(second: Second, leaf: Statement, count: int = 1000, seed: int = 20221) -> Comparison:
    """Score both encodings on about ``count`` instances and say whether they agree.

    Parameters
    ----------
    second : Second
    leaf : Statement
        The encoding of the package, one reading of the part.
    count : int
        Instances over all families and shapes.
    seed : int

    Returns
    -------
    Comparison
    """
    if second.sides is None or leaf.sides is None:
        both = second.sides is None and leaf.sides is None
        if both:
            return Comparison("same", how="neither has sides")
        return Comparison("not comparable", numbers=f": {second.missing or leaf.missing}")
    rng = np.random.default_rng(seed)
    found: list[tuple[Score, Score]] = []
    for family in (leaf.family, *leaf.also):
        first = replace(leaf, family=family, also=())
        other = as_statement(second, first)
        shapes = spread(family.shapes)
        per_shape = count // (len(shapes) * (1 + len(leaf.also)))
        for shape in shapes:
            for batch in batches((first, other), shape, per_shape, rng):
                found.append((score(first, batch), score(other, batch)))
    return _verdict(found)


def _verdict(found: list[tuple[Score, Score]]) -> Comparison:
    drawn = sum(len(first.ratio) for first, _ in found)
    both = sum(int((first.feasible & second.feasible).sum()) for first, second in found)
    given, edges = _first_given(found)
    sides, way = _first_sides(found, both)
    result = {
        (False, False): "same",
        (True, False): "hypotheses differ",
        (False, True): "sides differ",
        (True, True): "both differ",
    }[bool(given), bool(sides)]
    shown, numbers = None, ""
    for part in (given, sides):
        if part:
            shown = part[0] if shown is None else shown
            numbers += f"; {part[1]}" if part[0] is shown else f"; {part[1]} at {_shown(part[0])}"
    how = way if not sides else ""
    if edges:
        how += f", {edges} on the edge of one hypothesis alone"
    return Comparison(result, how, shown, numbers, both, drawn)


def _first_given(found: list[tuple[Score, Score]]) -> tuple[tuple[Instance, str] | None, int]:
    """The first instance that meets the hypotheses of one alone, and the count of edge cases."""
    edges, shown = 0, None
    none = not any((first.feasible | second.feasible).any() for first, second in found)
    for first, second in found:
        apart = first.feasible != second.feasible
        if none:  # both exclude everything: do they do so by the same hypotheses?
            defined = ~_undefined(first) & ~_undefined(second)
            apart = _unmatched(first, second, defined) | _unmatched(second, first, defined)
        edge = _on_edge(first) | _on_edge(second)
        edges += int((apart & edge).sum())
        if (apart & ~edge).any() and shown is None:
            j = int(np.argmax(apart & ~edge))
            shown = first.world.instance[j], f"{_missed(first, j)} | {_missed(second, j)}"
    return shown, edges


def _first_sides(
    found: list[tuple[Score, Score]], both: int
) -> tuple[tuple[Instance, str] | None, str]:
    """The first instance on which the sides differ, and how they agree where none does.

    Sides are compared within the hypotheses of both; where no instance meets both, of either;
    where none meets any (they may exclude each other), everywhere.
    """
    ways = [0]
    none = not any((first.feasible | second.feasible).any() for first, second in found)
    for first, second in found:
        within = first.feasible & second.feasible if both else first.feasible | second.feasible
        within = within | none
        way, agreed = _agreement(first, second)
        if (within & ~agreed).any():
            j = int(np.argmax(within & ~agreed))
            return (first.world.instance[j], f"{_sides(first, j)} | {_sides(second, j)}"), ""
        ways += list(way[within])
    return None, HOW[max(ways)]


def _unmatched(one: Score, other: Score, defined: Any) -> np.ndarray[Any, Any]:
    """Instances on which some hypothesis of one is met otherwise than every one of the other.

    Each hypothesis is given the one of the other that agrees with it most often where both
    encodings have values.
    """
    apart = np.zeros(len(one.ratio), dtype=bool)
    there = [_met(other, name) for name in other.margins]
    for name in one.margins:
        here = _met(one, name)
        if not here[defined].all():
            apart |= min((defined & (here != met) for met in there), key=np.sum, default=~here)
    return apart


def _undefined(found: Score) -> np.ndarray[Any, Any]:
    """Instances on which a side or a margin has no value."""
    none = np.isnan(found.ratio)
    for margin in found.margins.values():
        none = none | np.isnan(np.asarray(margin, float)).any(axis=1)
    return np.asarray(none)


def _met(found: Score, name: str) -> np.ndarray[Any, Any]:
    value = np.asarray(found.margins[name], float).min(axis=1)
    met = relation.meets(value, name in found.strict) | (np.abs(value) <= EDGE)
    return np.asarray(np.broadcast_to(met, found.ratio.shape))


def _agreement(first: Score, second: Score) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """How two scores agree on each instance (0 value by value, 1, 2), and whether they do."""
    (a, b), (c, d) = _ordered(first), _ordered(second)
    nowhere = np.isnan(first.ratio) & np.isnan(second.ratio)
    largest = _close(first.ratio, second.ratio) | nowhere
    if a.shape != c.shape:
        return np.full(len(largest), 2), largest
    identical = (_close(a, c) & _close(b, d)).all(1)
    if "==" in (first.relation, second.relation):
        identical |= (_close(a, d) & _close(b, c)).all(1)
    scale = np.maximum(np.maximum(abs(a), abs(b)), np.maximum(abs(c), abs(d)))
    with np.errstate(all="ignore"):
        moved = (abs((a - b) - (c - d)) <= RTOL * scale).all(1)
        factor = _close(a * d, b * c).all(1)
        if "==" in (first.relation, second.relation):
            # the quotient of an identity that holds is 1 whatever it says
            factor &= ~(_close(a, b) | _close(c, d)).any(1)
        nowhere |= (scale <= NOTHING).all(1)
    agreed = identical | moved | factor | nowhere
    return np.where(identical | nowhere, 0, 1), agreed


def _ordered(found: Score) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The side that is claimed to be smaller, and the other."""
    left, right = np.broadcast_arrays(np.asarray(found.left, float), np.asarray(found.right, float))
    return (right, left) if found.relation == ">=" else (left, right)


def _close(a: Any, b: Any) -> Any:
    with np.errstate(all="ignore"):
        near = np.abs(a - b) <= RTOL * np.maximum(np.abs(a), np.abs(b))
    return near | (a == b)


def _on_edge(found: Score) -> np.ndarray[Any, Any]:
    """Whether an instance misses something, and all that it misses by rounding at most."""
    missed = np.zeros(len(found.ratio), dtype=bool)
    far = np.isnan(found.ratio)
    for name, margin in found.margins.items():
        value = np.asarray(margin, float).min(axis=1)
        met = relation.meets(value, name in found.strict)
        missed = missed | ~met
        far = far | (~met & ~(np.abs(value) <= EDGE))
    return np.asarray(missed & ~far)


# -- what is shown ---------------------------------------------------------------------------------


def _missed(found: Score, j: int) -> str:
    missed = {}
    for name, margin in found.margins.items():
        value = float(np.asarray(margin, float)[min(j, len(margin) - 1)].min())
        if not relation.meets(value, name in found.strict):
            missed[name] = value
    if np.isnan(found.ratio[j]):
        return "a side has no value"
    return "misses " + ", ".join(f"{k} by {v:.4g}" for k, v in missed.items()) if missed else "met"


def _sides(found: Score, j: int) -> str:
    parts = []
    for value in (found.left, found.right):
        row = np.asarray(value, float)
        row = row[min(j, len(row) - 1)]
        parts.append("[" + ", ".join(f"{x:.10g}" for x in row[:4]) + "]")
    return f" {found.relation} ".join(parts)


def _shown(instance: Instance) -> str:
    parts = {**instance.data, **instance.params}
    return ", ".join(
        f"{k}={np.round(v, 6).tolist() if isinstance(v, np.ndarray) else v}"
        for k, v in parts.items()
    )
