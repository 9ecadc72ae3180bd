"""Rates made false: a term dropped, a quarter of the variance, a doubled step, N^2 for N."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from verify.claim import Statement
from verify.rates.record import Rate
from verify.statements.adaptive import curves, theorem1, theorem2, theorem3
from verify.world.world import World

Change = Callable[[World, Mapping[str, Any]], Mapping[str, Any]]


def false_rate(rate: Rate, name: str, change: Change) -> Rate:
    """The same left side, step rule and federations, with another right side."""
    true = rate.statement

    def sides(w: World) -> tuple[Any, Any]:
        left, right = true(w)
        return left, change(w, right)

    return replace(rate, statement=true.variant(f"{true.key}-{name}", sides=sides))


def told(rate: Rate, divisors: Mapping[str, Any]) -> Rate:
    """The bound is told symbols divided by these numbers."""
    true = rate.statement

    def sides(w: World) -> tuple[Any, Any]:
        changed = w.with_changed({name: w.symbol(name) / f for name, f in divisors.items()})
        return true(w)[0], true(changed)[1]

    return replace(rate, statement=true.variant(f"{true.key}-told", sides=sides))


def longer(rate: Rate, factor: int) -> Rate:
    """Steps longer than the bound is told; the hypothesis still speaks of the short one."""
    true = rate.statement
    short = true.defines["step_size"]
    defines = {**true.defines, "step_size": lambda w: factor * short(w)}
    claim = true.variant(f"{true.key}-longer", defines=defines)
    return told(replace(rate, statement=claim), {"step_size": factor})


def dropped(term: str) -> Change:
    """Without one term."""
    return lambda w, right: {k: v for k, v in right.items() if k != term}


def divided(term: str, number: int) -> Change:
    """One term divided by a number."""
    return lambda w, right: {k: v / (number if k == term else 1) for k, v in right.items()}


def per_client(term: str) -> Change:
    """N^2 for N in a term that holds 1/N."""
    return lambda w, right: {
        k: v / (w.problem.clients if k == term else 1) for k, v in right.items()
    }


def rate(statement: Statement, problems: str) -> Rate:
    """The rate of a statement on a class."""
    return next(r for r in curves.RATES if r.statement is statement and r.problems == problems)


ONE = "one quadratic"
_exact = rate(theorem1.direction, ONE)
_stopped = rate(theorem2.stopped_constant, "quadratics")
_falling = rate(theorem2.stopped_decreasing, "mild quadratics")


def on_a_line(reach: float) -> Rate:
    """Many clients of one loss on the line, where the bound is close."""
    cells = tuple(
        {"N": n, "d": 1, "law": law, "phi": "continuous", "layout": "same", "reach": reach}
        for n, law in ((16, "gaussian"), (64, "skewed"))
    )
    return replace(_stopped, cells=cells)


_smooth = rate(theorem3.smooth, "saturated losses")
_wavy = rate(theorem2.stopped_constant, "Polyak-Lojasiewicz")

FALSE: dict[str, Rate] = {
    "start dropped, exact": false_rate(_exact, "start", dropped("contraction")),
    "a quarter of sigma^2, exact": false_rate(_exact, "quarter", divided("noise", 4)),
    "N^2 for N, exact": false_rate(_exact, "square", per_client("noise")),
    "eta doubled, exact": longer(_exact, 2),
    "start dropped": false_rate(_stopped, "start", dropped("contraction")),
    "noise dropped": false_rate(_stopped, "noise", dropped("saturation")),
    "a quarter of sigma^2": false_rate(_stopped, "quarter", divided("saturation", 4)),
    "N^2 for N": false_rate(on_a_line(1 / 4), "square", per_client("saturation")),
    "1/t^2 for 1/t": false_rate(
        _falling, "faster", lambda w, right: {k: v / w.rounds for k, v in right.items()}
    ),
    "start dropped, not convex": false_rate(_smooth, "start", dropped("start")),
    "a quarter of the start, Polyak-Lojasiewicz": false_rate(
        _wavy, "start", divided("contraction", 4)
    ),
    "mu doubled": told(on_a_line(8), {"mu": Fraction(1, 2)}),
}
