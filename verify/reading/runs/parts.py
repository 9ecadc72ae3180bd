"""Names of the symbols of runs, and claims with one symbol in place of what is squared.

Where ``(a + 2 b c)^2`` stands and nothing is known of ``a`` alone, ``a`` may be any number, and so
may ``p = a + 2 b c``: with ``a = p - 2 b c`` the claim is about ``p``, and a proof of that for all
numbers is a proof for those at hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product
from typing import Any

from bounds.numbers.formal_terms import extreme_type
from bounds.numbers.symbolic import client_symbol
from verify.reading.clients.reading import Reading

__all__ = [
    "CROSSED",
    "LOSS",
    "NUMBER",
    "PAIR",
    "SLOPE",
    "STIFF",
    "balanced",
    "families",
    "in_parts",
    "name_after",
    "own_name",
    "with_signs",
    "without_zeros",
]

Expr = Any

STIFF, SLOPE, LOSS = "stiffness", "slope_at", "loss_at"
"""Names of the smallest Lipschitz constants of the gradients, of slopes and of losses."""

NUMBER, CROSSED = "number", "crossed"
"""Names of numbers without a form in symbols, and of slopes of a client where another one is."""

PAIR = ("pair",)
"""Place of a formula about each ordered pair of clients, those of the first two marks."""

MOST = 6
"""Squares that get a symbol."""


def name_after(trace: str, t: int, rounds: int) -> str:
    """Name of what a trace holds after t of so many rounds."""
    return f"{trace}_at_the_end" if t == rounds else f"{trace}_after_{t}"


def own_name(name: str) -> str:
    """Name of the symbol of a hyper-parameter, which no parameter of a family has."""
    return f"given_{name}"


def in_parts(reading: Reading) -> Reading:
    """The reading with symbols of their own for sums of numbers that are squared.

    Parameters
    ----------
    reading : Reading
        In which the numbers that clients have are free: signs aside, nothing is declared of them.
    """
    import sympy

    k, _ = client_symbol()
    taken: set[Expr] = set()
    for number in range(MOST):
        found = next(_candidates(reading, k, taken), None)
        if found is None:
            break
        base, old = found
        new = sympy.IndexedBase(f"part{number}", real=True)[k]
        taken.add(new)
        reading = _with(reading, old, sympy.expand(new - (base - old)))
    return reading


def families(said: Iterable[Expr]) -> set[str]:
    """Names of the symbols that clients have."""
    import sympy

    return {str(i.base) for e in said for i in e.atoms(sympy.Indexed)}


def without_zeros(reading: Reading, met: Sequence[Expr]) -> Reading:
    """The reading with zero in place of numbers that hypotheses leave neither above nor below it.

    Parameters
    ----------
    reading : Reading
    met : sequence of expressions
        Points at which losses were looked at; what a loss is at one of them it is at another that
        is the same place.
    """
    import sympy

    k, _ = client_symbol()
    known = {m["k",] for m in reading.margins.values() if set(m) == {("k",)}}
    zeros = {
        e: sympy.Integer(0)
        for e in sorted(known, key=str)
        if isinstance(e, sympy.Indexed) and -e in known and e.indices == (k,)
    }
    for zero in zeros:
        reading = _with(reading, zero, sympy.Integer(0))
    places = [sympy.expand(point.xreplace(zeros)) for point in met] if zeros else []
    for number, place in enumerate(places):
        first = places.index(place)
        for word in (SLOPE, LOSS) if first < number else ():
            here, there = (sympy.IndexedBase(f"{word}{i}", real=True)[k] for i in (number, first))
            reading = _with(reading, here, there)
    return reading


def with_signs(root: Expr) -> list[Expr]:
    """Sums of two or three of the terms of a root, with all signs."""
    import sympy

    terms = sympy.Add.make_args(sympy.expand(root))
    if len(terms) > 3:
        return []
    return [
        sympy.Add(chosen[0], *(s * t for s, t in zip(signs, chosen[1:], strict=True)))
        for size in (2, 3)
        for chosen in combinations(terms, size)
        for signs in product((1, -1), repeat=size - 1)
    ]


def balanced(claim: Any) -> list[Expr]:
    """Sums of a number and a positive multiple of a step, where a hypothesis has their product and
    that multiple of the squared step."""
    import sympy

    found: dict[Expr, None] = {}
    for h in claim[3]:
        terms = sympy.Add.make_args(sympy.expand(h.expr))
        powers = [(t.as_coeff_Mul()[1].as_powers_dict()) for t in terms]
        for cross in powers:
            pair = [
                s
                for s, n in cross.items()
                if n == 1 and s.is_extended_real and s.is_nonnegative is None
            ]
            if len(pair) != 2 or len(cross) != 2:
                continue
            for step, other in (pair, pair[::-1]):
                for square in powers:
                    rest = [s for s in square if s != step]
                    if square.get(step) == 2 and len(rest) == 1 and square[rest[0]] == 1:
                        found |= dict.fromkeys([other - rest[0] * step, other + rest[0] * step])
    return list(found)


def _candidates(reading: Reading, k: Expr, taken: set[Expr]) -> Any:
    """Squared sums with a free number of the client in them, and that number: what is known of
    squares first, then what is the largest."""
    import sympy

    inner = [
        b
        for e in reading.expressions()
        for x in sorted(e.atoms(extreme_type()), key=str)
        for b in x.args[3]
    ]
    known = [e for margin in reading.margins.values() for e in margin.values()]
    for e in [*known, *inner, *reading.expressions()]:
        for p in sorted(e.atoms(sympy.Pow), key=str):
            if p.exp != 2 or not p.base.is_Add:
                continue
            for s in sorted(p.base.atoms(sympy.Indexed), key=_order):
                free = (
                    s.indices == (k,) and s not in taken and not (s.is_nonnegative or s.is_integer)
                )
                sign = sympy.expand(p.base).coeff(s) if free else 0
                if abs(sign) == 1 and not sympy.expand(p.base - sign * s).has(s):
                    yield sign * p.base, s
                    break


def _order(s: Expr) -> tuple[bool, str]:
    """Slopes first: more is known of places."""
    return not str(s).startswith("slope"), str(s)


def _with(reading: Reading, old: Expr, value: Expr) -> Reading:
    def parts(formulas: Mapping[Any, Expr]) -> dict[Any, Expr]:
        return {place: _tidied(e.xreplace({old: value})) for place, e in formulas.items()}

    return replace(
        reading,
        left=parts(reading.left),
        right=parts(reading.right),
        margins={n: parts(m) for n, m in reading.margins.items()},
    )


def _tidied(e: Expr) -> Expr:
    """With sums under powers multiplied out, so that terms cancel."""
    import sympy

    return e.replace(lambda p: p.is_Pow and p.base.is_Add, lambda p: sympy.expand(p.base) ** p.exp)
