"""Instances that break printed forms of the grouping paper, by hand: left less right, fractions."""

from __future__ import annotations

from fractions import Fraction as Q
from typing import Any

import numpy as np
import pytest

from bounds.numbers import as_rational
from verify.catalogue.library import library
from verify.world.score import score


def difference(key: str, shape: int = 0, family: int = 0, **values: Any) -> Q:
    """Mean of left less right of one instance that meets all hypotheses."""
    leaf = library().leaf(f"hcct.{key}")
    chosen = (leaf.family, *leaf.also)[family]
    numbers = {k: as_rational(np.asarray(v)[None]) for k, v in values.items()}
    found = score(leaf, chosen.instance(numbers, chosen.shapes[shape]), "exact")
    assert found.feasible.all()
    return Q(found.left.item() - found.right.item())


# -- Equation 33 -----------------------------------------------------------------------------------

WRONG = {
    "mass": [1, 0],
    "other": [0, 1],
    "part": Q(1, 2),
    "own": [0, 0],
    "group": [0, 0],
    "model": [3, 0],
}
"""Client i has one atom, half of the group's data the other; h errs by 3 on the first alone."""
SEEN = 2
"""The shape of two atoms of which client i has one."""


@pytest.mark.parametrize("key", ["eq34@integral", "eq34@h-divergence", "thm1.chain/other"])
def test_an_error_of_three_on_half_of_the_group(key: str) -> None:
    """eps_i = 3, eps_G = 3/2, d_1 = 1, lambda = 0."""
    assert difference(key, SEEN, **WRONG) == 3 - (Q(3, 2) + 1 + 0)


@pytest.mark.parametrize("option", ["integral", "h-divergence"])
def test_outputs_that_differ_by_more_than_one(option: str) -> None:
    assert difference(f"thm1.chain/e@{option}", SEEN, **WRONG) == Q(1, 2) * 3 - 1


def test_a_signed_difference_of_labels() -> None:
    """f_G = -1 and f_i = h = 0 on the atom that client i does not have."""
    values = {**WRONG, "model": [0, 0], "group": [0, -1]}
    assert difference("thm1.chain/c", SEEN, **values) == Q(1, 2) - Q(-1, 2)


# -- Theorem 1 and Remark 1 ------------------------------------------------------------------------


def test_a_risk_that_no_sample_makes_smaller() -> None:
    """Loss 4 + (w - y)^2/2 on |w - y| <= 1/2: L = 1/2, bound 4 L^2/(1/2) = 2, always exceeded."""
    values = {"offset": 4, "radius": Q(1, 2), "convexity": 1, "level": Q(1, 2)}
    assert difference("theorem1@bounded+loss", **values) == 1 - Q(1, 2)


def test_an_error_does_not_shrink_with_the_loss() -> None:
    """tau = mu = 1/64, r = 1: off by 1 after any one sample; L = 1/32, bound 1/2."""
    values = {"tilt": Q(1, 64), "radius": 1, "convexity": Q(1, 64), "level": Q(1, 2)}
    assert difference("theorem1@bounded+error", **values) == 1 - Q(1, 2)


def test_two_samples_have_a_rare_slope_more_often_than_one() -> None:
    """Slopes 1 and -4 of chances 9/10 and 1/10: the wrong end of [-1, 1] costs 2 * 1/2 more."""
    values = {"chance": Q(9, 10), "slope": 1, "slope2": -4, "radius": 1, "convexity": Q(1, 4)}
    assert difference("remark1/samples@measured", **values) == (1 - Q(81, 100)) - Q(1, 10)


# -- Lemma 1 ---------------------------------------------------------------------------------------

PAIR = {"size": [1, 1], "sigma": Q(1, 8), "share": [0, 0], "step_size": Q(1, 2)}
AT_REST = {**PAIR, "bend": [1, 1], "optimum": [0, 1], "start": [0, 1]}
ACROSS = {**AT_REST, "start": [1, 0]}
BENT = {**PAIR, "bend": [1, 3], "optimum": [0, 0], "start": [1, -1]}
"""Two clients that meet half way, where their gradients cancel."""
TOGETHER = 1


@pytest.mark.parametrize(
    ("part", "values", "expected"),
    [
        ("sum", AT_REST, Q(1, 4) - Q(1, 2) * Q(1, 4) * 2 / 64),
        ("unbiased", ACROSS, Q(-1, 2) - 0),
        ("square", ACROSS, Q(1, 4) - 0),
        ("split", BENT, Q(3, 8) * (0 - (1 + 1))),
        ("noise", BENT, Q(3, 8) * (1 - Q(1, 64))),
    ],
)
def test_the_way_to_the_mean_is_part_of_the_step(part: str, values: Any, expected: Q) -> None:
    assert difference(f"lemma1/{part}@algorithm", TOGETHER, **values) == expected != 0


TWICE = {"bend": [1], "optimum": [0], "size": [1], "sigma": 1, "step_size": Q(1, 2)}
"""Two local steps of 1/2 on w^2/2: from 1 the gradients 1 and 1/2, from 0 a noise of 1 + 1/4."""


@pytest.mark.parametrize(
    ("part", "start", "share", "expected"),
    [
        ("sum", 0, 1, Q(1, 8) * (Q(5, 4) - 1)),
        ("noise", 0, 1, Q(1, 8) * (Q(5, 4) - 1)),
        ("unbiased", 1, 0, Q(-3, 4) + Q(1, 2)),
        ("split", 1, 0, Q(1, 8) * (Q(9, 4) - 1 - Q(1, 4))),
    ],
)
def test_two_local_steps(part: str, start: int, share: int, expected: Q) -> None:
    values = {**TWICE, "start": [start], "share": [share]}
    assert difference(f"lemma1/{part}@own-models", family=1, **values) == expected != 0


# -- Equations 39 and 40 ---------------------------------------------------------------------------

DRIFT = {
    "curvature": 1,
    "slack": Q(1, 8),
    "start": 0,
    "size": [1, 1],
    "sigma": Q(1, 8),
    "share": [0, 0],
    "step_share": Q(1, 2),
}
ALIKE, APART = {**DRIFT, "optimum": [1, 1]}, {**DRIFT, "optimum": [1, -1]}
CARRIED = {**DRIFT, "optimum": [0, 0, 2], "size": [1, 1, 1], "share": [0, 0, 0]}
"""Steps of 1/2 from 0; kappa_ii = 1/8."""


@pytest.mark.parametrize("models", ["own-models", "algorithm"])
@pytest.mark.parametrize(
    ("part", "shape", "values", "expected"),
    [
        # both at 1/2, and client 0 at 3/4 one step later
        ("e", 0, ALIKE, Q(1, 16) - 0),
        # alone for two epochs: 3/4 and -3/4, by steps of 1/2 and 1/4 each
        ("f", 1, APART, Q(9, 4) - (1 + Q(1, 4))),
        # client 0 with client 2: the mean of their gradients is -1, that of client 1 is 0
        ("g", 2, CARRIED, Q(1, 4) * (1 - Q(2, 64))),
        # grad J_0 - grad J_1 = -2, kappa_00 = 1/8
        ("h", 0, APART, Q(1, 4) * (4 - Q(1, 64))),
        ("whole", 0, ALIKE, Q(1, 16) - Q(1, 4) * (Q(1, 64) + Q(2, 64))),
    ],
)
def test_clients_that_meet(part: str, shape: int, values: Any, expected: Q, models: str) -> None:
    epoch = "+misplaced" if part in ("e", "whole") else ""
    assert difference(f"eq39/{part}@{models}{epoch}", shape, **values) == expected > 0


@pytest.mark.parametrize("models", ["own-models", "algorithm"])
@pytest.mark.parametrize("index", ["fixed-j", "summed-j"])
def test_a_left_side_that_is_zero(models: str, index: str) -> None:
    """From 0 towards 1: gradients -1, steps 1/2, one group."""
    own = group = Q(-1, 2) * Q(1, 2) * 2
    similar, noise = Q(1, 2) * Q(2, 64), Q(1, 2) * Q(1, 4) * 2 / 64
    right = own + group + similar + Q(1, 2) * Q(1, 4) * 2 + noise
    assert difference(f"eq40/first@{models}+{index}+misplaced", **ALIKE) == -right > 0


@pytest.mark.parametrize("averaged", [False, True])
def test_a_left_side_that_is_zero_with_the_drift(averaged: bool) -> None:
    """Clients 0 and 2 for four epochs, 0 and 1 after that; sizes 1, 2 and 2, optima 0, 0 and 1."""
    eta, little = Q(1, 2), Q(1, 64)
    size, optimum, models = (1, 2, 2), (0, 0, 1), [Q(0)] * 3
    words = [((0, 2), (1,))] * 4 + [((0, 1), (2,))]
    similar = []
    for number, groups in enumerate(words):
        gradients, moved = [m - o for m, o in zip(models, optimum, strict=True)], list(models)
        mean, total = [Q(0)] * 3, Q(0)
        for group in groups:
            part = {j: Q(size[j], sum(size[k] for k in group)) for j in group}
            middle = sum(part[j] * models[j] for j in group)
            for i in group:
                mean[i] = sum(part[j] * gradients[j] for j in group)
                step = sum(
                    part[j] * ((middle if averaged else models[j]) - optimum[j]) for j in group
                )
                moved[i] = (middle if averaged else models[i]) - eta * step
                total += sum(part[j] * (abs(optimum[i] - optimum[j]) + little) ** 2 for j in group)
        similar.append(total)
        if number < 4:
            models = moved
    own, group_squares = sum(g**2 for g in gradients), sum(g**2 for g in mean)
    noise = 2 * 3 * little**2
    right = (
        -eta / 2 * own
        - eta / 2 * group_squares
        + eta * similar[4]
        + eta**2 * group_squares / 2
        + eta**2 * noise / 4
        + eta * sum(eta**2 * (similar[s] + noise) for s in range(4))
    )
    values = {
        "gap": 1,
        "heavy": 2,
        "curvature": 1,
        "step_share": eta,
        "sigma": little,
        "slack": little,
    }
    key = "eq40/second@" + ("algorithm" if averaged else "own-models") + "+misplaced"
    assert difference(key, **values) == -right


# -- a partition that merges before it asks --------------------------------------------------------


@pytest.mark.parametrize(("part", "more"), [("threshold", {}), ("data", {"stretch": 1})])
def test_two_clients_of_opposite_gradients_are_merged(part: str, more: dict[str, int]) -> None:
    """g = 1 and -2, one sample each: cosines -1 and 1 with the mean, threshold 2; N = 2, K = 1."""
    values = {"gradient": [[1], [-2]], "size": [1, 1], "tradeoff": 1, **more}
    assert difference(f"claim.degInd/{part}@after-merge", **values) == 2 - 1
