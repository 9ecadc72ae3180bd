"""Instances that break Theorem 3 and its lemmas, computed by hand: left less right, in fractions.

Steps never rise in them: a decay of the learning rate is printed, a rate of decay is not.  None
has noise.
"""

from __future__ import annotations

from fractions import Fraction as Q
from typing import Any

import pytest

from tests.verify.statements.test_aggregation_families import exactly, leaf

THREE = {"curvature": [[1]] * 3, "optimum": [[1], [-1], [0]], "share": [1, 1, 1]}
"""w* = 0, Gamma = 1/3, p = 1/3."""
TWO = {"curvature": [[1], [1]], "optimum": [[1], [-1]], "share": [1, 1]}
"""w* = 0, Gamma = 1/2, p = 1/2, both losses 1/2 there: rho(t, w*) = 1 for all weights."""
STEEP = {"curvature": [[1], [64]], "optimum": [[0], [0]], "share": [1, 1]}
"""w* = 0, Gamma = 0, L = 64."""
RARE = {**STEEP, "share": [64, 1]}


def difference(key: str, values: dict[str, Any], **shape: Any) -> Q:
    """Left less right of one instance that meets all hypotheses, of the quiet shape asked for."""
    shapes = leaf(key).family.shapes
    wanted = {"quiet": True, "N": len(values["share"]), **shape}
    number = next(i for i, s in enumerate(shapes) if wanted.items() <= s.items())
    found = exactly(key, shape=number, **values)
    assert found.feasible.all()
    return Q(found.left.item() - found.right.item())


def test_lemma_2_without_a_range_of_steps() -> None:
    """From 0 the two go to 1/4 and -1/4, 1/16 in squares; the step after that is 1/64, E G = 2."""
    run = {**THREE, "start": [0], "raw": [[1, 1, 0]] * 3, "pace": [1, Q(1, 16)]}
    expected = Q(1, 16) - 16 * Q(1, 64) ** 2 * 4
    assert difference("lemma2@run+algorithm", run, rounds=2) == expected > 0
    run = {**TWO, "start": [0], "raw": [[1, 1]] * 3, "pace": [1, 1, Q(1, 16)]}
    assert difference("lemma2@run+section2", run, at=2, rule="fixed") == expected


ETA = Q(1, 512)


def test_a_client_at_rest_is_not_seen_by_rho_where_its_round_began() -> None:
    """All weight on client 0: from -1 to its minimiser 1 by a step of 1, and no further.

    rho-bar = 2/(5/6), rho-tilde = (1/2)/(1/3), G = 2 at the start.
    """
    run = {**THREE, "start": [-1], "raw": [[1, 0, 0]] * 3, "pace": [4, 4 * ETA]}
    low, high, gap = Q(12, 5), Q(3, 2), Q(1, 3)
    right = (
        1
        - ETA * (1 + 3 * low / 8)
        + ETA**2 * (32 * 4 * 4 + 6 * low * gap)
        + 2 * ETA * gap * (high - low)
    )
    for name in ("theorem3", "proof.recursion"):
        assert difference(f"{name}@run+algorithm+loop", run, rounds=2) == 1 - right > 0
    # x_0 = 0 at the local model and 1/2 at w*
    right = ETA**2 * (16 * 4 * 4 + 6 * low * gap) - 3 * ETA * low / 8 + 2 * ETA * gap * (high - low)
    assert difference("proof.A5@run+algorithm+loop", run, rounds=2) == ETA - right > 0


def test_other_weights_than_p_carry_the_average_away() -> None:
    """w_2 = 0 is the p-average of 1/4 and -1/4; w_3 takes the first alone. rho = 1 throughout."""
    run = {**TWO, "start": [0], "raw": [[1, 1], [1, 0], [1, 1]], "pace": [1, 1, 4 * ETA]}
    shape = {"at": 2, "rule": "fixed"}
    after = (Q(1, 4) + 3 * ETA / 4) ** 2
    for name in ("theorem3", "proof.recursion"):
        right = ETA**2 * (32 * 4 + 6 * Q(1, 2))
        assert difference(f"{name}@run+section2+loop", run, **shape) == after - right > 0
    excess = Q(9, 32)
    fifth = 4 * ETA**2 * excess - 2 * ETA * (excess - Q(1, 2))
    right = ETA**2 * (16 * 4 + 6 * Q(1, 2))
    assert difference("proof.A5@run+section2+loop", run, **shape) == fifth - right > 0
    right = 16 * 4 * ETA**2 + fifth
    assert difference("proof.pre@run+section2", run, **shape) == after - right > 0


def test_a_steep_client_at_rest_and_a_flat_one_on_its_way() -> None:
    """A step of 1/64 takes the steep one to 0 and the flat one to 1; equal weights, w = 1/2."""
    eta, square = Q(1, 2**21), Q(64 * 64, 63) ** 2
    run = {**STEEP, "start": [Q(64, 63)], "raw": [[1, 1]] * 3, "pace": [4, 256 * eta]}
    expected = -eta / 2 - (4 * eta**2 * square - eta / 2 + 32 * eta**2 - eta / 2)
    found = difference("proof.A1b/whole@run+algorithm+one", run, rounds=2, local_steps=2)
    assert found == expected > 0


def test_the_flat_client_alone_after_a_p_average() -> None:
    """Models 1 and 0 after two steps of 1/64, their p-average 1/2; all weight on the flat one."""
    eta, square = Q(1, 2**16), Q(64 * 64, 63) ** 2
    run = {**STEEP, "start": [Q(64, 63)], "raw": [[1, 0]] * 3, "pace": [4, 4, 256 * eta]}
    flat = Q(63, 64)
    first = -2 * eta * flat / 2 * flat
    last = 4 * eta**2 * square - 2 * eta * flat**2 + 64 * eta**2 * flat**2
    assert difference("proof.A1b/whole@run+section2+one", run, at=2) == first - last > 0


@pytest.mark.parametrize(("iterates", "moved"), [("algorithm", 2), ("section2", Q(256, 65))])
def test_one_minimiser_and_a_steep_client_of_small_share(iterates: str, moved: Q) -> None:
    """p = (64, 1)/65, weights 1/2: rho = (65/2)/(128/65) at every point but 0.

    By Algorithm 1 the steep one rests after a step of 1/64, and a step eta leaves (1 - eta)^2 of
    (63/128)^2; by eq. 2 a p-average leaves (1 - 128 eta/65)^2.  rho-bar promises 1 - 7.2 eta.
    """
    eta, rho = Q(1, 2**20), Q(65, 2) / Q(128, 65)
    paces = [4 if iterates == "algorithm" else 256 * eta, *[256 * eta] * 3]
    run = {**RARE, "start": [1], "raw": [[1, 1]] * 4, "pace": paces}
    before = Q(63, 128) ** 2 if iterates == "algorithm" else (1 - 65 * eta / 2) ** 2
    after = before * (1 - moved * eta / 2) ** 2
    right = before * (1 - eta * (1 + 3 * rho / 8)) + eta**2 * 32 * 4 * 64**2
    found = difference(f"eq13@run+{iterates}+endless", run, at=1, rule="steady")
    assert found == after - right > 0


def test_a_first_model_that_no_rho_sees() -> None:
    """Curvatures 16, 4 and 1, minimisers 0, 1 and -2: weights 1/2 take w_1 to 1/64 from w* = 0.

    The client of share 1 - 2^-40 brings the model back before rho is taken again.
    """
    values = {"slow": 1, "reach": 1, "ratio": 16, "rare": Q(1, 2**40)}
    found = exactly("corollary4@run+section2+endless+iterations", **values)
    theta = found.world.run().theta[0, 0, :, 0]
    assert (theta[1], theta[33]) == (Q(1, 64), 0)
    mean = 16 * (1 - Q(1, 2**40)) + 4 * Q(1, 2**40) / 3 + 2 * Q(1, 2**40) / 3
    assert found.left.item() == mean / 2 * Q(1, 64) ** 2 > found.right.item() > 0
    assert found.world.high.item() == 2**40 > found.world.low.item() > 2**20


def test_all_weight_where_the_minimiser_of_f_is() -> None:
    """Corollary 4 for T = 1 by hand: minimisers 0, -1, 1, curvatures 1, 1, k, from 1.

    rho-tilde = 0, so that E = -8 k Gamma/3; Gamma = p_1 as p_1 = k p_2.
    """
    k, p0 = 8000, Q(1, 32)
    p1 = (1 - p0) / (1 + Q(1, k))
    low = Q(1, 2) / (p0 / 2 + 2 * p1)
    speed = 4 * k * 32 * 4 / (3 * low) + 8 * k**2 * p1 + Q(k * 4 * k, 2)
    right = speed / (1 + 4 * k) - Q(8 * k, 3) * p1
    left = (p0 + 2 * p1) / 2 * (1 - Q(1, 4 * k)) ** 2
    assert left > 0 > right
    values = {"floor": 1, "factor": k, "behind": 1, "ahead": 1, "chosen": p0}
    for reading in ("section2+loop+iterations", "algorithm+loop+rounds"):
        found = exactly(f"corollary4@run+{reading}", 1, **values)
        assert found.left.item() - found.right.item() == left - right


def test_falling_short_of_rho_tilde_for_ever_takes_an_end() -> None:
    """From -1 client 0 alone is badly served: rho = 2 at the start, 9/5 after a step of 1/4."""
    run = {**TWO, "start": [-1], "raw": [[1, 0]] * 4}
    assert difference("remark7/least@loop", run) == Q(9, 5) - 1


# -- strategies ------------------------------------------------------------------------------------


def test_another_strategy_is_nearer_after_two_steps() -> None:
    """From -1 in steps of 1/4 towards 0: p leaves (3/4)^2, client 0 alone ends at -1/8."""
    run = {**TWO, "start": [-1], "raw": [[1, 0]] * 4, "pace": [1, 1]}
    found = difference("strategy.fedavg/accuracy@reached", run, rule="fixed", local_steps=1)
    assert found == (Q(9, 16) ** 2 - Q(1, 8) ** 2) / 2 > 0


def test_fedmax_leads_to_where_every_rho_is_one() -> None:
    """From -1 a step of 1/2 takes FedMax to w* = 0; weights (3/4, 1/4) stop at -1/4."""
    run = {**TWO, "start": [-1], "raw": [[3, 1], [1, 0], [1, 0], [1, 0]], "pace": [2, 2]}
    assert difference("strategy.fedmax/bound@whole-run", run, d=1) == Q(25, 17) - 1


CROSSED = {"curvature": [[4, 1], [1, 4]], "optimum": [[0, 0], [0, 0]], "start": [1, Q(4, 7)]}
"""F_1 = (4 x^2 + y^2)/2 and F_2 = (x^2 + 4 y^2)/2; a step of 1/8 on F_1 ends at (1/2, 1/2)."""


def test_fedmax_meets_equal_losses_with_one_minimiser_too() -> None:
    """Weights (7/8, 1/8) lead to (35/64, 53/112), where client 0 is still the worst served."""
    run = {
        **CROSSED,
        "share": [1, 1],
        "raw": [[7, 1], [1, 0], [1, 0], [1, 0]],
        "pace": [2, Q(1, 64)],
    }
    x, y = 1 - Q(29, 64), Q(4, 7) * (1 - Q(11, 64))
    worst, other = (4 * x**2 + y**2) / 2, (x**2 + 4 * y**2) / 2
    assert worst > other
    expected = 2 * worst / (worst + other) - 1
    assert difference("errorfree/fedmax@whole-run", run, d=2) == expected > 0


def test_fedmax_serves_a_client_that_hardly_counts() -> None:
    """p = (1, 63)/64: client 1 alone takes (1, 4/7) to (7/8, 2/7), which is lower in F."""
    run = {**CROSSED, "share": [1, 63], "raw": [[0, 1]] * 4, "pace": [2, Q(1, 2**30)]}
    found = difference("errorfree/optimal@reached", run, d=2)

    def loss(x: Q, y: Q) -> Q:
        return (4 * x**2 + y**2) / 128 + 63 * (x**2 + 4 * y**2) / 128

    exact = loss(Q(1, 2), Q(1, 2)) - loss(Q(7, 8), Q(2, 7))
    assert abs(found - exact) < Q(1, 2**30) < exact  # but for a last step of 2^-34
