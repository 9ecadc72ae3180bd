r"""That a step is short by its formula, where nothing is assumed of the weights along the run.

What is to be shown is :math:`x\sum_k\phi(r_k)/\sigma_k^2 \le \sum_k r_k\phi(r_k)/\sigma_k^2` for
:math:`x = \eta\beta`.  A client other than the followed one falls short of it by at most
:math:`m(x) = \max_r (x - r)\phi(r)`, over its variance; the followed one has
:math:`(1 - x)\phi(1)/\sigma_0^2` to spare.  So two claims are enough,

- :math:`x\phi(r) - r\phi(r) \le m(x)`, summed over the others, and
- :math:`m(x)\sum_{k\ne0}\sigma_k^{-2} \le (1 - x)\phi(1)/\sigma_0^2`,

the second of which is about the step and the variances alone.  Where each round has a step of its
own, x is at most what it is in the first round, and this at most what it is where parameters that
are not negative are 0; each of that is a claim too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy

from bounds.numbers.symbolic import client_symbol
from verify.reading.federations.places import BETA, MU, VARIANCE, exchanged, places_of
from verify.reading.federations.reading import WeighedRuns
from verify.reading.federations.rule import Weighing
from verify.reading.federations.sums import ClientSums
from verify.reading.parts.factored import cancelled, factored
from verify.reading.parts.refusals import NotReadable

Expr = Any  # sympy carries no types
Places = Mapping[tuple[Any, ...], Expr]

PACE = sympy.Symbol("pace", positive=True)
"""The step times beta."""
ALL, OWN = sympy.symbols("root_of_all root_of_own", positive=True)
"""Roots of the sum of all clients' inverse variances, and of the own variance."""

__all__ = ["ALL", "OWN", "in_roots", "short_by_formula"]


def short_by_formula(
    setting: WeighedRuns, weighing: Weighing, assumed: Mapping[str, Places], delay: Expr | None
) -> list[tuple[str, Places, Places, str, Mapping[str, Places]]]:
    """Claims from which it follows that a step is short: name, sides, relation, what is assumed.

    Parameters
    ----------
    setting : WeighedRuns
    weighing : Weighing
    assumed : mapping
        What the statement assumes, of no place and no client.
    delay : expression or None
        That of steps which are read with one, see `verify.reading.federations.sizes`.

    Raises
    ------
    NotReadable
        Where the step has no formula in the parameters and the variances.
    """
    k, count = client_symbol()
    own = 1 / VARIANCE[setting.axis.marks[0]]
    others = sympy.Sum(1 / VARIANCE[k], (k, 1, count))
    spare = weighing.phi[0,] * own * (1 - PACE)
    short = setting.shortfall(PACE)
    formula = setting.sizes(1)[0] if setting.changing else setting.step_formula()
    if places_of(formula) or setting.changing != (delay is not None):
        raise NotReadable("a step that depends on where the run is")
    table = {others + own: ALL**2, VARIANCE[setting.axis.marks[0]]: OWN**2}
    pace = _plain(formula * BETA, table)
    varied: Mapping[str, Places] = {"others have variances": {(): ALL**2 - 1 / OWN**2}}
    claims: list[tuple[str, Places, Places, str, Mapping[str, Places]]] = []
    if delay is None:
        known = {**assumed, "pace": {(): PACE - pace}}
    else:
        known = {**assumed, **varied, "mu at most beta": {(): BETA - MU}}
        claims.append(("a delay", {(): sympy.Integer(0)}, {(): delay}, "<", dict(known)))
        ends = {s: 0 for s in pace.free_symbols if s.is_nonnegative and not s.is_positive}
        longest = factored(cancelled(pace.subs(ends)))
        claims.append(("at most one", {(): longest}, {(): sympy.Integer(1)}, "<=", dict(known)))
        given = {**known, "at most one": {(): 1 - longest}}
        top, bottom = sympy.fraction(cancelled(pace))
        claims.append(("a step", {(): sympy.Integer(0)}, {(): bottom}, "<", given))
        claims.append(("longest step", {(): top}, {(): longest * bottom}, "<=", given))
        pace = longest
    known = {**known, "pace, from above": {(): pace - PACE}, **varied}
    plain_spare = _plain(spare, table)
    return [
        *claims,
        (
            "how far the others fall short",
            {(): PACE * weighing.phi_sum - weighing.psi_sum},
            {(): short * others - spare},
            "<=",
            {},
        ),
        (
            "short step",
            {(): short * (ALL**2 - 1 / OWN**2)},
            {(): plain_spare},
            "<=",
            known,
        ),
    ]


def in_roots(e: Expr, setting: WeighedRuns, sums: ClientSums) -> Expr:
    """A formula with symbols for the two roots, where the sum of all inverse variances stands in
    it, and for the other sums that it divides by."""
    k, count = client_symbol()
    own = VARIANCE[setting.axis.marks[0]]
    every = sympy.Sum(1 / VARIANCE[k], (k, 1, count)) + 1 / own
    found = exchanged(sympy.sympify(e), ((every, ALL**2),))
    return sums.denominators(found).xreplace({own: OWN**2}) if found.has(ALL) else found


def _plain(e: Expr, table: Mapping[Expr, Expr]) -> Expr:
    """A formula in the two roots."""
    found = e.xreplace(dict(table)).xreplace(dict(table))
    if found.atoms(sympy.Sum, sympy.Indexed):
        raise NotReadable("a step that depends on more than all variances and the own one")
    return found
