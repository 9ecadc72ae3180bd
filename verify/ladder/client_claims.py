"""Claims about any number of clients with some of them singled out, ready for a proof.

Leading clients get symbols of their own, ``x_0``; ``x[k]`` is any of the N others, and a claim
about leading clients alone stands beside the one with others.  What is no rational function gets a
symbol and the facts that characterise it become hypotheses: an indicator is 0 or 1, a largest value
is at least each one.  A proof from the facts proves the claim.  Where that does not suffice, a
largest value is attained: each client that may attain it is a case of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Any

from bounds.numbers.formal_terms import extreme_type, put
from bounds.numbers.symbolic import client_symbol
from verify.claim.statement import Statement
from verify.ladder.client_reading import FIXED, Reading, axes_of, read_clients
from verify.ladder.client_shares import with_shares
from verify.ladder.client_sizes import with_length
from verify.ladder.client_symbols import Claim, Lowering
from verify.ladder.client_terms import by_terms
from verify.ladder.client_values import agrees_everywhere
from verify.ladder.free_parts import freed
from verify.ladder.listed_sizes import all_listed
from verify.ladder.run_claims import run_claim_sets
from verify.world.noise_plan import NotAvailable

__all__ = ["claim_sets"]

Expr = Any
Labelled = tuple[dict[str, Any], Claim, tuple[str, ...]]
"""A label, a claim, and the names in it that stand for one coordinate of a vector."""

MOST_LEADS = 2
"""Clients that a claim itself may single out."""

FALSEHOOD = (1, 0, "<=")
"""What is claimed where a case cannot happen: its hypotheses are the whole proof."""

MOST_CASES = 6
"""Conditions in a row that are answered in both ways."""

MOST_EXTREMES = 2
"""Largest and smallest values for which it is tried who attains them."""

ERRORS = (TypeError, ValueError, LookupError, NotAvailable, AttributeError, ArithmeticError)


def claim_sets(statement: Statement, whole: bool = False) -> Iterator[list[Labelled]]:
    """Sets of claims each of which is what a statement says, the simplest set first.

    Parameters
    ----------
    statement : Statement
        About numbers, or about runs on smooth losses, at each point.
    whole : bool
        Whether to leave the claims whole that would be taken apart into cases.

    Yields
    ------
    list of (label, claim, vectors)
    """
    read = False
    for name in axes_of(statement):
        for claims in _claim_sets(statement, name, whole):
            read = True
            yield claims
    beside = [name for name in axes_of(statement) if name != "d"]
    for name in beside if not read and all_listed(statement) else ():
        for claims in _claim_sets(statement, name, whole, True):
            read = True
            yield claims
    if not read:
        yield from run_claim_sets(statement)


def _claim_sets(
    statement: Statement, name: str, whole: bool, spelled: bool = False
) -> Iterator[list[Labelled]]:
    groups = _groups(statement, name, spelled)
    plain = [_read(statement, shapes, name, sizes, 0, spelled) for shapes, sizes in groups or ()]
    readings = [r for r in plain if r is not None]
    if groups is None or len(readings) < len(plain):
        return
    together = list(zip(readings, groups, strict=True))
    yield from _sets(
        lambda way: [c for r, g in together for c in _claims(statement, r, g, way)], whole)
    yield from _freed(statement, together, whole)
    if any(r.unshared for r in readings) and not whole:
        apart = [(r.unshared or r, g) for r, g in together]
        yield from _plain(statement, apart)
        yield from _freed(statement, apart, whole)
    counts = {len(_extremes(r)) for r in readings}
    for who in _attaining(max(counts)) if len(counts) == 1 else ():
        yield from _sets(lambda way, who=who: [  # type: ignore[misc]
            c for r, g in together for c in _attained(statement, r, g, who, way)], whole)


def _sets(made: Callable[[Way], list[Labelled]], whole: bool) -> Iterator[list[Labelled]]:
    """Sets of claims: with the terms of sums as claims of their own, as they stand, and with a
    claim for each case."""
    seen: list[int] = []
    for way in (Way(False, True), Way(False, False), Way(True, True), Way(True, False)):
        try:
            claims = made(replace(way, whole=whole))
        except ERRORS:
            continue
        if whole or len(claims) not in seen:
            seen.append(len(claims))
            yield claims


def _plain(statement: Statement, together: Sequence[Any]) -> Iterator[list[Labelled]]:
    """The claims as they stand, with positive numbers for what parts of one are of."""
    with suppress(*ERRORS):
        claims = [c for r, g in together for c in _claims(statement, r, g, Way(False, False))]
        yield [({**label, "parts of one": "as given"}, claim, vectors)
               for label, claim, vectors in claims]


def _freed(statement: Statement, together: Sequence[Any], whole: bool) -> Iterator[list[Labelled]]:
    """The claims as they stand with parts of them as any numbers; nothing where none is freed."""
    try:
        claims = [c for r, g in together for c in _claims(statement, r, g, Way(False, False))]
        found = [(label, *freed(claim), vectors) for label, claim, vectors in claims]
    except ERRORS:
        return
    if not whole and any(meanings for *_, meanings, _ in found) and not any(v for *_, v in found):
        yield [({**label, "parts": meanings}, claim, ()) for label, claim, meanings, _ in found]


@dataclass(frozen=True)
class Way:
    """Whether conditions that no client enters are cases, and terms of sums claims; whether what
    would be taken apart into cases is left whole."""

    cases: bool
    terms: bool
    whole: bool = False


def _attaining(count: int) -> Iterator[tuple[int, ...]]:
    """Which of the largest and smallest values it is tried who attains them, few of them first."""
    for size in range(1, min(count, MOST_EXTREMES) + 1):
        yield from combinations(range(count), size)


# -- reading ---------------------------------------------------------------------------------------


def _groups(
    statement: Statement, axis: str, spelled: bool
) -> list[tuple[list[Any], dict[str, Any]]] | None:
    """Listed shapes that differ in sizes alone, with a symbol for each size but the axis.

    Where coordinates are spelled out, those of one dimension each.
    """
    import sympy

    shapes = statement.family.shapes
    groups: dict[str, list[Any]] = {}
    per = {a for p in statement.family.box.values() for a in p.per}
    sizes = {
        n for n in {n for shape in shapes for n in shape} - per
        if all(isinstance(s[n], int) and not isinstance(s[n], bool) and s[n] >= 0
               for s in shapes if n in s)
        and (n in FIXED or len({s[n] for s in shapes if n in s}) > 1)
    }
    for shape in shapes:
        options = {n: v for n, v in shape.items()
                   if (n == "d" and spelled) or (n not in sizes and n not in (axis, "d"))}
        groups.setdefault(repr(sorted(options.items(), key=str)), []).append(shape)
    if any(shape.get(n, 1) < 1 for shape in shapes for n in sizes):
        return None
    symbols = {n: sympy.Symbol(f"{n}_", integer=True, positive=True) for n in sizes}
    return [(group, {n: s for n, s in symbols.items() if n in group[0]})
            for group in groups.values()]


def _read(
    statement: Statement, shapes: Sequence[Any], name: str, sizes: Mapping[str, Expr], leads: int,
    spelled: bool,
) -> Reading | None:
    """The reading with the fewest leading clients, at least so many; None if there is none."""
    for more in range(leads, max(leads, MOST_LEADS) + 1):
        if more and not name:
            return None
        try:
            reading = read_clients(statement, shapes[0], name, more, sizes, spelled=spelled)
        except ERRORS:
            continue
        if agrees_everywhere(statement, shapes, reading):
            return with_shares(statement, reading)
        return _with_length(statement, shapes, reading)
    return None


def _with_length(
    statement: Statement, shapes: Sequence[Any], reading: Reading
) -> Reading | None:
    """The reading in which numbers that go with the length of an array do; None if it has none."""
    if not reading.name:
        return None
    try:
        longer = [read_clients(statement, shapes[0], reading.name, reading.axis.leads,
                               reading.sizes, more, reading.spelled) for more in (1, 2, 3)]
        found = with_length([reading, *longer])
    except ERRORS:
        return None
    same = agrees_everywhere(statement, shapes, found)
    return with_shares(statement, found) if same else None


# -- claims ----------------------------------------------------------------------------------------


def _claims(
    statement: Statement, reading: Reading, group: Any, way: Way
) -> Iterator[Labelled]:
    """The claims with others and, where clients are singled out, without."""
    for others in (True, False):
        found = reading if others else _alone(statement, reading, group)
        if found is None:
            continue
        label = _label(statement, found, group, others)
        for place in sorted({*found.left, *found.right}, key=str):
            if place == () and len({*found.left, *found.right}) > 1:
                continue  # one value beside those of every client
            sides = [part.get(place, part.get(())) for part in (found.left, found.right)]
            at = {"client": "every other" if place == ("k",) else str(place[0])} if place else {}
            terms = by_terms(found, *sides) if way.terms and others else None
            if terms is not None:
                one, found_here = terms
                for case, claim, vectors in _cases(statement, one, (one.left[()], one.right[()]),
                                                   replace(way, cases=True)):
                    yield {**label, **at, "term": "one client", **case}, claim, vectors
            else:
                found_here = found
            for case, claim, vectors in _cases(statement, found_here, sides, way):
                yield {**label, **at, **case}, claim, vectors


def _cases(
    statement: Statement, reading: Reading, sides: Sequence[Expr], way: Way,
    assumed: tuple[tuple[Expr, bool, bool], ...] = (),
) -> Iterator[tuple[dict[str, Any], Claim, tuple[str, ...]]]:
    """The claim, or one claim for each answer to the conditions that no client enters.

    Raises
    ------
    TypeError
        Where there are too many conditions.
    """
    lowering = Lowering(statement, reading, assumed, way.whole and way.cases)
    claim, vectors = lowering.claim(*sides)
    label = {"case": "".join(str(int(answer)) for _, _, answer in assumed)} if assumed else {}
    decided = not way.cases or not lowering.open or way.whole
    if assumed and _contradicts(lowering.plain, 2 if decided else 1):
        yield {**label, "never": True}, (*FALSEHOOD, lowering.plain), ()
        return
    if decided:
        yield label, claim, vectors
        return
    if len(assumed) == MOST_CASES:
        raise TypeError("too many cases")
    value, strict = next(iter(lowering.open))
    for answer in (True, False):
        yield from _cases(statement, reading, sides, way, (*assumed, (value, strict, answer)))


def _contradicts(hypotheses: Sequence[Any], degree: int) -> bool:
    """Whether the hypotheses of a case are seen to contradict each other."""
    from verify.certify.prove import certify

    return certify(*FALSEHOOD, hypotheses, degree) is not None


def _label(
    statement: Statement, reading: Reading, group: Any, others: bool
) -> dict[str, Any]:
    axis, (shapes, sizes) = reading.name, group
    label = {n: v for n, v in shapes[0].items() if n not in sizes and n not in (axis, "d")}
    label |= dict.fromkeys([n for n in shapes[0] if n in sizes or n == "d"], "any")
    if reading.spelled:
        label["d"] = shapes[0]["d"]
    if axis:
        label[axis] = "any" if others else reading.axis.leads
        if reading.axis.leads:
            label["singled out"] = reading.axis.leads
    return label


def _alone(statement: Statement, reading: Reading, group: Any) -> Reading | None:
    """The claim about the leading clients alone; None where it is not made."""
    axis, (shapes, _) = reading.name, group
    leads = reading.axis.leads
    if not leads or min(shape[axis] for shape in shapes) > leads:
        return None

    def parts(found: Mapping[Any, Expr]) -> dict[Any, Expr]:
        return {p: _without_others(e) for p, e in found.items() if p != ("k",)}

    return replace(reading, left=parts(reading.left), right=parts(reading.right),
                   margins={n: parts(m) for n, m in reading.margins.items()})


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


# -- who attains a largest value -------------------------------------------------------------------


def _extremes(reading: Reading) -> list[Expr]:
    """Largest and smallest values over all clients in the sides and the hypotheses."""
    found: dict[Expr, None] = {}
    for e in reading.expressions():
        for part in sorted(e.atoms(extreme_type()), key=str):
            k, _ = client_symbol()
            if k not in part.free_symbols and not _names_bound(part):
                found.setdefault(part)
    return list(found)


def _names_bound(e: Expr) -> bool:
    """Whether an expression depends on an index that is bound around it."""
    return any(s.is_integer and s.is_positive and len(str(s)) <= 3 and str(s) != "N"
               for s in e.free_symbols)


def _attained(
    statement: Statement, reading: Reading, group: Any, these: tuple[int, ...], way: Way
) -> Iterator[Labelled]:
    """One claim for each way in which clients attain some of the largest and smallest values.

    Those beyond the leading clients are alike, so that each may be given the next number.

    Raises
    ------
    TypeError
        Where there is no reading with more leading clients.
    """
    leads, count = reading.axis.leads, len(_extremes(reading))
    for who in _assignments(leads, len(these)):
        most = max([leads, *(w + 1 for w in who)])
        wider: Reading | None = reading
        if most > leads:
            wider = _read(statement, group[0], reading.name, group[1], most, reading.spelled)
        if wider is None or len(_extremes(wider)) != count:
            raise TypeError("no such reading with so many leading clients")
        extremes = [_extremes(wider)[i] for i in these]
        blocks = [range(len(e.args[2])) for e in extremes]
        for chosen in product(*blocks):
            case = _with_values(wider, extremes, who, chosen)
            words = ", ".join(f"{e.args[0]} {i} at {w}"
                              for e, i, w in zip(extremes, these, who, strict=True))
            for label, claim, vectors in _claims(statement, case, group, way):
                yield {**label, "attained": f"{words} {list(chosen)}"}, claim, vectors


def _assignments(leads: int, count: int) -> Iterator[tuple[int, ...]]:
    """Clients that attain each value: leading ones, or others in the order of their coming."""
    def further(done: tuple[int, ...], next_one: int) -> Iterator[tuple[int, ...]]:
        if len(done) == count:
            yield done
            return
        for who in range(next_one + 1):
            yield from further((*done, who), max(next_one, who + 1))

    yield from further((), leads)


def _with_values(
    reading: Reading, extremes: Sequence[Expr], who: Sequence[int], blocks: Sequence[int]
) -> Reading:
    """A reading with the values of the clients that attain them, and what that says of others."""
    k, _ = client_symbol()
    values = {e: e.args[2][b][w] for e, w, b in zip(extremes, who, blocks, strict=True)}
    margins = dict(reading.margins)
    for (e, value), w in zip(values.items(), who, strict=True):
        sign = 1 if str(e.args[0]) == "max" else -1
        for b, (lead, body) in enumerate(zip(e.args[2], e.args[3], strict=True)):
            formulas: dict[tuple[Any, ...], Expr] = {
                (i,): sign * (value - v) for i, v in enumerate(lead) if v != value
            }
            body = put(body, e.args[1], k)
            formulas["k",] = sign * (value - body)
            margins[f"client {w} attains the {e.args[0]} of value {b}"] = formulas

    def parts(found: Mapping[Any, Expr]) -> dict[Any, Expr]:
        return {p: e.xreplace(values) for p, e in found.items()}

    return replace(reading, left=parts(reading.left), right=parts(reading.right),
                   margins={n: parts(m) for n, m in margins.items()})
