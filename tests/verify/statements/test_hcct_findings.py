"""Instances behind the findings, computed apart from the statements."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb, exp
from typing import Any

import numpy as np
import pytest

from verify.catalogue.paper import paper
from verify.claim.instance import Instance
from verify.ladder import PROFILES, assay
from verify.statements import hcct
from verify.world.referee import Rescored, rescore
from verify.world.score import event, score

LEAVES = {leaf.key: leaf for leaf in paper(hcct)}


def numbers(key: str, **values: Any) -> Rescored:
    """Exact sides of one instance that is built from a statement's parameters."""
    leaf = LEAVES[f"hcct.{key}"]
    shape = leaf.family.shapes[-1]
    lifted = {k: np.array([v], dtype=object) for k, v in values.items()}
    return rescore(leaf, leaf.family.instance(lifted, shape)[0])


# -- k-means -----------------------------------------------------------------------------------


def _objective(gradients: Any, groups: Any) -> tuple[float, float]:
    """Sum of the cosines with the groups' means, and the variance within groups."""
    similar = spread = 0.0
    for group in groups:
        g = gradients[list(group)]
        mean = g.mean(axis=0)
        similar += sum(v @ mean / np.linalg.norm(v) / np.linalg.norm(mean) for v in g)
        spread += ((g - mean) ** 2).sum()
    return similar, spread


@pytest.mark.parametrize(("reading", "free"), [("free-K", True), ("given-K", False)])
def test_both_readings_of_kmeans_follow_one_tie_rule(reading: str, free: bool) -> None:
    rng = np.random.default_rng(23)
    gradients = rng.normal(size=(50, 3, 2))
    leaf = LEAVES[f"hcct.claim.kmeans/variance@{reading}"]
    result = score(leaf, Instance("numbers", {}, None, {"gradient": gradients, "N": 3, "d": 2}))
    pairs = [(p, ({0, 1, 2} - set(p)).pop()) for p in combinations(range(3), 2)]
    partitions: list[Any] = [(p, (k,)) for p, k in pairs]
    partitions += [((0,), (1,), (2,)), ((0, 1, 2),)] if free else []
    for k, g in enumerate(gradients):
        values = [_objective(g, p) for p in partitions]
        least = min(v for _, v in values)
        solved = max(s for s, v in values if v <= least + 1e-12)
        assert result.left[k, 0] == pytest.approx(max(s for s, _ in values))
        assert result.right[k, 0] == pytest.approx(solved)


def test_single_clients_solve_both_problems_where_any_number_of_groups_will_do() -> None:
    """Gradients of one direction solve (10) together as well; that is no accusation."""
    leaf = LEAVES["hcct.claim.kmeans/variance@free-K"]
    gradient = np.array([[[Fraction(1)], [Fraction(3)]]], dtype=object)
    found = rescore(leaf, Instance("numbers", {}, None, {"gradient": gradient[0], "N": 2, "d": 1}))
    assert (found.left, found.right, found.violated) == (2, 2, False)


# -- Theorem 1 ---------------------------------------------------------------------------------


def test_exact_labels_and_the_absolute_error_leave_nothing_to_estimate() -> None:
    """The minimiser of every sample of |h(x; w) - y| gives the labels of the group."""
    rng = np.random.default_rng(41)
    slope, convexity, radius = 0.3, 0.5, 1.0
    label = rng.random(3)
    inward = np.where(label > 0.5, -1, 1)
    model = np.linspace(-radius, radius, 2001)
    for size in (1, 5):
        drawn = rng.integers(3, size=size)
        output = label + inward * (slope * abs(model) + convexity * model**2 / 2)[:, None]
        assert ((output >= 0) & (output <= 1)).all()
        loss = abs(output - label)[:, drawn].mean(axis=1)
        assert model[loss.argmin()] == pytest.approx(0, abs=1e-12)
        assert (np.diff(loss, 2) >= convexity * (model[1] - model[0]) ** 2 * (1 - 1e-6)).all()


@pytest.mark.parametrize("name", ["theorem1", "eq35"])
def test_a_lipschitz_loss_on_the_whole_space_is_no_strongly_convex_one(name: str) -> None:
    empty, reading = LEAVES[f"hcct.{name}.empty"], LEAVES[f"hcct.{name}@whole-space"]
    assert assay(empty, profile=PROFILES["quick"], parent=reading).verdict == "proved"
    rng = np.random.default_rng(3)
    u = rng.random((400, reading.family.width({"n": 4})))
    result = score(reading, reading.family.instance(reading.family.decode(u, {"n": 4}), {"n": 4}))
    lipschitz = result.margins["L-Lipschitz everywhere"]
    assert (lipschitz < 0).all()
    assert all((m > 0).any() for name, m in result.margins.items() if name.startswith("delta"))


@pytest.mark.parametrize(("key", "claimed"), [("eq35.repaired", 2), ("eq35.refined/half", 1)])
def test_the_excess_of_fair_slopes_is_near_what_hoeffding_allows(key: str, claimed: int) -> None:
    """n fair signs, |w| <= r: the bound is exceeded by |mean sign| > t, a binomial tail."""
    leaf, n, level, radius = LEAVES[f"hcct.{key}"], 256, 63 / 64, 0.25
    values = {
        "chance": 0.5,
        "slope": 1.0,
        "slope2": -1.0,
        "radius": radius,
        "convexity": 1.0,
        "level": level,
    }
    batch = {k: np.array([v]) for k, v in values.items()}
    result = score(leaf, leaf.family.instance(batch, {"n": n}))
    threshold = 2 * claimed * (1 + radius) ** 2 / (level * n)
    signs = [(2 * k - n) / n for k in range(n + 1)]
    tail = sum(
        comb(n, k) / 2**n for k, s in enumerate(signs) if min(abs(s), radius) ** 2 / 2 > threshold
    )
    assert result.left[0, 0] == pytest.approx(tail)
    assert 0 < tail <= 2 * exp(-2 * claimed / level)


def test_means_of_coins_are_losses_of_two_slopes() -> None:
    """mu (w - z)^2/2 on [0, 1] has the slopes -+ mu/2 around 1/2, and L = mu."""
    leaf, n, p = LEAVES["hcct.eq35.repaired"], 16, 0.3
    values = {
        "chance": 1 - p,
        "slope": 1.0,
        "slope2": -1.0,
        "radius": 0.5,
        "convexity": 2.0,
        "level": 0.5,
    }
    batch = {k: np.array([v]) for k, v in values.items()}
    inside, bound, _ = event(leaf, score(leaf, leaf.family.instance(batch, {"n": n})).world)
    heads = np.arange(n, -1, -1)
    np.testing.assert_allclose(inside[0], (heads / n - p) ** 2, atol=1e-15)
    np.testing.assert_allclose(bound[0], 4 * 2 / (0.5 * n))


# -- Theorem 2 ---------------------------------------------------------------------------------


def test_averaging_now_and_then_breaks_theorem_2_from_a_common_start() -> None:
    """Optima 0 and 1, one start 1/2, equal sizes, L = 8, eta L = 1/20: Algorithm 1 by hand."""
    share, h = Fraction(1, 20), Fraction(8)
    values = {
        "gap": Fraction(1),
        "heavy": Fraction(1),
        "curvature": h,
        "step_share": share,
        "sigma": Fraction(1),
        "slack": Fraction(1, 8),
        "start_share": Fraction(1, 2),
    }
    found = numbers("theorem2@algorithm+undivided", **values)
    assert found.violated
    # both are at distance 1/2 from their optima after every meeting, and shrink it by 19/20 alone
    shrink = (1 - share) ** 2
    alone = sum(shrink**j for j in range(16))
    squares = 2 * h**2 / 4 * (5 * alone + 4 * shrink**16)
    assert found.left == squares / 84
    together, apart = (h + Fraction(1, 8)) ** 2 + Fraction(1, 64), 2 * Fraction(1, 64)
    similar = [together if t % 17 == 16 and t < 68 else apart for t in range(84)]
    eta = share / h
    right = 2 * h / 4 / (84 * eta) + sum(2 * s for s in similar) / 84
    right += sum(2 * share**2 * similar[s] for t in range(84) for s in range(t)) / 84
    right += h * eta * 2 + sum(4 * eta * h**2 * 2 * t * eta**2 for t in range(84))
    assert found.right == right
    assert found.left > found.right
