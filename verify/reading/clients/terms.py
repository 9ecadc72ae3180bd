"""Claims whose difference is linear in sums over clients: a claim about one term of the sums.

Where ``right - left = c + sum_i c_i sum_k f_i(k)`` up to a denominator, ``sum_i c_i f_i(k) >= 0``
for one client, whichever it is, is a claim without sums in which conditions on that client are
cases.  Proved, it is a hypothesis on every client for the claim itself.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bounds.numbers.formal_terms import indicator_type, put
from bounds.numbers.symbolic import client_symbol
from verify.reading.clients.reading import Reading

__all__ = ["by_terms"]

Expr = Any


def by_terms(reading: Reading, left: Expr, right: Expr) -> tuple[Reading, Reading] | None:
    """The claim about one term, and the reading that has it for a hypothesis.

    Parameters
    ----------
    reading : Reading
    left, right : expressions
        Two sides of it, of one place.

    Returns
    -------
    (Reading, Reading) or None
        None where the difference is not linear in sums over all other clients, or no condition
        stands in them.
    """
    import sympy

    body = _body(right - left)
    kinds = (indicator_type(), sympy.Max, sympy.Min, sympy.Abs)
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


def _body(gap: Expr) -> Expr | None:
    """The summand of the numerator of a difference."""
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
    return sympy.factor_terms(sympy.Add(*parts))


def _without_sums(e: Expr, sums: dict[Expr, Expr]) -> Expr:
    """An expression with a symbol for each outermost sum."""
    import sympy

    if isinstance(e, sympy.Sum):
        return sums.setdefault(e, sympy.Dummy(f"s{len(sums)}", real=True))
    if not e.args or isinstance(e, sympy.Indexed):
        return e
    return e.func(*(_without_sums(part, sums) for part in e.args))
