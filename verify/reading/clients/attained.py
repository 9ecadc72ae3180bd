"""Claims in which the largest and smallest values are those of the clients that attain them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product
from typing import Any

from bounds.numbers.formal_terms import extreme_type, put
from bounds.numbers.symbolic import client_symbol
from verify.claim.statement import Statement
from verify.reading.clients.cases import Way, claims_of_reading
from verify.reading.clients.groups import Group
from verify.reading.clients.reading import Reading
from verify.reading.parts.claim import ReadClaim
from verify.reading.parts.refusals import NotReadable

__all__ = ["attained", "attaining", "extremes_of"]

Expr = Any

MOST_EXTREMES = 2
"""Largest and smallest values for which it is tried who attains them."""


def attaining(count: int) -> Iterator[tuple[int, ...]]:
    """Which of the largest and smallest values it is tried who attains them, few of them first."""
    for size in range(1, min(count, MOST_EXTREMES) + 1):
        yield from combinations(range(count), size)


def extremes_of(reading: Reading) -> list[Expr]:
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
    return any(
        s.is_integer and s.is_positive and len(str(s)) <= 3 and str(s) != "N"
        for s in e.free_symbols
    )


def attained(
    statement: Statement, reading: Reading, group: Group, these: tuple[int, ...], way: Way
) -> Iterator[ReadClaim]:
    """One claim for each way in which clients attain some of the largest and smallest values.

    Those beyond the leading clients are alike, so that each may be given the next number.

    Raises
    ------
    NotReadable
        Where there is no reading with more leading clients.
    """
    leads, count = reading.axis.leads, len(extremes_of(reading))
    for who in _assignments(leads, len(these)):
        most = max([leads, *(w + 1 for w in who)])
        wider: Reading | None = reading
        if most > leads:
            wider = group.wider(most)
        if wider is None or len(extremes_of(wider)) != count:
            raise NotReadable("no such reading with so many leading clients")
        extremes = [extremes_of(wider)[i] for i in these]
        blocks = [range(len(e.args[2])) for e in extremes]
        for chosen in product(*blocks):
            case = _with_values(wider, extremes, who, chosen)
            words = ", ".join(
                f"{e.args[0]} {i} at {w}" for e, i, w in zip(extremes, these, who, strict=True)
            )
            for label, claim, vectors in claims_of_reading(statement, case, group, way):
                yield ReadClaim({**label, "attained": f"{words} {list(chosen)}"}, claim, vectors)


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

    return replace(
        reading,
        left=parts(reading.left),
        right=parts(reading.right),
        margins={n: parts(m) for n, m in margins.items()},
    )
