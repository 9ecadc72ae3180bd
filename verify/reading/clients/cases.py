"""The claims that a reading makes, each condition answered in both ways where that is asked for.

Where ``right - left = c + sum_i c_i sum_k f_i(k)`` up to a denominator, ``sum_i c_i f_i(k) >= 0``
for one client, whichever it is, is a claim without sums in which conditions on that client are
cases.  Proved, it is a hypothesis on every client for the claim itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from bounds.numbers.formal_terms import extreme_type, indicator_type, put
from bounds.numbers.symbolic import client_symbol
from verify.claim.statement import Statement
from verify.reading.clients.contradicts import FALSEHOOD, contradict
from verify.reading.clients.groups import Group
from verify.reading.clients.lowering import Lowering
from verify.reading.clients.reading import Reading
from verify.reading.parts.claim import Claim, ReadClaim
from verify.reading.parts.refusals import NotReadable

__all__ = ["Met", "Way", "claims_of_reading"]

Expr = Any

MOST_CASES = 6
"""Conditions in a row that are answered in both ways."""


@dataclass
class Met:
    """Whether claims have been made in which a way makes a difference."""

    cases: bool = False
    terms: bool = False


@dataclass(frozen=True)
class Way:
    """Whether conditions that no client enters are cases, and terms of sums claims; whether what
    would be taken apart into cases is left whole; what has been met so far; which hypothesis about
    sums the terms are weighed against, if one is."""

    cases: bool
    terms: bool
    whole: bool = False
    met: Met = field(default_factory=Met)
    against: int | None = None


def claims_of_reading(
    statement: Statement, reading: Reading, group: Group, way: Way
) -> Iterator[ReadClaim]:
    """The claims with others and, where clients are singled out, without.

    Parameters
    ----------
    statement : Statement
    reading : Reading
    group : Group
    way : Way

    Yields
    ------
    ReadClaim

    Raises
    ------
    NotReadable
        Where one of them is none.
    """
    for others in (True, False):
        found = reading if others else _alone(statement, reading, group)
        if found is None:
            continue
        label = _label(statement, found, group, others)
        for place in sorted({*found.left, *found.right}, key=str):
            if place == () and len({*found.left, *found.right}) > 1:
                continue  # one value beside those of every client
            sides = [part.get(place, part.get(())) for part in (found.left, found.right)]
            at: dict[str, Any] = {}
            if place:
                at["client"] = "every other" if place == ("k",) else str(place[0])
            terms = (
                by_terms(found, sides[0], sides[1], way.against) if way.terms and others else None
            )
            if terms is None and others and way.against is not None:
                raise NotReadable("terms that nothing can be weighed against")
            if way.against is not None and others:
                at["weighed against"] = _about_sums(found)[way.against]
            if terms is not None:
                way.met.terms = True
                one, found_here = terms
                for case, claim, vectors in _cases(
                    statement,
                    one,
                    (one.left[()], one.right[()]),
                    replace(way, cases=True, met=Met()),
                ):
                    yield ReadClaim({**label, **at, "term": "one client", **case}, claim, vectors)
            else:
                found_here = found
            for case, claim, vectors in _cases(statement, found_here, sides, way):
                yield ReadClaim({**label, **at, **case}, claim, vectors)


def _cases(
    statement: Statement,
    reading: Reading,
    sides: Sequence[Expr],
    way: Way,
    assumed: tuple[tuple[Expr, bool, bool], ...] = (),
) -> Iterator[ReadClaim]:
    """The claim, or one claim for each answer to the conditions that no client enters.

    Raises
    ------
    NotReadable
        Where there are too many conditions.
    """
    lowering = Lowering(statement, reading, assumed, way.whole and way.cases)
    claim, vectors = lowering.claim(*sides)
    way.met.cases |= bool(lowering.open)
    label = {"case": "".join(str(int(answer)) for _, _, answer in assumed)} if assumed else {}
    decided = not way.cases or not lowering.open or way.whole
    if assumed and contradict(lowering.plain, 2 if decided else 1):
        yield ReadClaim({**label, "never": True}, Claim(*FALSEHOOD, lowering.plain))
        return
    if decided:
        yield ReadClaim(label, claim, vectors)
        return
    if len(assumed) == MOST_CASES:
        raise NotReadable("too many cases")
    value, strict = next(iter(lowering.open))
    for answer in (True, False):
        yield from _cases(statement, reading, sides, way, (*assumed, (value, strict, answer)))


def _label(statement: Statement, reading: Reading, group: Group, others: bool) -> dict[str, Any]:
    axis, shapes, sizes = reading.name, group.shapes, group.sizes
    label = {n: v for n, v in shapes[0].items() if n not in sizes and n not in (axis, "d")}
    label |= dict.fromkeys([n for n in shapes[0] if n in sizes or n == "d"], "any")
    if reading.spelled:
        label["d"] = shapes[0]["d"]
    if axis:
        label[axis] = "any" if others else reading.axis.leads
        if reading.axis.leads:
            label["singled out"] = reading.axis.leads
    return label


def _alone(statement: Statement, reading: Reading, group: Group) -> Reading | None:
    """The claim about the leading clients alone; None where it is not made."""
    leads = reading.axis.leads
    if not leads or min(shape[reading.name] for shape in group.shapes) > leads:
        return None

    def parts(found: Mapping[Any, Expr]) -> dict[Any, Expr]:
        return {p: _without_others(e) for p, e in found.items() if p != ("k",)}

    return replace(
        reading,
        left=parts(reading.left),
        right=parts(reading.right),
        margins={n: parts(m) for n, m in reading.margins.items()},
    )


def _without_others(e: Expr) -> Expr:
    """A formula where the leading clients are all."""
    import sympy

    _, count = client_symbol()
    if isinstance(e, sympy.Sum):
        return sympy.Integer(0)
    if isinstance(e, extreme_type()):
        values = [_without_others(v) for lead in e.args[2] for v in lead]
        return (sympy.Max if str(e.args[0]) == "max" else sympy.Min)(*values)
    if e == count:
        return sympy.Integer(0)
    if not e.args or isinstance(e, sympy.Indexed):
        return e
    return e.func(*map(_without_others, e.args))


# -- one term of the sums ------------------------------------------------------------------------


def by_terms(
    reading: Reading, left: Expr, right: Expr, against: int | None = None
) -> tuple[Reading, Reading] | None:
    """The claim about one term, and the reading that has it for a hypothesis.

    Where a hypothesis is ``m + sum_k h(k) >= 0`` with m > 0, and the difference of the sides is
    ``c + sum_k f(k)`` with c > 0, the terms may be ``m f(k) - c h(k)``: what is left over is a
    multiple of the hypothesis.

    Parameters
    ----------
    reading : Reading
    left, right : expressions
        Two sides of it, of one place.
    against : int, optional
        Which of the hypotheses about sums the terms are weighed against.

    Returns
    -------
    (Reading, Reading) or None
        None where the difference is not linear in sums over all other clients, or no condition
        stands in them.
    """
    import sympy

    kinds = (indicator_type(), sympy.Max, sympy.Min, sympy.Abs)
    gap = right - left
    if against is None and not gap.has(*kinds):
        return None
    body = _body(gap) if against is None else _weighed(reading, gap, against)
    if body is None or not body.has(*kinds):
        return None  # without conditions the search for a proof goes term by term itself
    k, _ = client_symbol()
    leads = reading.axis.leads
    mark = reading.axis.marks[leads]
    margins = {
        name: {**margin, **({(leads,): put(margin["k",], k, mark)} if ("k",) in margin else {})}
        for name, margin in reading.margins.items()
    }
    zero = body - body
    one = replace(
        reading, left={(): zero}, right={(): put(body, k, mark)}, margins=margins, marks=(mark,)
    )
    known = {**reading.margins, "term by term": {("k",): body}}
    if reading.relation == "==":
        known["term by term, from above"] = {("k",): -body}
    return one, replace(reading, margins=known)


def _about_sums(reading: Reading) -> list[str]:
    """Names of the hypotheses about no client by itself that have sums."""
    import sympy

    return [n for n, m in reading.margins.items() if set(m) == {()} and m[()].has(sympy.Sum)]


def _weighed(reading: Reading, gap: Expr, against: int) -> Expr | None:
    """The summand of the difference and of a hypothesis, so that what stands beside cancels."""
    import sympy

    names = _about_sums(reading)
    if against >= len(names) or reading.relation == "==":
        return None
    mine, known = _apart(gap), _apart(reading.margins[names[against]][()])
    if mine is None or known is None or not (mine[0].is_positive and known[0].is_positive):
        return None
    return sympy.factor_terms(mine[1] - mine[0] / known[0] * known[1])


def _body(gap: Expr) -> Expr | None:
    """The summand of the numerator of a difference."""
    found = _apart(gap)
    return None if found is None else found[1]


@lru_cache(500)
def _apart(gap: Expr) -> tuple[Expr, Expr] | None:
    """What stands beside the sums in the numerator of a difference, and the summand."""
    import sympy

    sums: dict[Expr, Expr] = {}
    k, count = client_symbol()
    plain = _without_sums(gap, sums)
    known = {dummy: total for total, dummy in sums.items()}
    if (
        not sums
        or any(t.limits != (sympy.Tuple(k, 1, count),) for t in sums)
        or (k in plain.free_symbols)
    ):
        return None
    over, _ = sympy.fraction(sympy.together(plain))
    try:
        poly = sympy.Poly(over, *known)
    except sympy.PolynomialError:
        return None
    if poly.total_degree() != 1:
        return None
    parts = [poly.coeff_monomial(dummy) * total.function for dummy, total in known.items()]
    return poly.coeff_monomial(1), sympy.factor_terms(sympy.Add(*parts))


def _without_sums(e: Expr, sums: dict[Expr, Expr]) -> Expr:
    """An expression with a symbol for each outermost sum."""
    import sympy

    if isinstance(e, sympy.Sum):
        return sums.setdefault(e, sympy.Dummy(f"s{len(sums)}", real=True))
    if not e.args or isinstance(e, sympy.Indexed):
        return e
    return e.func(*(_without_sums(part, sums) for part in e.args))
