"""Exactly at the boundary, E[X] = B, and looked at after every sample.

Ville's inequality bounds the chance that the e-process ever reaches 1/alpha by alpha.  The count of
false alarms in a fixed number of runs is compared with an exact binomial limit; a t-test that is
looked at as often fails the same limit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tests.each import each
from verify.verdict.e_values import e_value_in_favour, log_e_process
from verify.verdict.verdict import ACCUSE

SEED = 20_240_607
RUNS, SAMPLES = 400, 2_000
REFUSE = 1e-4
"""A count of alarms is too large if a true rate alpha would exceed it with this chance."""

Draw = Callable[[np.random.Generator, int], Any]

LAWS: dict[str, tuple[Draw, float]] = {
    "exponential": (lambda g, n: g.exponential(2.0, n), 2.0),
    "fair Bernoulli": (lambda g, n: g.binomial(1, 0.5, n).astype(float), 0.5),
    "rare Bernoulli": (lambda g, n: g.binomial(1, 0.01, n).astype(float), 0.01),
    "log-normal, s = 1": (lambda g, n: g.lognormal(0.0, 1.0, n), float(np.exp(0.5))),
    "log-normal, s = 2": (lambda g, n: g.lognormal(0.0, 2.0, n), float(np.exp(2.0))),
    "two points, 8 and -1/8 around 1/8": (
        lambda g, n: np.where(g.random(n) < 1 / 65, 8.125, 0.0),
        0.125,
    ),
    "Pareto 2.1": (lambda g, n: 1 + g.pareto(2.1, n), 2.1 / 1.1),
}


def too_many(count: int, runs: int, rate: float) -> bool:
    """Whether so many alarms have a chance below REFUSE at the stated rate."""
    return bool(stats.binom.sf(count - 1, runs, rate) < REFUSE)


def too_few(count: int, runs: int, rate: float) -> bool:
    """Whether so few detections have a chance below REFUSE at the stated power."""
    return bool(stats.binom.cdf(count, runs, rate) < REFUSE)


def largest_log_e(draw: Draw, bound: float, runs: int, samples: int) -> np.ndarray[Any, Any]:
    """Largest value of the log e-process in each run."""
    generator = np.random.default_rng(SEED)
    return np.array([log_e_process(draw(generator, samples), bound).max() for _ in range(runs)])


@pytest.fixture(scope="module")
def peaks() -> dict[str, np.ndarray[Any, Any]]:
    return {name: largest_log_e(*law, RUNS, SAMPLES) for name, law in LAWS.items()}


@each("alpha", [0.2, 0.05, 0.01])
@each("law", LAWS)
def test_false_alarms_stay_at_the_stated_rate(
    peaks: dict[str, np.ndarray[Any, Any]], law: str, alpha: float
) -> None:
    alarms = int((peaks[law] >= np.log(1 / alpha)).sum())
    assert not too_many(alarms, RUNS, alpha)


@pytest.mark.parametrize("law", LAWS)
def test_nobody_is_accused(peaks: dict[str, np.ndarray[Any, Any]], law: str) -> None:
    # at 1e-6 a single accusation in 400 runs has a chance of 4e-4
    assert (peaks[law] < np.log(ACCUSE)).all()


def test_e_process_has_mean_one_at_the_boundary() -> None:
    # exact: all outcomes of ten fair signs on {0, 2 B}
    signs = np.array(np.meshgrid(*[[0.0, 2.0]] * 10, indexing="ij")).reshape(10, -1).T
    values = np.exp([log_e_process(x, 1.0) for x in signs])
    np.testing.assert_allclose(values.mean(axis=0), 1.0, rtol=1e-12)


def test_a_peeking_t_test_fails_the_same_limit() -> None:
    draw, bound = LAWS["exponential"]
    generator, alarms = np.random.default_rng(SEED), 0
    n = np.arange(1, SAMPLES + 1)
    critical = stats.t.ppf(0.95, np.maximum(n - 1, 1))
    for _ in range(RUNS):
        x = draw(generator, SAMPLES)
        mean = np.cumsum(x) / n
        variance = np.maximum(np.cumsum(x**2) / n - mean**2, 0) * n / np.maximum(n - 1, 1)
        looked = n >= 10
        t = (mean[looked] - bound) / np.sqrt(variance[looked] / n[looked])
        alarms += bool((t > critical[looked]).any())
    assert too_many(alarms, RUNS, 0.05)


@pytest.mark.parametrize(("law", "ceiling"), [("fair Bernoulli", 1.0), ("rare Bernoulli", 1.0)])
def test_certificates_at_the_boundary_stay_at_the_stated_rate(law: str, ceiling: float) -> None:
    # E[X] >= B holds with equality, so that evidence in favour of E[X] < B is a false one
    draw, bound = LAWS[law]
    peaks = largest_log_e(lambda g, n: ceiling - draw(g, n), ceiling - bound, RUNS, SAMPLES)
    assert not too_many(int((peaks >= np.log(20)).sum()), RUNS, 0.05)
    x = draw(np.random.default_rng(SEED), SAMPLES)
    last = log_e_process(ceiling - x, ceiling - bound)[-1]
    assert e_value_in_favour(x, bound, ceiling) == pytest.approx(np.exp(last))


@pytest.mark.parametrize(("excess", "samples", "runs"), [(0.10, 2_500, 200), (0.05, 9_600, 100)])
def test_violations_are_found_with_the_planned_replicates(
    excess: float, samples: int, runs: int
) -> None:
    # coefficient of variation 1, level 5 %, power 90 %
    peaks = largest_log_e(lambda g, n: g.exponential(1 + excess, n), 1.0, runs, samples)
    assert not too_few(int((peaks >= np.log(20)).sum()), runs, 0.9)
