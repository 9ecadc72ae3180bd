"""Claims with symbols in place of what they are made of, each of them any number.

Where ``x - y`` enters as a whole, a claim that is true of any number in its place is true of it; so
is one with any number for each client in place of the sum over a client's own row.  What is said of
a symbol beyond its sign is said by a hypothesis: Cauchy's inequality between the sums of one row.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations, permutations
from typing import Any

from bounds.numbers.symbolic import client_symbol
from verify.reading.parts.claim import Claim, each, said, unused_name
from verify.reading.parts.power_parts import with_powers

__all__ = ["freed", "squared"]

Expr = Any

MOST = 8
"""Parts that get a symbol."""


def freed(claim: Claim) -> tuple[Claim, dict[str, str]]:
    """A claim that implies the given one, and what its new symbols stand for.

    Parameters
    ----------
    claim : (left, right, relation, hypotheses)
        On numbers: no symbol stands for a coordinate of a vector.

    Returns
    -------
    claim : (left, right, relation, hypotheses)
    meanings : dict
        By name, in words; empty where the claim is as it was.
    """
    meanings: dict[str, str] = {}
    claim = _with_gaps(with_powers(claim, meanings), meanings)
    whole = () if meanings else (_with_parts,)  # where gaps cancel, parts would hide it
    for step in (_with_rows, *whole, _with_roots):
        claim = step(claim, meanings)
    return claim, meanings


# -- distances of the others from one client -------------------------------------------------------


def _with_gaps(claim: Claim, meanings: dict[str, str]) -> Claim:
    """Distances from a single client's number in place of the others' numbers."""
    import sympy

    pairs: dict[Expr, Expr] = {}
    for total in {s for e in said(claim) for s in e.atoms(sympy.Sum)}:
        index = total.limits[0][0]
        for gap in total.function.atoms(sympy.Add):
            own = [t for t in gap.args if isinstance(t if t.is_Indexed else -t, sympy.Indexed)]
            one = [t if t.is_Symbol else -t for t in gap.args if t not in own]
            other = own[0] if own and own[0].is_Indexed else -own[0] if own else None
            if (
                (len(own), len(one)) == (1, 1)
                and one[0].is_Symbol
                and other is not None
                and (
                    other.indices == (index,) and sympy.expand(gap**2 - (one[0] - other) ** 2) == 0
                )
                and one[0].is_nonnegative is None
                and other.is_nonnegative is None
            ):
                pairs.setdefault(other.base, one[0])
    for base, one in sorted(pairs.items(), key=str):
        new = sympy.IndexedBase(unused_name("away", claim, meanings), real=True)
        meanings[str(new)] = f"{one} - {base}"
        claim = each(claim, partial(_moved, base, one, new))
    return claim


def _moved(base: Expr, one: Expr, new: Expr, e: Expr) -> Expr:
    import sympy

    return e.xreplace({i: one - new[i.indices] for i in e.atoms(sympy.Indexed) if i.base == base})


# -- sums over a client's row ----------------------------------------------------------------------


def _with_rows(claim: Claim, meanings: dict[str, str]) -> Claim:
    """Numbers of each client in place of sums over something else that name the client."""
    import sympy

    from verify.certify.prover.prove import Hypothesis

    outer = sorted({s for e in said(claim) for s in e.atoms(sympy.Sum)}, key=str)
    inner: dict[Expr, Expr] = {}
    rows: dict[Expr, Expr] = {}
    k, _ = client_symbol()
    for s in outer:
        bound = s.limits[0][0]
        for own in sorted(s.function.atoms(sympy.Sum), key=str):
            if bound not in own.free_symbols or own.function.has(sympy.Sum):
                continue
            if own.free_symbols & ({t.limits[0][0] for t in outer} | {k}) - {bound}:
                return claim  # it names two clients
            if k == own.limits[0][0]:
                return claim  # the client's index is bound inside
            body = own.function.xreplace({bound: k})
            symbol = next((rows[b] for b in rows if b == (body, own.limits)), None)
            if symbol is None:
                symbol = sympy.IndexedBase(unused_name("row", claim, meanings), **_sign(body))
                rows[body, own.limits] = symbol
                meanings[str(symbol)] = str(sympy.Sum(body, *own.limits))
            inner[own] = symbol[bound]
    if not inner:
        return claim

    left, right, relation, given = each(claim, lambda e: e.xreplace(inner))
    facts = []
    bodies = {symbol: body for (body, _), symbol in rows.items()}
    for f, g, h in permutations(bodies, 3):
        one, mixed, other = bodies[f], bodies[g], bodies[h]
        if (
            str(f) < str(h)
            and one.is_nonnegative
            and other.is_nonnegative
            and (sympy.expand(mixed**2 - one * other) == 0)
        ):
            facts.append(Hypothesis(f"Cauchy: {g}^2 is at most {f} {h}", f[k] * h[k] - g[k] ** 2))
    return Claim(left, right, relation, [*given, *facts])


# -- sums that enter as a whole --------------------------------------------------------------------


def _with_parts(claim: Claim, meanings: dict[str, str]) -> Claim:
    """Numbers in place of sums of numbers of any sign."""
    import sympy

    made: list[Expr] = []
    while len(made) < MOST:
        part = next((p for p in _parts(claim[0], claim[1]) if not p.has(*made)), None)
        if part is None:
            break
        symbol = sympy.Symbol(unused_name("whole", claim, meanings), real=True)
        made.append(symbol)
        meanings[str(symbol)] = str(part)
        claim = each(claim, partial(_put, part, symbol))
    return claim


def _put(part: Expr, symbol: Expr, e: Expr) -> Expr:
    return e.subs(part, symbol)


def _parts(*sides: Expr) -> Iterator[Expr]:
    """Sums of terms without sums in them, that are made of something without a known sign."""
    import sympy

    k, _ = client_symbol()
    found: dict[Expr, None] = {}

    def rational(e: Expr) -> bool:
        return not e.atoms(sympy.Function) and all(p.exp.is_Integer for p in e.atoms(sympy.Pow))

    def visit(e: Expr) -> None:
        if isinstance(e, sympy.Sum) or not e.args:
            return
        for a in e.args:
            visit(a)
        if (
            e.is_Add
            and k not in e.free_symbols
            and rational(e)
            and not any(p.is_Add for t in e.args for p in _outside(t))
            and any(
                s.is_nonnegative is None
                for s in e.atoms(sympy.Symbol, sympy.Indexed)
                if s.is_commutative and s.is_extended_real
            )
        ):
            found.setdefault(e)

    for side in sides:
        visit(sympy.sympify(side))
    yield from sorted(found, key=lambda e: (len(e.args), str(e)))


def _outside(e: Expr) -> Iterator[Expr]:
    """An expression and its parts, but for what sums are over."""
    import sympy

    yield e
    if not isinstance(e, sympy.Sum):
        for a in e.args:
            yield from _outside(a)


# -- square roots ----------------------------------------------------------------------------------


def _with_roots(claim: Claim, meanings: dict[str, str]) -> Claim:
    """Squares of positive numbers in place of positive numbers whose roots enter."""
    import sympy

    half = {sympy.Rational(1, 2), sympy.Rational(-1, 2)}
    powers = {p for e in said(claim) for p in e.atoms(sympy.Pow) if p.exp in half}
    symbols = sorted({p.base for p in powers if p.base.is_Symbol and p.base.is_positive}, key=str)
    numbers = {p.base for p in powers if p.base.is_Integer and p.base.is_positive}
    if not symbols or len(numbers) > 1 or {p.base for p in powers} - set(symbols) - numbers:
        return claim
    factor = next(iter(numbers), sympy.Integer(1))
    squares, means = {}, dict(meanings)
    for i, x in enumerate(symbols):
        root = sympy.Symbol(unused_name("root", claim, means), positive=True)
        squares[x] = root**2 * (1 if i else factor)
        means[str(root)] = str(sympy.sqrt(x / (1 if i else factor)))
    found = each(claim, lambda e: sympy.expand_power_base(e.subs(squares), force=False))
    plain = not any(p.exp in half for e in said(found) for p in e.atoms(sympy.Pow))
    if not plain:
        return claim
    meanings |= means
    return found


# -- squares that the claim is made of -------------------------------------------------------------


def squared(claim: Claim) -> list[Expr]:
    """Polynomials whose squares the claim is made of, as it stands or where a hypothesis is tight.

    Parts that enter apart from each other are looked at one by one.
    """
    import sympy

    left, right, _, given = claim
    gap = sympy.fraction(sympy.together(right - left))[0]
    if gap.has(sympy.Sum):
        return []
    gaps = [gap]
    for h in given:
        for s in sorted(h.expr.free_symbols, key=str) if h.expr.is_polynomial() else ():
            for power in (s, s**2):
                rest = sympy.expand(h.expr).coeff(power)
                if rest.is_number and rest != 0:
                    at = sympy.expand(power - h.expr / rest)
                    if not at.has(s):
                        gaps.append(sympy.expand(gap).subs(power, at))
    free = sorted((s for s in gap.free_symbols if s.is_nonnegative is None), key=str)
    gaps += [gap.subs({s: 0 for s in free if s not in some}) for some in combinations(free, 2)]
    found: dict[Expr, None] = {}
    for e in gaps:
        for factor, power in sympy.factor_list(e)[1] if e.is_polynomial() else ():
            if power % 2 == 0 and factor.is_Add:
                found.setdefault(factor)
    return list(found)


def _sign(e: Expr) -> dict[str, bool]:
    if e.is_positive:
        return {"positive": True}
    return {"nonnegative": True} if e.is_nonnegative else {"real": True}
