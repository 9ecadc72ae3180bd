"""Classes without smoothness: members are members, and a true and a false claim about each."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from bounds import generic as xp
from bounds.numbers import as_rational
from bounds.numbers.validate import InvalidInput
from synthetic.cuts import Cuts
from tests.verify.cases import leaf_of
from verify import Real, functions, statement, visited
from verify.claim.rough import ROUGH
from verify.world.referee import exact_instance


def drawn(kind: str, d: int, seed: int) -> Cuts:
    """A member of a class in exact numbers."""
    family = functions(kind, rounds=3, dimensions=d)
    (shape,) = family.shapes
    point = np.random.default_rng(seed).random((1, family.width(shape)))
    one = family.instance(family.decode(point, shape), shape)[0]
    return Cuts(exact_instance(one).data)


def met(problem: Cuts, seed: int = 9) -> tuple[Any, Any, Any]:
    """Points, subgradients and values of the only client."""
    points = as_rational(np.random.default_rng(seed).integers(-40, 41, (12, problem.dim)) / 8)
    points = np.concatenate([points, problem.optimum])
    return points, problem.gradients(points)[:, 0], problem.losses(points)[:, 0]


def margins(problem: Cuts, bend: Any) -> Any:
    """f_i - f_j - <g_j, x_i - x_j> + bend |x_i - x_j|^2/2, for all i and j."""
    x, g, f = met(problem)
    step = x[:, None] - x[None]
    plane = (g[None] * step).sum(-1)
    return f[:, None] - f[None] - plane + bend * (step**2).sum(-1) / 2


@pytest.mark.parametrize("kind", ROUGH)
@pytest.mark.parametrize("d", [1, 2, 3])
def test_every_instance_is_a_member(kind: str, d: int) -> None:
    """Exactly: interpolation conditions hold between all points, and slopes keep their bound."""
    weaker = False
    for seed in range(6):
        problem = drawn(kind, d, seed)
        bend = problem.data["bend"][0] if kind == "weakly convex" else 0
        assert (margins(problem, bend) >= 0).all()
        _, slopes, values = met(problem)
        assert (values >= 0).all()
        assert values[-1] == 0
        if kind == "Lipschitz convex":
            assert ((slopes**2).sum(-1) <= problem.data["lipschitz"][0] ** 2).all()
        weaker |= bool((margins(problem, bend * Fraction(9, 10) - Fraction(1, 100)) < 0).any())
    assert weaker  # negative control: a stronger class would not have them


@pytest.mark.parametrize("kind", ROUGH)
def test_gradients_are_those_of_the_losses(kind: str) -> None:
    """By central differences away from kinks, where the loss is a parabola: exact."""
    problem, h = drawn(kind, 2, 3), Fraction(1, 2**40)
    points, slopes, _ = met(problem, seed=5)
    for axis in as_rational(np.eye(2)):
        ends = [problem.losses(points[:-1] + side * h * axis)[:, 0] for side in (1, -1)]
        assert ((ends[0] - ends[1]) / (2 * h) == (slopes[:-1] * axis).sum(-1)).all()


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, "given, or tilt and lipschitz"),
        ({"slope": [[[1.0]]], "lipschitz": [2.0]}, "given, or tilt and lipschitz"),
        ({"tilt": [[[1.0]]]}, "given, or tilt and lipschitz"),
        ({"tilt": [[[1.0]]], "lipschitz": [2.0], "bend": [1.0]}, "of a loss without bend"),
    ],
)
def test_slopes_are_given_in_one_way(more: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        Cuts({"drop": [[0.0]], "centre": [[0.0]], **more})


def test_noise_is_not_promised() -> None:
    with pytest.raises(InvalidInput, match="left out for the class"):
        functions("weakly convex", noise=True)


STEP = {"h": Real(1 / 8, 8, unit=(-1, 2), log=True)}


@statement(
    "rough.subgradient",
    where="textbook",
    latex=r"\|x_1-x_*\|^2+2h(f(x_0)-f_*)\le\|x_0-x_*\|^2+h^2G^2",
    family=functions("Lipschitz convex", dimensions=(1, 2), extra=STEP),
    defines={"step_size": lambda w: w.h},
)
def subgradient(w: Any) -> Any:
    seen, best = visited(w), w.problem.optimum[..., 0, :]
    away = [xp.squared_norm(seen.points[..., t, :] - best) for t in (0, 1)]
    left = {"after": away[1], "fall": 2 * w.h * seen.excess[..., 0, 0]}
    return left, {"before": away[0], "step": w.h**2 * w.lipschitz[..., 0] ** 2}


@subgradient.like("rough.subgradient.half", latex=r"\ldots+h^2G^2/2")
def half(w: Any) -> Any:
    left, right = subgradient(w)
    return left, {**right, "step": right["step"] / 2}


@statement(
    "rough.weak",
    where="textbook",
    latex=r"f(x)-f_*\le\langle g,x-x_*\rangle+\tfrac\rho2\|x-x_*\|^2",
    family=functions("weakly convex", dimensions=(1, 2), extra=STEP),
    defines={"step_size": lambda w: w.h},
)
def weak(w: Any) -> Any:
    seen = visited(w)
    away = seen.points[..., 0, :] - w.problem.optimum[..., 0, :]
    plane = xp.dot(seen.gradients[..., 0, 0, :], away)
    return {"excess": seen.excess[..., 0, 0]}, {
        "plane": plane,
        "bend": w.bend[..., 0] * xp.squared_norm(away) / 2,
    }


@weak.like("rough.weak.half", latex=r"\ldots+\tfrac\rho4\|x-x_*\|^2")
def weaker(w: Any) -> Any:
    left, right = weak(w)
    return left, {**right, "bend": right["bend"] / 2}


@pytest.mark.parametrize(
    ("claim", "word"),
    [(subgradient, "proved"), (half, "violated"), (weak, "proved"), (weaker, "violated")],
    ids=lambda x: getattr(x, "key", x),
)
def test_a_known_claim_has_its_word(claim: Any, word: str) -> None:
    assert leaf_of(claim).verdict == word
