"""Claims whose worst case makes two to five hypotheses active at once, off by one to five per cent.

No point of a grid and few random ones come near such a corner.  Each claim is a known sharp bound
with a factor on its right side; with the factor 1 it is true, and then no seed may accuse it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from bounds import generic as xp
from tests.verify.cases import assume, claim, numbers
from verify.claim.parameters import Real
from verify.claim.statement import Statement
from verify.ladder import PROFILES, assay
from verify.world.world import World

SEEDS = (0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2)))
POSITIVE = Real(1 / 64, 16, log=True)
ANY = Real(-4, 4)
LONG = Real(1 / 64, 1024, log=True)
Rule = Callable[[World], Any]


@dataclass(frozen=True)
class Sharp:
    """A sharp bound: its sides, what it assumes, where to look, and the per cent planted."""

    percent: int
    left: Rule
    right: Rule
    given: Mapping[str, Rule]
    box: Mapping[str, Real]
    size: Mapping[str, int] | None = None

    def statement(self, percent: int) -> Statement:
        """The bound with so many per cent of its right side."""
        return claim(
            lambda w: ({"left": self.left(w)}, {"right": percent * self.right(w) / 100}),
            numbers(*([self.size] if self.size else []), **self.box),
            given=assume(self.given),
        )


def free(names: str, kind: Real = POSITIVE) -> dict[str, Real]:
    """One range for several parameters."""
    return dict.fromkeys(names.split(), kind)


def each(kind: Real) -> dict[str, Real]:
    """One number per client, and a scale."""
    return {"x": Real(kind.low, kind.high, log=kind.log, per=("N",)), "s": POSITIVE}


def _mean(w: World) -> Any:
    return xp.total(w.x) / 4


def _variance(w: World) -> Any:
    return xp.total(w.x**2) / 4 - _mean(w) ** 2


def _largest(w: World) -> Any:
    return xp.largest(w.x)


def _smallest(w: World) -> Any:
    return xp.smallest(w.x)


FOUR = {"N": 4}

# -- corners of linear programmes ----------------------------------------------------------------

PLANES = {
    "two planes": Sharp(
        99,
        lambda w: w.x + w.y,
        lambda w: 14 * w.s / 5,
        {"x + 2y": lambda w: 4 * w.s - w.x - 2 * w.y, "3x + y": lambda w: 6 * w.s - 3 * w.x - w.y},
        free("x y s"),
    ),
    "three planes": Sharp(
        98,
        lambda w: w.x + w.y + w.z,
        lambda w: 3 * w.s,
        {
            "x": lambda w: 4 * w.s - 2 * w.x - w.y - w.z,
            "y": lambda w: 4 * w.s - w.x - 2 * w.y - w.z,
            "z": lambda w: 4 * w.s - w.x - w.y - 2 * w.z,
        },
        free("x y z s"),
    ),
    "a thin wedge": Sharp(
        99,
        lambda w: w.y,
        lambda w: w.s,
        {
            "steep": lambda w: 20 * (w.s - w.x) - (w.y - w.s),
            "steeper": lambda w: 21 * (w.x - w.s) - (w.y - w.s),
        },
        free("x y s"),
    ),
    "a staircase": Sharp(
        97,
        lambda w: w.e,
        lambda w: 120 * w.s,
        {
            "a": lambda w: w.s - w.a,
            "b": lambda w: 2 * w.a - w.b,
            "c": lambda w: 3 * w.b - w.c,
            "d": lambda w: 4 * w.c - w.d,
            "e": lambda w: 5 * w.d - w.e,
        },
        free("a b c d e s", LONG),
    ),
    "four weights": Sharp(
        98,
        lambda w: 4 * w.a + 3 * w.b + 2 * w.c + w.d,
        lambda w: 15 * w.s,
        {
            "a": lambda w: 2 * w.s - w.a,
            "a + b": lambda w: 3 * w.s - w.a - w.b,
            "a + b + c": lambda w: 4 * w.s - w.a - w.b - w.c,
            "all": lambda w: 6 * w.s - w.a - w.b - w.c - w.d,
        },
        free("a b c d s"),
    ),
}

# -- curves that meet ----------------------------------------------------------------------------

CURVES = {
    "sphere and plane": Sharp(
        98,
        lambda w: w.x + w.y,
        lambda w: 2 * w.s,
        {
            "sphere": lambda w: 3 * w.s**2 - w.x**2 - w.y**2 - w.z**2,
            "plane": lambda w: w.z - w.s,
        },
        {"s": POSITIVE, **free("x y z", ANY)},
    ),
    "two discs": Sharp(
        98,
        lambda w: w.y**2,
        lambda w: 3 * w.s**2 / 4,
        {
            "left": lambda w: w.s**2 - w.x**2 - w.y**2,
            "right": lambda w: w.s**2 - (w.x - w.s) ** 2 - w.y**2,
        },
        {"s": POSITIVE, **free("x y", ANY)},
    ),
    "products of two": Sharp(
        98,
        lambda w: w.x * w.y * w.z,
        lambda w: w.s**3,
        {
            "xy": lambda w: w.s**2 - w.x * w.y,
            "yz": lambda w: w.s**2 - w.y * w.z,
            "zx": lambda w: w.s**2 - w.z * w.x,
        },
        free("x y z s"),
    ),
    "a sum over a hyperbola": Sharp(
        99,
        lambda w: 4 * w.s**2,
        lambda w: (w.x + w.y) ** 2,
        {"xy": lambda w: w.x * w.y - w.s**2, "order": lambda w: w.x - w.y},
        free("x y s"),
    ),
    "a capped simplex": Sharp(
        97,
        lambda w: w.x * w.y * w.z,
        lambda w: 25 * w.s**3 / 864,
        {
            "sum": lambda w: w.s - w.x - w.y - w.z,
            "cap": lambda w: w.s - 6 * w.x,
            "order": lambda w: w.y - w.z,
        },
        free("x y z s"),
    ),
    "a valley": Sharp(
        97,
        lambda w: w.x + w.y,
        lambda w: 2 * w.s,
        {
            "below": lambda w: w.x**2 - w.s * w.y,
            "above": lambda w: w.y**3 - w.s * w.x**2,
            "end": lambda w: w.s - w.x,
        },
        free("x y s"),
    ),
}

# -- numbers with known mean, spread or ends -------------------------------------------------------

MOMENTS = {
    "Samuelson": Sharp(
        98,
        lambda w: (w.x[..., 0] - _mean(w)) ** 2,
        lambda w: 3 * w.s**2,
        {"spread": lambda w: w.s**2 - _variance(w), "mean": _mean},
        each(ANY),
        FOUR,
    ),
    "Popoviciu": Sharp(
        97,
        _variance,
        lambda w: w.s**2,
        {"high": lambda w: w.s - _largest(w), "low": lambda w: w.s + _smallest(w)},
        each(ANY),
        FOUR,
    ),
    "Bhatia and Davis": Sharp(
        98,
        _variance,
        lambda w: 3 * w.s**2 / 4,
        {
            "high": lambda w: w.s - _largest(w),
            "low": lambda w: w.s + _smallest(w),
            "mean": lambda w: _mean(w) - w.s / 2,
        },
        each(ANY),
        FOUR,
    ),
    "range": Sharp(
        98,
        lambda w: (_largest(w) - _smallest(w)) ** 2,
        lambda w: 8 * w.s**2,
        {"spread": lambda w: w.s**2 - _variance(w), "mean": lambda w: w.s - _mean(w)},
        each(ANY),
        FOUR,
    ),
    "Kantorovich": Sharp(
        98,
        lambda w: xp.total(w.x) * xp.total(1 / w.x),
        lambda w: 4 * (w.low + w.high) ** 2 / (w.low * w.high),
        {"low": lambda w: _smallest(w) - w.low, "high": lambda w: w.high - _largest(w)},
        {**each(POSITIVE), **free("low high")},
        FOUR,
    ),
}

# -- steps of a method ---------------------------------------------------------------------------

STEPS = {
    "a contraction": Sharp(
        98,
        lambda w: (1 - w.eta * w.c) ** 2 * w.x**2,
        lambda w: (1 - w.eta * w.mu) ** 2 * w.d**2,
        {
            "mu": lambda w: w.c - w.mu,
            "beta": lambda w: w.beta - w.c,
            "step": lambda w: 2 - w.eta * (w.beta + w.mu),
            "start": lambda w: w.d**2 - w.x**2,
        },
        {"x": ANY, **free("eta c mu beta d")},
    ),
    "noise that settles": Sharp(
        97,
        lambda w: w.q**2 * w.v + w.eta**2 * w.s**2,
        lambda w: w.eta * w.sigma**2 / w.mu,
        {
            "contraction": lambda w: 1 - w.eta * w.mu - w.q**2,
            "noise": lambda w: w.sigma - w.s,
            "before": lambda w: w.eta * w.sigma**2 / w.mu - w.v,
            "step": lambda w: 1 - w.eta * w.mu,
        },
        free("q eta s sigma mu v"),
    ),
    "two clients": Sharp(
        98,
        lambda w: (w.a + w.b) ** 2,
        lambda w: 16 * w.zeta**2,
        {
            "mean": lambda w: w.sigma**2 - ((w.a + w.b) / 2 - w.m) ** 2,
            "drift": lambda w: w.zeta**2 - w.m**2,
            "noise": lambda w: w.zeta - w.sigma,
        },
        {**free("a b m", ANY), **free("sigma zeta")},
    ),
    "descent": Sharp(
        99,
        lambda w: w.f - w.eta * w.g**2 / 2,
        lambda w: (1 - w.mu / w.beta) * w.f0,
        {
            "PL": lambda w: w.g**2 - 2 * w.mu * w.f,
            "step": lambda w: w.eta * w.beta - 1,
            "start": lambda w: w.f0 - w.f,
            "order": lambda w: w.beta - 2 * w.mu,
        },
        free("f f0 g eta mu beta"),
    ),
}

CLAIMS = {**PLANES, **CURVES, **MOMENTS, **STEPS}


def test_there_are_twenty_with_two_to_five_hypotheses() -> None:
    assert len(CLAIMS) == 20
    assert {len(one.given) for one in CLAIMS.values()} == {2, 3, 4, 5}
    assert {100 - one.percent for one in CLAIMS.values()} <= {1, 2, 3, 4, 5}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", CLAIMS)
def test_every_seed_finds_what_is_false(name: str, seed: int) -> None:
    one = CLAIMS[name]
    found = assay(one.statement(one.percent), profile=PROFILES["default"], seed=seed)
    assert found.verdict == "violated"


@pytest.mark.parametrize("name", CLAIMS)
def test_no_truth_is_accused_and_its_corner_is_reached(name: str) -> None:
    found = assay(CLAIMS[name].statement(100), profile=PROFILES["default"])
    assert found.verdict in ("holds", "proved")
    assert found.tightness is not None
    assert found.tightness["ratio"] > 1 - 1e-3
