"""What falls in the adaptive paper, by numbers that a reader can compute by hand."""

from __future__ import annotations

from fractions import Fraction as Q
from typing import Any

import numpy as np
import pytest

from bounds.numbers import as_rational
from verify.catalogue.library import library
from verify.claim.statement import Statement
from verify.statements.adaptive.problems import twenty_clients
from verify.world.noise_plan import Samples
from verify.world.score import Score, score
from verify.world.world import World


def leaf(key: str) -> Statement:
    return library().leaf(f"adaptive.{key}")


def exactly(key: str, shape: int = 0, **values: Any) -> Score:
    """One instance of a statement, of its first family, in fractions."""
    statement = leaf(key)
    numbers = {k: as_rational(np.asarray(v)[None]) for k, v in values.items()}
    family = statement.family
    return score(statement, family.instance(numbers, family.shapes[shape]), "exact")


TWO: dict[str, Any] = {"ratio": [1, Q(1, 2)], "sigma2": [1, Q(1, 16)]}
"""sigma_psi^2 = 1/(1 + 16/4) = 1/5 for the continuous rule."""


def test_a_weight_above_one() -> None:
    found = exactly("alg.afo/range", 2, **TWO, threshold=1)
    assert found.feasible.all()
    assert found.left.max() == Q(1, 2) * Q(1, 5) * 16 == Q(8, 5)
    assert exactly("alg.afo.repaired/range", **TWO, phi_share=[1, 1]).left.max() == Q(4, 5)


def test_binary_weights_of_a_low_threshold_add_variance() -> None:
    """Ratios 1 and lambda give the weights 1/(1 + lambda) twice."""
    values: dict[str, Any] = {"ratio": [1, Q(1, 4)], "sigma2": [1, 1], "threshold": Q(1, 4)}
    found = exactly("inf.variance/binary", 1, **values)
    assert found.left.item() == 2 / Q(25, 16) > found.right.item() == 1


def test_many_clients_that_are_not_similar_do_not_help() -> None:
    found = exactly("sec4.freq/variance", ratio=0, sigma2_one=1, threshold=Q(1, 2))
    assert (found.left.item(), found.right.item()) == (1, Q(1, 2))


ALONE: dict[str, Any] = {
    "curvature": [[1], [1]],
    "optimum": [[0], [2]],
    "sigma": [1, Q(1, 2)],
    "noise_share": [1, 1],
    "skew": [1, 1],
    "start": [2],
    "tradeoff": 2,
    "threshold": Q(1, 2),
    "step_share": 1,
    "precision": 4,
}
"""Losses theta^2 and (theta - 2)^2 at theta = 2, mu = beta = 2: the gradients are 4 and 0, so that
client 1 has no weight, and one step of size 1/2 leaves E X = 1/4. The gap is 4 everywhere, so that
b = 8 serves in A3; b/(2 mu eps) = 1/2 and sigma_suf^2 = 1/(1 + (1/4)/(1/4)) = 1/2. With b^2 client
1 is out."""


@pytest.mark.parametrize("excess", ["mean-excess", "realised-excess"])
def test_one_step_breaks_the_constant_row(excess: str) -> None:
    found = exactly(f"theorem2.const@plain-b+{excess}", 4, **ALONE)
    assert found.feasible.all()
    assert (found.left.item(), found.right.item()) == (Q(1, 4), Q(1, 8))


KICKED: dict[str, Any] = {
    "stiffness": 1,
    "offset": 1,
    "near": 1,
    "kick": 50,
    "quiet": Q(1, 2),
    "level": 1,
    "step_share": Q(1, 2),
    "threshold": 1,
    "tradeoff": 2,
}
"""Losses theta^2 and (theta - 1)^2 from 1, step 1/4, noise +-100 of client 0 alone: there the gap 2
is the own gradient, so client 0 goes alone to 1/2 -+ 25. Both places have an excess loss of at
least (49/2)^2 = epsilon, and there client 1, whose variance is 1, is similar: with b = 4,
b^2/(2 mu epsilon) is 16/2401."""


@pytest.mark.parametrize("excess", ["mean-excess", "realised-excess"])
def test_the_excess_loss_before_t_minus_1_matters_too(excess: str) -> None:
    """E X^2 is at least a quarter of 25^2; the bound is 1/4 and an eighth of sigma_suf^2."""
    statement = leaf(f"theorem2.const@squared-b+{excess}")
    (family,) = statement.also
    numbers = {k: as_rational(np.asarray(v)[None]) for k, v in KICKED.items()}
    found = score(statement, family.instance(numbers, family.shapes[0]), "exact")
    assert found.feasible.all()
    assert found.left.item() > Q(625, 4) > 150 * found.right.item()


def test_the_mended_constant_row_is_tight_there() -> None:
    found = exactly("theorem2.const.repaired", 4, **ALONE)
    assert found.feasible.all()
    assert found.left.item() == found.right.item() == Q(1, 4)


def test_one_step_breaks_the_bound_on_the_gradients() -> None:
    """2 sqrt(2 * 4 * 2 / 2) = 4 sqrt 2 against G_1^2 = 16."""
    statement = leaf("theorem3@plain-b+mean-excess")
    family = statement.family
    values = {k: np.asarray(v, dtype=float)[None] for k, v in ALONE.items()}
    found = score(statement, family.instance(values, family.shapes[4]))
    assert found.feasible.all()
    assert found.left.item() == pytest.approx(16)
    assert found.right.item() == pytest.approx(4 * np.sqrt(2))


REPAIRED = ("theorem2.const", "theorem2.decr", "theorem3.step")


@pytest.mark.parametrize("name", REPAIRED)
def test_gaussian_noise_meets_the_hypotheses_of_the_repaired_rows(name: str) -> None:
    statement = leaf(f"{name}.repaired")
    instance = twenty_clients("gaussian")
    more = {"precision": 1.0, "level": 1.0, "factor": 2.0, "delay": 200.0, "step_share": 0.01}
    known = {k: v for k, v in more.items() if k in statement.family.box}
    params = {**instance.params, **known, "rounds": 3}
    batch = type(instance)(instance.family, instance.data, instance.method, params)
    world = World(batch.batched(), "float64", Samples(5, 64), statement.defines)
    margins = [np.asarray(item.rule(world)) for item in statement.given]
    assert all((margin > 0).all() for margin in margins)
    assert margins[0].shape[1] == 64


def test_where_the_own_gradient_vanishes_ratios_have_no_value() -> None:
    still = {**ALONE, "start": [0]}
    with pytest.raises(ZeroDivisionError):
        exactly("theorem2.const@plain-b+mean-excess", 4, **still)


# -- Theorem 1 along one run, Lemma 2, Lemma 1 ---------------------------------------------------

NEAR: dict[str, Any] = {
    "curvature": [[1], [1]],
    "optimum": [[0], [Q(-1, 3)]],
    "sigma": [30, 1],
    "noise_share": [1, 0],
    "skew": [30, 1],
    "start": [Q(-6, 5)],
    "tradeoff": 2,
    "threshold": Q(3, 4),
    "step_share": Q(2, 3),
}
"""Losses theta^2 and (theta + 1/3)^2, binary rule at 3/4, step 1/3, noise -1 (900 of 901) or 900 of
client 0 alone. The gap is 2/3 everywhere, so that client 1 is similar where |theta| >= 2/3."""


def two_rounds() -> tuple[Q, Q, list[Q], list[Q]]:
    """E X^1, E X^2 and the right sides of Theorem 1 and of its recursion, by the first noise."""
    first, second, variances = Q(0), Q(0), []
    law = [(Q(-1), Q(900, 901)), (Q(900), Q(1, 901))]
    start, before = move(Q(-6, 5), Q(0))[1], Q(-6, 5)
    for noise, p in law:
        place, _ = move(before, noise)
        first += p * place**2
        variances.append(move(place, Q(0))[1])
        second += p * sum(q * move(place, other)[0] ** 2 for other, q in law)
    bound = [before**2 / 9 + (start / 3 + later) / 9 for later in variances]
    return first, second, bound, [first / 3 + later / 9 for later in variances]


def move(theta: Q, noise: Q) -> tuple[Q, Q]:
    """The model after a round and sigma_psi^2 before it."""
    own, other, low = 2 * theta, 2 * theta + Q(2, 3), Q(3, 4)
    ratio = 1 - (other - own) ** 2 / own**2
    phi, variance = (low, low if ratio >= low else 0), (900, 1)
    psi = 1 / (phi[0] / Q(900) + ratio * phi[1])
    weights = [f * psi / s for f, s in zip(phi, variance, strict=True)]
    return theta - (weights[0] * (own + noise) + weights[1] * other) / 3, psi


@pytest.mark.parametrize("name", ["theorem1", "theorem1.rec"])
def test_a_run_with_a_helper_has_the_smaller_right_side(name: str) -> None:
    """E X^2 is nearly 100; the outcome that brings client 1 in has 4/3 for 1200."""
    found = exactly(f"{name}@each-run", 7, **NEAR)
    assert found.feasible.all()
    _, mean, bound, recursion = two_rounds()
    right = bound if name == "theorem1" else recursion
    assert found.left.max() == mean
    assert {found.right.min(), found.right.max()} == set(right)
    assert right[1] < 1 < 99 < mean < 101 < right[0]
    found = exactly(f"{name}@in-mean", 7, **NEAR)
    assert found.left.item() < found.right.item()


FAR = {**ALONE, "sigma": [4, 1], "noise_share": [1, 1]}
"""As above with noise +-4 of client 0: theta^1 = -+2, where X = 4 and the gap is the gradient, so
that client 1 has no weight before nor after the step; 1 - b/(2 mu X) = 1/2."""


@pytest.mark.parametrize("place", ["before-step", "after-step"])
@pytest.mark.parametrize("excess", ["mean-excess", "realised-excess"])
def test_the_sufficient_cluster_is_no_part_of_the_effective_one(excess: str, place: str) -> None:
    found = exactly(f"lemma2/cluster@plain-b+{excess}+{place}", 2, **FAR)
    assert found.feasible.all()
    assert (found.left.max(), found.right.min()) == (1, 0)
    found = exactly(f"lemma2/variance@plain-b+{excess}+{place}", 2, **FAR)
    assert (found.left.max(), found.right.max()) == (16, 1 / (Q(1, 16) + Q(1, 4)))


STEP: dict[str, Any] = {
    "curvature": [[Q(1, 8)]],
    "optimum": [[0]],
    "sigma": [1],
    "noise_share": [1],
    "skew": [1],
    "start": [0],
    "tradeoff": 2,
    "alpha": [1],
    "step_share": Q(3, 4),
}
"""theta^2/8, so beta = 1/4, from its optimum with a step of 3 and noise +-1."""


def test_noise_of_a_long_step_breaks_lemma_1() -> None:
    """9/8 against -(3/2) 9/16 + 3/4 = -3/32; eta^2 beta sigma^2/2 = 9/8 is the mended term."""
    for reading in ("in-mean", "each-run"):
        found = exactly(f"lemma1@new-model+eta+{reading}", **STEP)
        assert found.feasible.all()
        assert found.left.max() - found.right.max() == Q(9, 8) + Q(3, 32)
    found = exactly("lemma1.repaired", **STEP)
    assert found.left.item() == found.right.item()


def test_a_step_towards_the_optimum_may_find_more_similar_clients() -> None:
    """theta^2/2 and (theta - 1)^2: gap |theta - 2|, so that r is 3/4 at 4 and 1 at 2."""
    values: dict[str, Any] = {
        "curvature": [[Q(1, 2)], [1]],
        "optimum": [[0], [1]],
        "turn": [0, 0],
        "point": [4],
        "share": 1,
    }
    found = exactly("inf.less/ratio", **values)
    assert found.feasible.all()
    assert (found.left.item(), found.right.item()) == (1, Q(3, 4))
