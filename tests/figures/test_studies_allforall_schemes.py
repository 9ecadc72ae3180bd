"""The four schemes of the all-for-all paper beside their exact expectations, and what is proved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from bounds.allforall.rates import close_weights
from bounds.numbers.validate import InvalidInput
from figures.studies.allforall.schemes import PRECISION, START, STEP, SchemeCurve, schemes_study
from synthetic.mean_estimation import interval_agents, value_bias

CLOSE_ENOUGH = 5.0
"""Standard errors; 5 schemes, 7 times and 6 agents make 210 gaps, each above with chance 6e-7."""


@pytest.fixture(scope="module")
def study() -> Mapping[str, SchemeCurve]:
    return schemes_study(replicates=400)


def test_measured_errors_are_the_exact_ones(study: Mapping[str, SchemeCurve]) -> None:
    for name, curve in study.items():
        assert curve.deviation < CLOSE_ENOUGH, name


def test_another_scheme_s_expectation_is_seen(study: Mapping[str, SchemeCurve]) -> None:
    """Negative control: Lambda in place of W = Lambda Lambda^T, and the step of another scheme."""
    every, naive, adaptive = (study[k] for k in ("all-for-all", "naive", "time-adaptive"))
    assert replace(every, exact=naive.exact).deviation > CLOSE_ENOUGH
    assert replace(adaptive, exact=every.exact).deviation > CLOSE_ENOUGH


def test_the_naive_scheme_is_all_for_one_for_a_part_of_the_samples() -> None:
    agents = 6
    made = schemes_study(rounds=36, replicates=3)
    one, naive = made["all-for-one"], made["naive"]
    rounds = sorted({*(one.samples // agents**2)} & {*(naive.samples // agents)})
    assert len(rounds) >= 3
    for k in rounds:
        first, second = (list(c.samples).index(agents**p * k) for c, p in ((one, 2), (naive, 1)))
        np.testing.assert_allclose(one.measured[first], naive.measured[second], rtol=1e-12)
        assert one.samples[first] == agents * naive.samples[second]


def test_equal_agents_share_one_model_and_divide_the_noise() -> None:
    agents, chance = 4, 0.2  # m = 2 in the two-point law
    made = schemes_study(np.full(agents, chance), rounds=40, replicates=3)
    rounds = made["naive"].samples // agents
    kept = (1 - STEP) ** rounds
    mean = (kept * (START - chance)) ** 2
    noise = STEP * chance * (1 - chance) * (1 - kept**2) / (2 - STEP)
    for name, share in (("alone", 1), ("naive", agents), ("all-for-all", agents)):
        expected = np.repeat((mean + noise / share)[:, None] / 2, agents, axis=1)
        np.testing.assert_allclose(made[name].exact, expected, rtol=1e-12)
    np.testing.assert_allclose(
        made["naive"].measured, made["all-for-all"].measured, rtol=1e-10, atol=1e-15
    )


def test_averaging_keeps_its_bias_and_all_for_all_loses_it(
    study: Mapping[str, SchemeCurve],
) -> None:
    means = interval_agents(6)
    mixing = close_weights(value_bias(means[:, None]), np.full(6, PRECISION))
    assert np.linalg.eigvalsh(mixing @ mixing.T)[0] > 1e-3
    floor = (mixing @ means - means) ** 2 / 2
    last = {name: curve.exact[-1] for name, curve in study.items()}
    edge = [0, 5]  # the agents with neighbours on one side
    # e^-32 of the start is left; the noise lies on top
    assert (last["naive"][edge] > floor[edge]).all()
    assert (last["all-for-all"][edge] < floor[edge]).all()
    assert last["time-adaptive"].mean() < last["all-for-all"].mean() < last["naive"].mean()
    assert last["naive"].mean() < last["alone"].mean()


def test_collaboration_starts_fast_where_everybody_helps(study: Mapping[str, SchemeCurve]) -> None:
    first = {name: curve.exact[0].mean() for name, curve in study.items()}
    assert min(first, key=lambda name: first[name]) == "time-adaptive"


def test_fewer_rounds_than_agents_are_refused() -> None:
    with pytest.raises(InvalidInput, match="rounds must be at least the 6 agents"):
        schemes_study(rounds=5)
