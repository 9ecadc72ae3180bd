"""Conditions under which a broken claim may hold: what parts the instances that break it.

A condition says that a product of powers of symbols is at most a number.  Of all those that leave
out every instance of the sample that breaks the claim, plain ones that keep most of the others are
proposed; a hypothesis that keeps next to nothing is no repair.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from verify.claim.hypothesis import Hypothesis
from verify.ladder.repair import tuning
from verify.ladder.repair.mends import GIVEN, Mend, times
from verify.ladder.repair.monomials import (
    listed,
    monomial,
    product_in_tex,
    product_said,
    product_written,
    symbol_written,
)
from verify.ladder.repair.powers import powers_on
from verify.verdict.relation import ROUNDING
from verify.world.score import Score
from verify.world.world import World


def conditions(rows: Sequence[Score], units: Mapping[str, Any]) -> Iterator[Mend]:
    """Hypotheses to add, plain ones that keep most of the rest first.

    Parameters
    ----------
    rows : sequence of Score
        The sample, batches of one shape each, witnesses among them.
    units : mapping
        Exponents of (loss, length) by symbol: a product without unit is compared with a number.
    """
    found = powers_on(rows, units)
    if found is None:
        return
    found = found.with_unit(units, (0.0, 0.0)).and_entries(rows, units)
    ratio = np.concatenate([row.ratio for row in rows])
    broken = ratio > 1 + ROUNDING
    whole = np.concatenate([row.feasible for row in rows]) & ~broken & np.isfinite(ratio)
    if not broken.any() or not whole.any() or not len(found.exponents):
        return
    values = np.exp(found.values)
    least = values[:, broken].min(axis=1)
    limits = [_limit(float(value)) for value in least]
    kept = np.array(
        [
            0.0 if limit is None else _under(v[whole], *limit).mean()
            for v, limit in zip(values, limits, strict=True)
        ]
    )
    plain = np.abs(found.exponents).sum(axis=1)
    order = np.argsort(plain * tuning.FOR_A_SYMBOL - kept, kind="stable")
    for number in order:
        limit = limits[number]
        if limit is None or kept[number] < tuning.KEPT_AT_LEAST:
            continue
        under = whole & _under(values[number], *limit)
        if len(np.unique(found.logs[:, under], axis=1).T) >= tuning.KEPT_DIFFERENT:
            yield at_most(found.of(int(number)), *limit)


def _under(values: np.ndarray[Any, Any], limit: Fraction, strict: bool) -> Any:
    return values < float(limit) * (1 - ROUNDING) if strict else values <= float(limit)


def at_most(powers: Mapping[str, int], limit: Fraction, strict: bool) -> Mend:
    """The hypothesis that a product of powers is at most a number, or below it."""
    above = {name: p for name, p in powers.items() if p > 0}
    below = {name: -p for name, p in powers.items() if p < 0}

    def margin(w: World) -> Any:
        # without a quotient: a symbol may be 0; one of each client stands alone
        axes = max(2, *(np.ndim(w.original(name.strip("|"))) for name in powers))
        right = times(limit, monomial(w, below, axes))
        return right - monomial(w, above, axes) if above else right - 1

    said = _said(above, below, limit, strict)
    given = Hypothesis(said, rf"\text{{{said}}}", margin, strict=strict)
    size = 2 + sum(map(abs, powers.values()))
    top, bottom = _margin_written(below, limit), _margin_written(above, Fraction(1))
    relation = "<" if strict else r"\le"
    formula = f"{product_in_tex(above)} {relation} {product_in_tex(below, limit)}"
    return Mend(
        f"the hypothesis that {said}",
        size,
        given=given,
        part=product_said(powers),
        program={GIVEN: f"{top} - {bottom}"},
        tex=f"the hypothesis ${formula}$",
        recipe=("at_most", listed(powers), str(limit), strict),
    )


def _margin_written(powers: Mapping[str, int], factor: Fraction) -> str:
    """Python of a number times a product of powers that are positive."""
    if not powers:
        return repr(factor) if factor.denominator != 1 else str(factor)
    (name, power), *rest = powers.items()
    return product_written(symbol_written(name), {name: power - 1, **dict(rest)}, factor)


def _said(above: Mapping[str, int], below: Mapping[str, int], limit: Fraction, strict: bool) -> str:
    if not above:
        return f"{product_said(below)} {'>' if strict else '>='} {1 / limit}"
    sign = "<" if strict else "<="
    if not below:
        return f"{product_said(above)} {sign} {limit}"
    times_limit = product_said(below) if limit == 1 else f"{limit} {product_said(below)}"
    return f"{product_said(above)} {sign} {times_limit}"


def _limit(value: float) -> tuple[Fraction, bool] | None:
    """The plainest number below a value, or the value itself, not reached, where it is plain."""
    if not tuning.NEXT_TO_NOTHING < value < np.inf:
        return None
    for number in tuning.LIMITS:
        if value / tuning.LIMIT_WITHIN <= float(number) < value * (1 - ROUNDING):
            return number, False
        if abs(float(number) / value - 1) <= ROUNDING:
            return number, True
    return None
