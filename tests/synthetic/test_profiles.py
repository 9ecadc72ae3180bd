"""Members of the classes of profiles are members: exactly where the mathematics is rational."""

from __future__ import annotations

from fractions import Fraction as Q
from typing import Any

import numpy as np
import pytest
import torch

from bounds import generic as xp
from bounds.interpolation import interpolation_margin
from bounds.numbers import as_rational
from bounds.numbers.validate import InvalidInput
from synthetic.problem import Problem
from synthetic.profiles.generalised import GeneralisedSmoothProfiles
from synthetic.profiles.operators import Cocoercive, Monotone
from synthetic.profiles.smooth import SmoothProfiles
from synthetic.registry import load_family, make
from tests.each import each
from verify.claim.functions import functions
from verify.claim.operators import operators
from verify.claim.parameters import Family
from verify.claim.sums import OPERATORS, SUMS
from verify.world.referee import exact_instance

SEEDS = range(3)
DIMENSIONS = (1, 2, 3)
CLOSE = 1e-9
"""Rounding of a few hundred operations with room; only where exponentials or roots are met."""

TINY = 1e-30
"""A ball of 128 bits less itself is no wider (loss / length)."""


def family(kind: str, d: int, **more: Any) -> Family:
    make_one = operators if kind in OPERATORS else functions
    return make_one(kind, dimensions=(d, d), rounds=2, **more)


def data(kind: str, d: int, seed: int, **more: Any) -> dict[str, Any]:
    """Data of a member, as fractions."""
    made = family(kind, d, **more)
    shape = made.shapes[0]
    point = np.random.default_rng(seed).random((1, made.width(shape)))
    one = made.instance(made.decode(point, shape), shape)[0]
    return dict(exact_instance(one).data) | {"family": one.family}


def member(kind: str, d: int, seed: int, **more: Any) -> Problem:
    raw = data(kind, d, seed)
    return make(raw.pop("family"), raw | more)


def places(problem: Problem, seed: int = 9, count: int = 10) -> Any:
    """Points around the centre, the centre, and the ends of stretches along one axis."""
    rng = np.random.default_rng(seed)
    spread = as_rational(rng.integers(-48, 49, (count, problem.dim)) / 8)
    return np.concatenate([spread, spread[:4] / 16, problem.optimum])


def pairs(x: Any, g: Any) -> tuple[Any, Any]:
    """Differences of points and of what is met there, each with each."""
    return x[:, None] - x[None], g[:, None] - g[None]


# -- margins, nowhere negative for members -----------------------------------------------


def smooth(problem: Problem, share: Any = 1) -> Any:
    """Interpolation by a function of curvature between -L and L, with L a share of the stated."""
    x, upper = places(problem), share * problem.smoothness
    g, f = problem.gradients(x)[:, 0], problem.losses(x)[:, 0]
    return interpolation_margin(x, g, f, upper, -upper)


def convex(problem: Problem, share: Any = 1) -> Any:
    x, upper = places(problem), share * problem.smoothness
    g, f = problem.gradients(x)[:, 0], problem.losses(x)[:, 0]
    return interpolation_margin(x, g, f, upper, 0 * upper)


def steep(problem: Problem, share: Any = 1) -> Any:
    x = ends(problem)
    g, f = problem.gradients(x)[:, 0], problem.losses(x)[:, 0]
    return xp.squared_norm(g) - 2 * share * problem.pl_constant * f


def growing(problem: Any, share: Any = 1) -> Any:
    x = ends(problem)
    away = xp.squared_norm(x - problem.nearest(x)[:, 0])
    return problem.losses(x)[:, 0] - share * problem.mu * away / 2


def star(problem: Any, share: Any = 1) -> Any:
    """<g, x - m> - f for every minimiser m that is known here."""
    x = ends(problem)
    g, f = problem.gradients(x)[:, 0], problem.losses(x)[:, 0]
    best = np.concatenate([problem.nearest(x)[:, 0], problem.optimum])
    assert (problem.losses(best) == 0).all()
    along = (g[:, None] * (x[:, None] - best[None])).sum(-1)
    return share * along - f[:, None]


def grown(problem: Problem, share: Any = 1) -> Any:
    """|g(x) - g(y)| <= (L0 + L1 |g(x)|) (e^(L1 r) - 1) / L1, which is what bounds Hessians say."""
    x = places(problem)
    step, change = pairs(x, problem.gradients(x)[:, 0])
    first, rate = (xp.to_float(problem.data[n])[0] for n in ("L0", "L1"))
    size = np.sqrt(xp.to_float(xp.squared_norm(problem.gradients(x)[:, 0])))
    far = np.sqrt(xp.to_float((step**2).sum(-1)))
    gap = np.sqrt(xp.to_float((change**2).sum(-1)))
    most = (first + rate * size[:, None]) * np.expm1(np.minimum(rate * far, 600)) / rate
    return share * most * (1 + CLOSE) - gap


def curved(problem: Problem, share: Any = 1) -> Any:
    """|g(x) - g(y)|^2 <= H^2 |x - y|^(2 nu)."""
    x = places(problem)
    step, change = pairs(x, problem.gradients(x)[:, 0])
    nu, most = (xp.to_float(problem.data[n]).item() for n in ("exponent", "hoelder"))
    far, gap = (np.sqrt(xp.to_float((v**2).sum(-1))) for v in (step, change))
    return share * most * far**nu * (1 + CLOSE) - gap + TINY


def cocoercive(problem: Problem, share: Any = 1) -> Any:
    x = places(problem)
    step, change = pairs(x, problem.gradients(x)[:, 0])
    c = problem.data["cocoercivity"][0]
    return share * (step * change).sum(-1) - c * (change**2).sum(-1)


def monotone(problem: Problem, share: Any = 1) -> Any:
    x = places(problem)
    step, change = pairs(x, problem.gradients(x)[:, 0])
    return (step * change).sum(-1)


def lipschitz(problem: Problem, share: Any = 1) -> Any:
    x = places(problem)
    step, change = pairs(x, problem.gradients(x)[:, 0])
    return (share * problem.smoothness) ** 2 * (step**2).sum(-1) - (change**2).sum(-1)


def ends(problem: Any) -> Any:
    """Places, and in each direction the points where stretches begin, others at a minimum."""
    found = [places(problem)]
    for s, side in enumerate(problem._sides):
        for part in side:
            for j in range(problem.dim):
                u = np.full((1, problem.dim), Q(0), dtype=object)
                u[0, j] = part.first[0, j] * (-1) ** s
                found.append(problem.data["centre"] + problem._turned(u))
    return np.concatenate(found)


MARGINS = {
    "smooth PL": [smooth, steep],
    "smooth quadratic growth": [smooth, growing],
    "smooth convex quadratic growth": [smooth, convex, growing],
    "smooth star-convex": [smooth, star],
    "(L0, L1)-smooth": [grown],
    "Hoelder-smooth": [curved],
    "cocoercive": [cocoercive, lipschitz],
    "monotone": [monotone, lipschitz],
}
TABLE = [(kind, margin) for kind, margins in MARGINS.items() for margin in margins]


@pytest.mark.parametrize(("kind", "margin"), TABLE, ids=lambda x: getattr(x, "__name__", x))
@each("d", DIMENSIONS)
def test_every_instance_is_a_member(kind: str, margin: Any, d: int) -> None:
    for seed in SEEDS:
        assert (margin(member(kind, d, seed)) >= 0).all()


def test_every_class_is_looked_at() -> None:
    assert {*MARGINS} == {*SUMS, *OPERATORS}


TIGHTER = {
    smooth: Q(1, 2),
    convex: Q(1, 2),
    steep: Q(11, 10),
    growing: Q(11, 10),
    star: Q(9, 10),
    grown: 0.5,
    curved: 0.5,
    cocoercive: Q(9, 10),
    lipschitz: Q(9, 10),
}
"""What is asked for in vain: a class that is smaller."""


@pytest.mark.parametrize(
    ("kind", "margin"),
    [(k, m) for k, m in TABLE if m in TIGHTER],
    ids=lambda x: getattr(x, "__name__", x),
)
def test_a_smaller_class_has_not_all_of_them(kind: str, margin: Any) -> None:
    """Negative control, on the same instances."""
    share = TIGHTER[margin]
    assert any((margin(member(kind, 1 + s % 2, s), share) < 0).any() for s in range(40))


class Uncut(SmoothProfiles):
    """Damaged: a stretch turns down by as much as the data say."""

    def _bent(self, said: Any, length: Any, away: Any, slope: Any, value: Any) -> Any:
        return self.data["upper"][..., None] * said, None


class UncutGrowth(GeneralisedSmoothProfiles):
    """Damaged: curvatures may be twice as large."""

    def _bent(self, said: Any, length: Any, away: Any, slope: Any, value: Any) -> Any:
        bend, rate = super()._bent(said, length, away, slope, value)
        return 2 * bend, rate


class Steeper(Cocoercive):
    """Damaged: slopes of N up to two."""

    def _stretched(self, y: Any, low: float) -> Any:
        return 2 * super()._stretched(y, low)


class Backwards(Monotone):
    """Damaged: slopes between -1 and 1."""

    def _stretched(self, y: Any, low: float) -> Any:
        return super()._stretched(y, -1)


class Forgetful(load_family("hoelder_profiles")):  # type: ignore[misc]
    """Damaged: weights that do not sum to one."""

    _height = property(lambda self: 2 * self.data["hoelder"][..., None])


DAMAGED = [
    ("smooth PL", Uncut, smooth),
    ("smooth PL", Uncut, steep),
    ("smooth quadratic growth", Uncut, growing),
    ("smooth convex quadratic growth", Uncut, convex),
    ("smooth star-convex", Uncut, star),
    ("(L0, L1)-smooth", UncutGrowth, grown),
    ("Hoelder-smooth", Forgetful, curved),
    ("cocoercive", Steeper, cocoercive),
    ("monotone", Backwards, monotone),
]


@pytest.mark.parametrize(("kind", "broken", "margin"), DAMAGED)
def test_a_damaged_instance_is_found_out(kind: str, broken: Any, margin: Any) -> None:
    def found(seed: int) -> bool:
        raw = data(kind, 2, seed)
        raw.pop("family")
        problem = broken(raw)
        below = margin is steep and (problem.losses(ends(problem)) < 0).any()
        return bool(below or (margin(problem) < 0).any())  # below what should be its minimum

    assert any(found(seed) for seed in range(20))


# -- values and gradients ------------------------------------------------------------------


@each("kind", SUMS)
def test_gradients_are_those_of_the_losses(kind: str) -> None:
    for seed in SEEDS:
        problem = member(kind, 2, seed).map(xp.to_float)
        x, h = np.random.default_rng(seed).normal(scale=3, size=(40, 2)), 1e-6
        numeric = np.stack(
            [
                (problem.losses(x + h * e) - problem.losses(x - h * e))[:, 0] / (2 * h)
                for e in np.eye(2)
            ],
            -1,
        )
        slopes = problem.gradients(x)[:, 0]
        # off by h times a jump of the curvature; by h^nu where a root begins
        assert np.abs(numeric - slopes).max() < 2e-4 * (1 + np.abs(slopes).max())


@each("kind", SUMS)
@each("d", DIMENSIONS)
def test_the_optimum_is_a_minimum_of_value_zero(kind: str, d: int) -> None:
    for seed in SEEDS:
        problem = member(kind, d, seed)
        best = problem.optimum
        for zero in (problem.own_losses(best), problem.own_gradients(best)):
            assert (abs(xp.to_float(zero)) <= TINY).all()
            assert kind == "Hoelder-smooth" or (zero == 0).all()
        assert (xp.to_float(problem.losses(places(problem))) >= -TINY).all()


@each("kind", SUMS[:4])
def test_minimisers_are_a_box_whose_nearest_point_is_named(kind: str) -> None:
    """Some are many; the nearest one is a minimiser, and between it and the point there is none."""
    many = False
    for seed in range(10):
        problem: Any = member(kind, 2, seed)
        x = places(problem)
        near = problem.nearest(x)[:, 0]
        assert (problem.losses(near) == 0).all()
        outside = problem.losses(x)[:, 0] > 0
        assert (problem.losses(near + (x - near) * Q(1, 1000))[outside] > 0).all()
        many |= len({tuple(point) for point in near}) > 1
    assert many


@each("kind", (*SUMS, *OPERATORS))
def test_floats_tensors_and_batches_agree_with_fractions(kind: str) -> None:
    made = family(kind, 3)
    shape = made.shapes[0]
    drawn = np.random.default_rng(4).random((4, made.width(shape)))
    batch = made.instance(made.decode(drawn, shape), shape)
    many = make(batch.family, batch.data)
    wide = many.expand(1)
    x = np.random.default_rng(5).integers(-48, 49, (4, 7, 3)) / 8
    for b in range(4):
        raw = exact_instance(batch[b])
        exact, floats = make(raw.family, raw.data), make(batch.family, batch[b].data)
        tensors = floats.map(torch.as_tensor)
        for name in ("gradients",) if kind in OPERATORS else ("gradients", "losses"):
            value = xp.to_float(getattr(exact, name)(as_rational(x[b])))
            size = 1e-12 * np.abs(value).max()
            for got in (
                getattr(floats, name)(x[b]),
                getattr(tensors, name)(torch.as_tensor(x[b])).numpy(),
                getattr(wide, name)(x)[b],
                np.stack([getattr(many, name)(x[:, r])[b] for r in range(7)]),
            ):
                np.testing.assert_allclose(got, value, rtol=1e-10, atol=size)


@each("kind", (*SUMS, *OPERATORS))
def test_units_scale_every_output(kind: str) -> None:
    """Loss in units of a ninth and length in halves: gradients scale by 9 / 2."""
    made = family(kind, 2)
    shape = made.shapes[0]
    point = np.random.default_rng(5).random((1, made.width(shape)))
    one = exact_instance(made.instance(made.decode(point, shape), shape)[0])
    other = one.scaled(Q(9), Q(4))
    first, second = (make(i.family, i.data) for i in (one, other))
    x = places(first)
    for name, factor in (("gradients", 9 / 4), ("losses", 9.0)):
        if name == "losses" and kind in OPERATORS:
            continue
        left, right = getattr(second, name)(4 * x), getattr(first, name)(x)
        np.testing.assert_allclose(xp.to_float(left), factor * xp.to_float(right), rtol=1e-12)


# -- what is refused -----------------------------------------------------------------------


def test_what_is_not_known_is_refused() -> None:
    for kind in ("(L0, L1)-smooth", "Hoelder-smooth"):
        with pytest.raises(InvalidInput, match="knows its client_smoothness"):
            _ = member(kind, 1, 0).smoothness
    with pytest.raises(InvalidInput, match="which an operator has not"):
        member("monotone", 2, 0).losses(np.zeros(2))
    with pytest.raises(InvalidInput, match="knows its heterogeneity"):
        member("smooth PL", 2, 0).heterogeneity()


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"rule": "convex"}, "rule must be one of"),
        ({"span": [[[[1.0]]]], "bend": [[[[1.0]]]], "tail": [[[1.0]]]}, "2 sides"),
        ({"tail": [[[1.0, 0.0]]]}, "tail must be positive"),
    ],
)
def test_bad_data_are_named(more: dict[str, Any], said: str) -> None:
    good = {
        "upper": [1.0],
        "span": [[[[1.0], [1.0]]]],
        "bend": [[[[1.0], [1.0]]]],
        "tail": [[[1.0, 1.0]]],
        "centre": [[0.0]],
    }
    assert SmoothProfiles(good).smoothness == 1
    with pytest.raises(InvalidInput, match=said):
        SmoothProfiles(good | more)


def test_constants_are_the_best_ones() -> None:
    """Curvature 4 up to 1, -4 from there to 3/2, then 4: by hand."""
    problem = SmoothProfiles(
        {
            "upper": as_rational([4]),
            "span": as_rational([[[[1, "1/2"], [1, 1]]]]),
            "bend": as_rational([[[[1, -1], [1, 1]]]]),
            "tail": as_rational([[[1, 1]]]),
            "centre": as_rational([[0]]),
            "rule": "pl",
        }
    )
    # at 3/2 the slope is 2 and the value 7/2, at 5/2 the slope is 6
    assert problem.own_losses(as_rational([["3/2"]]))[0] == Q(7, 2)
    assert problem.pl_constant == Q(4, 7)
    # behind 3/2 it is 2 phi = 4 t^2 - 8 t + 10, and 4 - 8/t + 10/t^2 is least at t = 5/2
    assert problem.client_growth[0] == Q(12, 5)
    seen = [
        2 * problem.own_losses(as_rational([[t]]))[0] / t**2
        for t in (Q(n, 120) for n in range(60, 600))
    ]
    assert min(seen) == Q(12, 5)


def test_growth_admits_other_minima_and_no_pl_constant() -> None:
    """Up with curvature 1 to 1, down to 5/2, up again: a minimum of 3/4 at 3."""
    one = as_rational([[[1, 1]]])
    problem = SmoothProfiles(
        {
            "upper": as_rational([1]),
            "span": as_rational([[[[1, "3/2"], [1, 1]]]]),
            "bend": as_rational([[[[1, -1], [1, 1]]]]),
            "tail": one,
            "centre": as_rational([[0]]),
            "rule": "growth",
        }
    )
    x = as_rational([[3]])
    assert problem.own_losses(x)[0] == Q(3, 4)
    assert problem.own_gradients(x)[0, 0] == 0
    assert problem.pl_constant == 0
    # 2 phi / t^2 = 1 - 6 / t + 21/2 / t^2 behind 5/2, least at 7/2
    assert problem.mu == Q(1, 7)


def twisted(m: float, rule: str = "pl") -> SmoothProfiles:
    """Steep along one axis, shallow along the other."""
    return SmoothProfiles(
        {
            "upper": [1.0],
            "span": np.ones((1, 2, 2, 1)),
            "bend": np.array([[[[1.0], [1.0]], [[0.01], [0.01]]]]),
            "tail": np.array([[[1.0, 1.0], [0.01, 0.01]]]),
            "centre": [[0.0, 0.0]],
            "rule": rule,
            "twist": [m],
            "reach": [1.0],
        }
    )


@each("m", (0.9, 0.7, 0.5))
def test_a_twist_keeps_its_constants_and_needs_them(m: float) -> None:
    """Curvatures and the PL ratio on 20,000 points, against what profiles alone would allow."""
    problem, rng = twisted(m), np.random.default_rng(3)
    x = rng.normal(size=(20_000, 2)) * rng.choice([0.3, 1, 3], (20_000, 1))
    h = rng.normal(size=x.shape)
    h *= 1e-5 / np.sqrt((h**2).sum(-1, keepdims=True))
    g, far = problem.gradients(x)[:, 0], problem.gradients(x + h)[:, 0]
    curvature = np.sqrt(((far - g) ** 2).sum(-1)).max() / 1e-5
    ratio = ((g**2).sum(-1) / (2 * problem.losses(x)[:, 0])).min()
    alone = problem.pl_constant / m**2
    assert problem._stiff[0] * 1.1 < curvature <= 1
    assert problem.pl_constant <= ratio < alone
    size = np.sqrt((x**2).sum(-1))
    np.testing.assert_allclose(np.sqrt((problem._place(x[:, None])[:, 0] ** 2).sum(-1)), size)
    growth = twisted(m, "growth")
    assert (growth.losses(x)[:, 0] >= growth.mu / 2 * size**2 * (1 - CLOSE)).all()


def test_gradients_of_twisted_losses_may_point_away_from_the_minimiser() -> None:
    x = np.random.default_rng(4).normal(size=(5000, 2))
    away = [
        ((problem.gradients(x)[:, 0] * x).sum(-1) < 0).any() for problem in map(twisted, (0.5, 1))
    ]
    assert away == [True, False]


def test_what_has_many_minimisers_in_the_plane_is_not_twisted() -> None:
    raw = dict(twisted(0.5).data)
    raw["bend"] = np.array([[[[0.0], [1.0]], [[0.01], [0.01]]]])
    problem = SmoothProfiles(raw)
    assert problem._stiff[0] == 1
    assert problem.nearest(np.array([0.5, 0.0]))[0].tolist() == [0.5, 0.0]
    with pytest.raises(InvalidInput, match="twist must be given with reach"):
        SmoothProfiles(raw | {"rule": "star"})
