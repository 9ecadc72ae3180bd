"""Claims whose worst case makes two to five hypotheses active at once, off by one to five per cent.

No point of a grid and few random ones come near such a corner.  Each claim is a known sharp bound
with a factor on its right side; with the factor 1 it is true, and then no seed accuses it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from bounds import generic as xp
from tests.verify.cases import assume, claim, numbers
from verify.claim.parameters import Real
from verify.claim.statement import Statement
from verify.ladder.assay import PROFILES, assay
from verify.world.world import World

SEEDS = (0, 1, 2)
POSITIVE = Real(1 / 64, 16, log=True)
ANY = Real(-4, 4)
Margin = Callable[[World], Any]
Makes = Callable[[int], Statement]

CLAIMS: dict[str, tuple[Makes, int]] = {}
"""Name -> (per cent of the sharp right side -> claim, per cent that makes it false)."""


def sharp(
    name: str, percent: int, left: Margin, right: Margin, given: Mapping[str, Margin], *sizes: Any,
    **box: Real,
) -> None:  # fmt: skip
    """Enter a sharp bound."""

    def made(k: int) -> Statement:
        return claim(
            lambda w: ({"left": left(w)}, {"right": k * right(w) / 100}),
            numbers(*sizes, **box), given=assume(given), key=f"test.{name}",
        )  # fmt: skip

    CLAIMS[name] = made, percent


def free(*names: str, kind: Real = POSITIVE) -> dict[str, Real]:
    """One range for several parameters."""
    return dict.fromkeys(names, kind)


def each(n: int, kind: Real) -> tuple[dict[str, int], dict[str, Real]]:
    """One parameter per client."""
    return {"N": n}, {"x": Real(kind.low, kind.high, log=kind.log, per=("N",))}


def _mean(w: World) -> Any:
    return xp.total(w.x) / w.x.shape[-1]


def _variance(w: World) -> Any:
    return xp.total(w.x**2) / w.x.shape[-1] - _mean(w) ** 2


def _end(w: World, least: bool = False) -> Any:
    return xp.smallest(w.x) if least else xp.largest(w.x)


# -- corners of linear programmes ----------------------------------------------------------------

sharp(
    "two planes", 99, lambda w: w.x + w.y, lambda w: 14 * w.s / 5,
    {"x + 2y": lambda w: 4 * w.s - w.x - 2 * w.y, "3x + y": lambda w: 6 * w.s - 3 * w.x - w.y},
    **free("x", "y", "s"),
)
sharp(
    "three planes", 98, lambda w: w.x + w.y + w.z, lambda w: 3 * w.s,
    {
        "x": lambda w: 4 * w.s - 2 * w.x - w.y - w.z,
        "y": lambda w: 4 * w.s - w.x - 2 * w.y - w.z,
        "z": lambda w: 4 * w.s - w.x - w.y - 2 * w.z,
    },
    **free("x", "y", "z", "s"),
)
sharp(
    "a thin wedge", 99, lambda w: w.y, lambda w: w.s,
    {
        "steep": lambda w: 20 * (w.s - w.x) - (w.y - w.s),
        "steeper": lambda w: 21 * (w.x - w.s) - (w.y - w.s),
    },
    **free("x", "y", "s"),
)
sharp(
    "a staircase", 97, lambda w: w.e, lambda w: 120 * w.s,
    {
        "a": lambda w: w.s - w.a, "b": lambda w: 2 * w.a - w.b, "c": lambda w: 3 * w.b - w.c,
        "d": lambda w: 4 * w.c - w.d, "e": lambda w: 5 * w.d - w.e,
    },
    **free("a", "b", "c", "d", "e", "s", kind=Real(1 / 64, 1024, log=True)),
)

# -- curves that meet ----------------------------------------------------------------------------

sharp(
    "sphere and plane", 98, lambda w: w.x + w.y, lambda w: 2 * w.s,
    {
        "sphere": lambda w: 3 * w.s**2 - w.x**2 - w.y**2 - w.z**2,
        "plane": lambda w: w.z - w.s,
    },
    s=POSITIVE, **free("x", "y", "z", kind=ANY),
)
sharp(
    "two discs", 98, lambda w: w.y**2, lambda w: 3 * w.s**2 / 4,
    {
        "left": lambda w: w.s**2 - w.x**2 - w.y**2,
        "right": lambda w: w.s**2 - (w.x - w.s) ** 2 - w.y**2,
    },
    s=POSITIVE, **free("x", "y", kind=ANY),
)
sharp(
    "products of two", 98, lambda w: w.x * w.y * w.z, lambda w: w.s**3,
    {
        "xy": lambda w: w.s**2 - w.x * w.y, "yz": lambda w: w.s**2 - w.y * w.z,
        "zx": lambda w: w.s**2 - w.z * w.x,
    },
    **free("x", "y", "z", "s"),
)
sharp(
    "least of a hyperbola", 98, lambda w: 4 * w.s**2, lambda w: (w.x + w.y) ** 2,
    {"xy": lambda w: w.x * w.y - w.s**2, "order": lambda w: w.x - w.y},
    **free("x", "y", "s"),
)
sharp(
    "a box in a simplex", 97, lambda w: w.x * w.y * w.z, lambda w: 2 * w.s**3 / 27,
    {
        "sum": lambda w: w.s - w.x - w.y - w.z, "cap": lambda w: w.s - 6 * w.x,
        "low": lambda w: w.x * 6 - w.s, "order": lambda w: w.y - w.z,
    },
    **free("x", "y", "z", "s"),
)
CLAIMS.pop("a box in a simplex")  # its right side follows below, from the cap
sharp(
    "a capped simplex", 97, lambda w: w.x * w.y * w.z, lambda w: 25 * w.s**3 / 864,
    {
        "sum": lambda w: w.s - w.x - w.y - w.z, "cap": lambda w: w.s - 6 * w.x,
        "order": lambda w: w.y - w.z,
    },
    **free("x", "y", "z", "s"),
)

# -- numbers with known mean, spread or ends --------------------------------------------------------

size, box = each(4, ANY)
sharp(
    "Samuelson", 98, lambda w: (w.x[..., 0] - _mean(w)) ** 2, lambda w: 3 * w.s**2,
    {"spread": lambda w: w.s**2 - _variance(w), "mean": lambda w: _mean(w)}, size, s=POSITIVE, **box,
)
sharp(
    "Popoviciu", 97, _variance, lambda w: w.s**2,
    {"high": lambda w: w.s - _end(w), "low": lambda w: w.s + _end(w, True)}, size, s=POSITIVE, **box,
)
sharp(
    "Bhatia and Davis", 98, _variance, lambda w: 3 * w.s**2 / 4,
    {
        "high": lambda w: w.s - _end(w), "low": lambda w: w.s + _end(w, True),
        "mean": lambda w: _mean(w) - w.s / 2,
    },
    size, s=POSITIVE, **box,
)
sharp(
    "range", 98, lambda w: (_end(w) - _end(w, True)) ** 2, lambda w: 8 * w.s**2,
    {"spread": lambda w: w.s**2 - _variance(w), "mean": lambda w: w.s - _mean(w)},
    size, s=POSITIVE, **box,
)
size, box = each(4, POSITIVE)
sharp(
    "Kantorovich", 98, lambda w: xp.total(w.x) * xp.total(1 / w.x),
    lambda w: 16 * (w.low + w.high) ** 2 / (4 * w.low * w.high),
    {"low": lambda w: _end(w, True) - w.low, "high": lambda w: w.high - _end(w)},
    size, **box, **free("low", "high"),
)
sharp(
    "power means", 97, lambda w: xp.total(w.x**3), lambda w: 4 * w.s**3,
    {
        "squares": lambda w: 4 * w.s**2 - xp.total(w.x**2), "sum": lambda w: xp.total(w.x) - 4 * w.s,
    },
    size, s=POSITIVE, **box,
)
CLAIMS.pop("power means")  # only one point meets both: hypotheses without room have their own tests
sharp(
    "third powers", 98, lambda w: xp.total(w.x**3), lambda w: 5 * w.s**3 / 4,
    {
        "cap": lambda w: w.s - _end(w), "sum": lambda w: 3 * w.s / 2 - xp.total(w.x),
    },
    size, s=POSITIVE, **box,
)
CLAIMS.pop("third powers")  # positive ranges end above 0, where the bound would be reached

# -- steps of a method ---------------------------------------------------------------------------

sharp(
    "a contraction", 98, lambda w: (1 - w.eta * w.c) ** 2 * w.x**2,
    lambda w: ((w.beta - w.mu) / (w.beta + w.mu)) ** 2 * w.d**2,
    {
        "mu": lambda w: w.c - w.mu, "beta": lambda w: w.beta - w.c,
        "step": lambda w: 2 - w.eta * (w.beta + w.mu),
        "long": lambda w: w.eta * (w.beta + w.mu) - 2 + w.gap, "gap": lambda w: -w.gap,
        "start": lambda w: w.d**2 - w.x**2,
    },
    gap=Real(0, 0), x=ANY, **free("eta", "c", "mu", "beta", "d"),
)
CLAIMS.pop("a contraction")
sharp(
    "a contraction", 98, lambda w: (1 - w.eta * w.c) ** 2 * w.x**2,
    lambda w: (1 - w.eta * w.mu) ** 2 * w.d**2,
    {
        "mu": lambda w: w.c - w.mu, "beta": lambda w: w.beta - w.c,
        "step": lambda w: 2 - w.eta * (w.beta + w.mu), "start": lambda w: w.d**2 - w.x**2,
    },
    x=ANY, **free("eta", "c", "mu", "beta", "d"),
)
sharp(
    "noise that settles", 97, lambda w: w.q**2 * w.v + w.eta**2 * w.s**2,
    lambda w: w.eta * w.sigma**2 / w.mu,
    {
        "contraction": lambda w: 1 - w.eta * w.mu - w.q**2, "noise": lambda w: w.sigma - w.s,
        "before": lambda w: w.eta * w.sigma**2 / w.mu - w.v, "step": lambda w: 1 - w.eta * w.mu,
    },
    **free("q", "eta", "s", "sigma", "mu", "v"),
)
sharp(
    "two clients", 98, lambda w: (w.a + w.b) ** 2, lambda w: 4 * (w.sigma2 + w.zeta2),
    {
        "mean": lambda w: w.sigma2 - ((w.a + w.b) / 2 - w.m) ** 2,
        "drift": lambda w: w.zeta2 - w.m**2, "together": lambda w: w.sigma2 - w.zeta2,
        "apart": lambda w: w.zeta2 - w.sigma2 / 2,
    },
    **free("a", "b", "m", kind=ANY), **free("sigma2", "zeta2"),
)
