"""Claims that are broken by a known law, drawn by a seed.

The worst ratio ``law(k)`` is reached inside of the range of two further numbers, at x = y, or over
N numbers, where they are equal.  `drawn` gives statements with the laws that must be named;
`without_a_law` gives some whose ratio follows none of the laws that there are names for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from bounds import generic as xp
from tests.verify.cases import SMALL, claim, numbers
from verify.claim.parameters import Real
from verify.claim.statement import Statement
from verify.ladder.leaf import assay

SEED = 34
EACH = 7
BUDGET = replace(SMALL, evaluations=6_000, mends=0)
WIDE = Real(1 / 8, 8, log=True)
GROWS = Real(1, 64, log=True)


@dataclass(frozen=True)
class Expected:
    """One law: what it goes along, its kind, and the exponent or the supremum."""

    along: str
    kind: str
    number: float | None = None


@dataclass(frozen=True)
class Planted:
    """A broken claim and the laws that its ladders must be given."""

    name: str
    statement: Statement
    laws: tuple[Expected, ...]


def drawn(seed: int = SEED) -> list[Planted]:
    """Six kinds of law, seven claims each."""
    rng = np.random.default_rng(seed)
    made = []
    for number in range(EACH):
        c = Fraction(int(rng.integers(9, 48)), int(rng.integers(2, 8)))
        made += [
            _of(f"{c}", c, lambda w: 1, Expected("k", "bounded", float(c)))
            if number % 2
            else _of(f"{c} k/(k + 1)", c, _saturating, Expected("k", "bounded", float(c))),
            _of(f"{c} sqrt(k)", c, lambda w: xp.sqrt(w.k), Expected("k", "power", 0.5)),
            _of(f"{c} k", c, lambda w: w.k, Expected("k", "power", 1.0)),
            _of(f"{c} k^2", c, lambda w: w.k**2, Expected("k", "power", 2.0)),
            _of(f"{c} log(1 + k)", c, lambda w: xp.log(1 + w.k), Expected("k", "logarithm")),
            _of_two(f"{c} k/m", c) if number % 2 else _of_sizes(f"{c} N", c),
        ]
    return made


def without_a_law() -> list[Statement]:
    """Ratios that no kind of law names rightly: log log, root and square of a logarithm."""
    functions: list[Callable[[Any], Any]] = [
        lambda w: xp.log(2 + xp.log(2 + w.k)),
        lambda w: xp.sqrt(xp.log(2 + w.k)),
        lambda w: xp.log(2 + w.k) ** 2,
    ]
    return [_of("none", Fraction(3), f, Expected("k", "unknown")).statement for f in functions]


def named(planted: Planted) -> bool:
    """Whether the ladder gives every expected law, with its number."""
    laws = {law["along"]: law for law in assay(planted.statement, profile=BUDGET).searched}
    return all(_right(laws.get(wanted.along), wanted) for wanted in planted.laws)


def _saturating(w: Any) -> Any:
    return w.k / (1 + w.k)


def _right(law: Any, wanted: Expected) -> bool:
    if law is None or law["kind"] != wanted.kind:
        return False
    ends = law["exponent"] if wanted.kind == "power" else law["supremum"]
    if wanted.number is None:
        return True
    low, high = ends
    return bool(low - 1e-6 <= wanted.number <= high + 1e-6 and high - low <= 0.05 * wanted.number)


def _of(name: str, c: Fraction, law: Callable[[Any], Any], expected: Expected) -> Planted:
    """``c law(k) x y <= (x^2 + y^2)/2``."""

    def sides(w: Any) -> Any:
        return {"l": c * law(w) * w.x * w.y}, {"r": (w.x**2 + w.y**2) / 2 + 0 * w.k}

    return Planted(name, claim(sides, numbers(x=WIDE, y=WIDE, k=GROWS)), (expected,))


def _of_two(name: str, c: Fraction) -> Planted:
    """``c k x y <= m (x^2 + y^2)/2``, a ratio of two symbols."""

    def sides(w: Any) -> Any:
        return {"l": c * w.k * w.x * w.y}, {"r": w.m * (w.x**2 + w.y**2) / 2}

    family = numbers(x=WIDE, y=WIDE, k=GROWS, m=Real(1 / 64, 1, log=True))
    return Planted(
        name, claim(sides, family), (Expected("k", "power", 1.0), Expected("1/m", "power", 1.0))
    )


def _of_sizes(name: str, c: Fraction) -> Planted:
    """``c (sum of N numbers)^2 <= sum of their squares``."""

    def sides(w: Any) -> Any:
        return {"l": c * w.x.sum(axis=-1) ** 2}, {"r": (w.x**2).sum(axis=-1)}

    family = numbers({"N": 2}, {"N": 3}, x=Real(1 / 8, 1, per=("N",)))
    return Planted(name, claim(sides, family), (Expected("N", "power", 1.0),))


if __name__ == "__main__":
    for one in drawn():
        print(one.name, "named" if named(one) else "NOT NAMED")
