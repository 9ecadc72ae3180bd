"""Three ways to one number: enumeration, moment recursion, simulation; engine and serial twin."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bounds import descent
from bounds import generic as xp
from synthetic.exact.moments import averaged_gradient_map, expected_excess, moments
from tests.each import each
from tests.verify.cases import FIXED, fixed_runs, sampled
from verify.claim.families import quadratics
from verify.claim.instance import Instance
from verify.claim.parameters import Real
from verify.world.noise_plan import Samples
from verify.world.referee import exact_instance
from verify.world.world import World

SIZES = ((1, 1, 1), (1, 1, 4), (2, 1, 3), (2, 2, 2), (3, 2, 1))


def pair(instance: Instance, defines: Any) -> tuple[World, World]:
    """The same instance in floats and in fractions."""
    return (
        World(instance.batched(), defines=defines),
        World(exact_instance(instance).batched(), "exact", defines=defines),
    )


def close(left: Any, right: Any, tolerance: float) -> None:
    a, b = xp.to_float(np.asarray(left)), xp.to_float(np.asarray(right))
    scale = max(float(np.abs(b).max()), 1e-300)
    np.testing.assert_allclose(a / scale, b / scale, rtol=0, atol=tolerance)


# -- enumeration, moments, simulation --------------------------------------------------------------


def enumerated(world: World) -> Any:
    """E excess of client 0 after every round, (B, 1, T + 1)."""
    theta = world.run().theta
    excess = world.problem.expand(1).excess(theta)[..., 0]
    return world.mean(excess)


def recursion(world: World) -> Any:
    problem = world.problem
    step = averaged_gradient_map(problem, world.alpha, world.step_size)
    return expected_excess(problem, moments(step, world.start, world.rounds))[..., 0]


@pytest.mark.parametrize("size", SIZES)
def test_enumeration_is_moment_recursion(size: tuple[int, int, int]) -> None:
    family = fixed_runs(size)
    for seed in (0, 1):
        world, exact = pair(sampled(family, 1, seed)[0], FIXED)
        assert (enumerated(exact) == recursion(exact)).all(), "fractions leave no room"
        # a few hundred additions of outcomes of the size of the largest one
        close(enumerated(world), recursion(world), 1e-11)
        close(recursion(world), recursion(exact), 1e-11)


def test_another_noise_or_step_is_told_apart() -> None:
    world, _ = pair(sampled(fixed_runs((2, 1, 3)), 1, 0)[0], FIXED)
    other = World(world.instance, defines={**FIXED, "step_size": lambda w: w.step_share / w.beta})
    with pytest.raises(AssertionError):
        close(enumerated(world), recursion(other), 1e-11)


@pytest.mark.parametrize("law", ["gaussian", "sphere", "two_point"])
def test_simulation_agrees_within_five_standard_errors(law: str) -> None:
    replicates = 20_000
    one = sampled(fixed_runs((2, 2, 2)), 1, 5)[0]
    instance = Instance(one.family, {**one.data, "law": law}, one.method, one.params).batched()
    world = World(instance, noise=Samples(7, replicates), defines=FIXED)
    excess = world.problem.excess(world.run().theta[..., -1, :])[0, :, 0]
    expected = recursion(world)[0, 0, -1]  # needs the second moment of the law alone
    error = excess.std() / np.sqrt(replicates)
    assert 0 < error < 0.1 * expected
    assert abs(excess.mean() - expected) < 5 * error
    assert abs(excess.mean() - 1.5 * expected) > 5 * error, "a wrong value would be seen"


# -- engine and twin -------------------------------------------------------------------------------

RULES: dict[str, tuple[Any, dict[str, Real], dict[str, Any]]] = {
    "fixed": ({"weights": "fixed"}, {"alpha": Real(1 / 8, 1, per=("N",))}, FIXED),
    "continuous": ({"weights": "true", "phi": "continuous"}, {}, {}),
    "binary": ({"weights": "true", "phi": "binary"}, {"threshold": Real(1 / 8, 1)}, {}),
    "local": ({"method": "local"}, {}, {}),
    "fedavg": ({"method": "fedavg", "local_steps": 2}, {}, {}),
    "fedprox, exact": ({"method": "fedprox", "local": "argmin"}, {}, {}),
    "fedprox, steps": ({"method": "fedprox", "local": "gradient", "local_steps": 2}, {}, {}),
    "fedbc, exact": ({"method": "fedbc", "local": "argmin"}, {}, {}),
    "fedbc, steps": ({"method": "fedbc", "local": "gradient", "local_steps": 2}, {}, {}),
}
PULL = {"pull": Real(1 / 8, 8, unit=(1, -2), log=True), "step_share": Real(1 / 16, 1 / 2)}


def hyper(name: str, w: World) -> dict[str, Any]:
    if name.startswith("fedprox"):
        return {"mu": w.pull}
    if name.startswith("fedbc"):
        return {"multipliers": w.pull[..., None] + 0 * w.sigma2}
    return {}


@each(("n", "d", "rounds"), [(1, 1, 2), (2, 2, 1), (2, 1, 2)])
@each("name", RULES)
def test_engine_and_serial_twin_agree_on_every_outcome(
    name: str, n: int, d: int, rounds: int
) -> None:
    shape, box, defines = RULES[name]
    family = quadratics(({"N": n, "d": d, "rounds": rounds, **shape},), {**PULL, **box})
    defines = {"step_size": lambda w: w.step_share / (w.beta + 2 * w.pull), **defines}
    world, exact = pair(sampled(family, 1, 11)[0], defines)
    floats, fractions = world.run(**hyper(name, world)), exact.run(**hyper(name, exact))
    close(floats.theta, fractions.theta, 1e-12)  # some dozen roundings
    close(world.weights, exact.weights, 1e-14)
    assert exact.weights.sum() == 1
    for trace in floats.extras:
        close(floats.extras[trace], fractions.extras[trace], 1e-11)


def test_other_draws_are_told_apart() -> None:
    shape, box, _ = RULES["continuous"]
    family = quadratics(({"N": 2, "d": 1, "rounds": 1, **shape},), {**PULL, **box})
    world, exact = pair(sampled(family, 1, 11)[0], {"step_size": lambda w: w.step_share / w.beta})
    with pytest.raises(AssertionError):
        close(world.run().theta[:, ::-1], exact.run().theta, 1e-12)


# -- one-step identities ---------------------------------------------------------------------------


def before_jensen(w: World) -> tuple[Any, Any]:
    """Mean change of the excess, and the display of Lemma 1 that isotropic quadratics meet."""
    theta = w.run().theta
    gradients = w.problem.gradients(theta[..., 0, :])
    mixed = xp.total(w.alpha[..., None] * gradients, axis=-2) / xp.total(w.alpha)[..., None]
    own = gradients[..., 0, :]
    right = descent.lemma1_before_jensen_upper(
        w.step_size,
        w.beta,
        w.alpha,
        w.noise_scale**2,
        xp.squared_norm(own),
        xp.squared_norm(mixed),
        xp.squared_norm(mixed - own),
    )
    change = w.problem.excess(theta[..., 1, :]) - w.problem.excess(theta[..., 0, :])
    return w.mean(change[..., 0]), sum(w.mean(v) for v in right.values())


def isotropic(clients: int, dim: int, seed: int) -> Instance:
    one = sampled(fixed_runs((clients, dim, 1)), 1, seed)[0]
    form = np.broadcast_to(1.25 * np.eye(dim), (clients, dim, dim)).copy()
    data = {**one.data, "A": form}
    return Instance(one.family, data, one.method, {**one.params, "step_share": 0.5})


@pytest.mark.parametrize(("clients", "dim"), [(1, 1), (2, 1), (2, 2), (3, 2)])
def test_one_step_identity_of_the_descent_lemma(clients: int, dim: int) -> None:
    for seed in (0, 1, 2):
        world, exact = pair(isotropic(clients, dim, seed), FIXED)
        left, right = before_jensen(exact)
        assert (left == right).all()
        close(before_jensen(world)[0], before_jensen(world)[1], 1e-12)


def test_variance_of_the_aggregate_is_that_of_its_parts() -> None:
    for seed in (0, 1, 2):
        world, exact = pair(sampled(fixed_runs((3, 2, 1)), 1, seed)[0], FIXED)
        for w, tolerance in ((world, 1e-12), (exact, 0.0)):
            theta = w.run().theta[..., 1, :]
            centred = theta - w.mean(theta)
            left = w.mean(xp.squared_norm(centred))
            parts = (w.alpha * w.noise_scale) ** 2
            close(left, w.step_size**2 * xp.total(parts), tolerance)
