"""Instances behind the findings, run step by step from the printed algorithms."""

from __future__ import annotations

import numpy as np
import pytest

from synthetic.lower_bound import SignFamily
from tests.each import each
from verify.catalogue.paper import paper
from verify.corpus.files import path_of, stored
from verify.ladder import PROFILES, assay
from verify.statements import allforall
from verify.world.score import Score, score

LEAVES = {leaf.key: leaf for leaf in paper(allforall)}
AGENTS, ROUNDS, DISTANCE, PRECISION, RATIO = 64, 36, 1.0, 1.0, 64.0


@each(
    "key",
    [
        "theorem1a",
        "theorem1b",
        "theorem5b",
        "eq12/convex",
        "theorem6b@beside",
        "theorem2.2@beside",
        "prop3@epochs-of-K",
        "prop3@epochs-of-T",
        "packing",
        "ineq.biasvar/bound@plain-matrix",
        "theorem4.1/simplex@same-step+at-most",
        "theorem4.1/simplex@same-step+rounded-up",
        "theorem4.1/simplex@some-step+at-most",
        "theorem4.2@some-step+rounded-up",
        "theorem2.1@as-set+at-most",
        "theorem8/samples@as-displayed+at-most",
        "theorem3b/noiseless@without-rounds+appendix-step",
        "lemma6a@every-outcome",
    ],
)
def test_refuted_with_an_exact_witness(key: str) -> None:
    leaf = LEAVES[f"allforall.{key}"]
    kept = stored(path_of("allforall")).kept(leaf)  # as a run does: scored again, exactly
    found = assay(leaf, profile=PROFILES["quick"].word_alone(), kept=kept)
    assert found.verdict == "violated"
    assert found.witness is not None
    assert found.witness["number"] in ("rational", "ball")


def _shared_model(longer: bool) -> float:
    """Mean F of Algorithm 1 with Lambda = 1/N on the simplex, one agent drawn per round."""
    rng = np.random.default_rng(4)
    size = PRECISION * np.sqrt(ROUNDS) / (2 * DISTANCE)
    edge = RATIO * DISTANCE
    tilt = PRECISION / 2 / edge
    normal = np.full(AGENTS, AGENTS**-0.5)
    beta = size - tilt

    def gaps(x: np.ndarray) -> np.ndarray:  # f_i at one point, for all i; their minima are 0
        off = abs(normal @ x - edge / np.sqrt(AGENTS))
        return tilt * np.maximum(edge - x, 0) + beta * off

    eta = AGENTS * DISTANCE / (size * np.sqrt(ROUNDS)) * (np.sqrt(2) if longer else 1)
    x = np.full(AGENTS, edge / AGENTS) + DISTANCE * normal
    total = 0.0
    for _ in range(ROUNDS):
        total += gaps(x).mean()
        i = rng.integers(AGENTS)
        side = np.sign(normal @ x - edge / np.sqrt(AGENTS))
        gradient = beta * side * normal - tilt * (x[i] < edge) * np.eye(AGENTS)[i]
        assert np.linalg.norm(gradient) <= size * (1 + 1e-12)
        x = x - eta / AGENTS * gradient
    corners = [gaps(edge * corner) for corner in np.eye(AGENTS)[:3]]
    assert np.max(corners) <= PRECISION / 2 + 1e-12  # B.1 with b_ij = eps/2
    return total / ROUNDS


@pytest.mark.parametrize(("name", "longer"), [("same-step", True), ("some-step", False)])
def test_simplex_run_has_the_stated_gap(name: str, longer: bool) -> None:
    leaf = LEAVES[f"allforall.theorem4.1/simplex@{name}+rounded-up"]
    values = {"fill": 1.0, "offset": 1.0, "ratio": RATIO, "fraction": 0.0}
    values |= {"precision": PRECISION, "distance": DISTANCE}
    shape = {"N": AGENTS, "rounds": ROUNDS}
    batch = {key: np.array([value]) for key, value in values.items()}
    result = score(leaf, leaf.family.instance(batch, shape))
    run = _shared_model(longer)
    assert float(result.left[0, 0]) == pytest.approx(run, rel=1e-9)
    assert (run > PRECISION) == longer


def test_majority_of_signs_solves_the_construction_with_few_samples() -> None:
    """The method behind eq12: 12/delta^2 samples reach eps/9 whatever the number of agents."""
    delta, agents, runs = 0.1, 40, 400
    rng = np.random.default_rng(9)
    samples = int(12 / delta**2)
    bias = np.full(agents, 3 * delta / 4)
    bias[0] = delta
    seen = rng.random((runs, samples)) < 0.5
    heads = rng.random((runs, samples)) < 0.5 + bias[rng.integers(agents, size=(runs, samples))]
    wrong = ((2 * heads - 1) * seen).sum(axis=1) <= 0
    assert 3 * wrong.mean() <= 1 / 9


def test_sign_family_meets_the_dissimilarity_it_claims() -> None:
    """B.2 of the two-sign instance: gradients differ by 2 B |delta_j - delta_k| <= b_jk/r."""
    delta = np.array([0.1, 0.04, 0.0])
    family = SignFamily(
        {"signs": np.ones(1), "delta": delta, "radius": np.array(2.0), "size": np.array(3.0)}
    )
    squared, _ = family.heterogeneity()
    for x in np.linspace(-3, 3, 13):
        slopes = family.gradients(np.array([x]))[:, 0]
        assert ((slopes[:, None] - slopes[None]) ** 2 <= squared + 1e-12).all()


def _at(key: str, shape: dict[str, object], **values: object) -> Score:
    leaf = LEAVES[f"allforall.{key}"]
    batch = {name: np.array([value], dtype=float) for name, value in values.items()}
    return score(leaf, leaf.family.instance(batch, shape))


def test_the_slope_at_a_kink_is_no_slope_between_the_kinks() -> None:
    kink = _at("proof.f1/family@drawn-coin", {"sign": 1}, delta=1 / 4, point=-1 / 2)
    assert not kink.feasible[0]
    assert kink.left[0, 0] != kink.right[0, 0]
    inside = _at("proof.f1/family@drawn-coin", {"sign": 1}, delta=1 / 4, point=-1 / 4)
    assert inside.feasible[0]
    assert inside.left[0, 0] == inside.right[0, 0]


def test_a_ball_cut_at_the_end_holds_fewer_agents() -> None:
    values = {"precision": 1 / 8, "diameter": 1.0, "gradient": 1.0}
    end = _at("prop2.1.repaired", {"q": 1}, place=0.0, **values)
    assert not end.feasible[0]
    assert end.left[0, 0] == 2 * end.right[0, 0]
    assert _at("prop2.1.repaired", {"q": 1}, place=1 / 2, **values).feasible[0]


def test_gradients_differ_by_less_than_the_laws_where_they_are_cut_off() -> None:
    """Atoms 1 and 2 with masses 1/2, 1/2 and 1/4, 3/4: W_1 = 1/4. At x = 3 the slopes are 2 and 1,
    or both 1 cut off at 1."""
    values = {"mass": [1, 1], "other": [1, 3], "step": [1, 1], "point": 3}
    whole = _at("ineq.dHgrad", {"n": 2}, clip=8, **values)
    assert (whole.left[0, 0], whole.right[0, 0]) == (0.25, 0.25)
    cut = _at("ineq.dHgrad", {"n": 2}, clip=1, **values)
    assert (cut.left[0, 0], cut.right[0, 0]) == (0, 0.25)


def test_noise_of_one_sign_would_exceed_the_mixed_variance() -> None:
    """Independent signs: (lambda_1^2 + lambda_2^2) sigma^2; a common sign gives sigma^2."""
    found = _at("eq14/variance", {"N": 2}, row=[1, 1], level=[1, 1], variance=4)
    assert found.left[0, 0] == found.right[0, 0] == 2
    weak = _at("eq14/variance", {"N": 2}, row=[1, 1], level=[1, 0], variance=4)
    assert weak.left[0, 0] == 1


def _gap_of_walk(step: float, rounds: int) -> float:
    """Mean of |z| over the rounds: down by the step, then up and down about 0."""
    z, total = 1.0, 0.0
    for _ in range(rounds):
        total += abs(z)
        z -= step if z >= 0 else -step
    return total / rounds


def test_no_step_serves_the_simplex_within_four_rounds() -> None:
    """K = 4, just short of 5: the least mean of |z| over all steps, times B D, plus bias."""
    leaf = "theorem4.1/simplex@some-step+at-most"
    values = {"fill": 1, "offset": 1, "ratio": RATIO, "precision": 1, "distance": 1}
    found = _at(leaf, {"N": AGENTS, "rounds": 4}, fraction=0.96875, **values)
    steps = np.linspace(1e-3, 3, 30000)
    least = min(_gap_of_walk(step, rounds) for rounds in (1, 2, 3, 4) for step in steps)
    exact = least * np.sqrt(4.96875) / 2 + (1 - 1 / AGENTS) / 2
    assert 1 < float(found.left[0, 0]) <= exact
    assert float(found.left[0, 0]) > 0.97 * exact


def test_ties_make_the_weighted_run_slow() -> None:
    """One of eight agents has a weight, 1/8: only with that chance x moves, by D, from D or 0."""
    values = {"share": 1, "tilt": 1, "offset": 1, "precision": 1, "distance": 1, "fraction": 0}
    shape = {"N": 8, "active": 1, "counted": 8, "rounds": 4}
    found = _at("theorem2.1@as-set+rounded-up", shape, **values)
    # B = sqrt(4)/2 = 1, the step D/(B sqrt(2 K N/64)) = 1, a move of 1 when agent 1 is drawn
    away = [1.0]
    for _ in range(3):
        away.append(away[-1] * 7 / 8 + (1 - away[-1]) / 8)
    assert float(found.left[0, 0]) == pytest.approx(np.mean(away))


def test_a_mean_of_iterates_can_end_far_from_the_minimum() -> None:
    """Lemma 6, T = 2, s = B/2: the one draw leads from D to 2 D: f = 3 s D/2 of the bound B D."""
    found = _at("lemma6a@every-outcome", {"rounds": 2}, slope_share=1 / 2, size=1, distance=1)
    assert float(np.max(found.left)) == pytest.approx(3 / 4)
    assert float(found.right[0, 0]) == pytest.approx(1)
