"""Rows of the theorems over the horizon, and clusters along runs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from figures.studies.adaptive import clusters as along
from figures.studies.adaptive import rows

EXACT = 1 + 1e-9


@pytest.fixture(scope="module")
def found() -> list[rows.RowAtHorizon]:
    small = (replace(make(), rounds=5) for make in (rows.pair, rows.polyak_pair))
    pairs = [point for one in small for point in rows.points(one)]
    return [*pairs, *rows.points(rows.clusters()), *rows.nonconvex_points()]


def test_repaired_rows_stay_above_the_exact_error(found: list[rows.RowAtHorizon]) -> None:
    checked = [p for p in found if p.admitted[1] and np.isfinite(p.repaired)]
    assert len(checked) > 50
    assert all(p.measured <= p.repaired * EXACT for p in checked)


def test_the_short_horizon_breaks_theorem_3_as_printed(found: list[rows.RowAtHorizon]) -> None:
    assert {p.row for p in found if p.broken} == {"theorem3"}
    first = next(p for p in found if p.row == "theorem3")
    # excess 1/2, beta 2, sigma_suf^2 = 0.01/2: 2 sqrt(2 E_0 beta sigma^2) = 0.2 < 1/4 = slope^2
    assert (first.rounds, first.measured) == (1, pytest.approx(0.25))
    assert first.printed == pytest.approx(0.2)


def test_horizons_without_an_admissible_step_have_no_row(found: list[rows.RowAtHorizon]) -> None:
    """ln(2 T mu^2 E_0/(beta sigma^2))/(mu T) = 1.38 > 1/beta at T = 8, 0.78 at T = 16."""
    short = [p for p in found if p.row == "theorem2.horizon" and p.federation == "clusters"]
    assert short[0].rounds == 16
    assert all(p.admitted[0] for p in short)


def test_enumeration_agrees_with_the_recursion_where_both_apply() -> None:
    """With equal clients the weights are 1/2 each: one quadratic with half the variance."""
    steps = np.full(4, 0.5)
    path = rows.pair(separation=0.0, noise=1.0).measure(steps)
    mean = [0.5]
    for eta in steps:
        mean.append((1 - eta) ** 2 * mean[-1] + eta**2 / 2 * 0.5)
    np.testing.assert_allclose(path.mean, mean, rtol=1e-12)
    np.testing.assert_allclose(path.variance, 0.5, rtol=1e-12)


@pytest.mark.parametrize("phi", ["binary", "continuous"])
def test_the_sufficient_cluster_is_part_of_the_effective_one(phi: str) -> None:
    study = along.study(phi, seeds=40, rounds=60)
    assert (study.subset == 1).all()
    assert (study.sufficient <= study.effective).all()
    assert (study.sufficient < study.effective).any()  # negative control: not the same set
    assert (study.cost >= 1).all()
    assert (study.excess - study.band <= study.effective_bound * EXACT).all()


def test_a_promise_of_too_many_helpers_is_seen() -> None:
    """Negative control: b^2/100 in place of b^2 promises helpers that are not there."""
    plain = along.clustered_quadratics(
        20, 2, seed=127, spread=0.02, separation=2.0, strong_convexity=0.5, noise_scale=0.5
    )
    points = plain.optimum[0] + np.array([[0.05, 0.0], [0.0, 0.02]])
    excess = plain.expand(1).excess(points[:, None])[:, 0, 0]
    gradients = plain.expand(1).gradients(points)
    ratio = along_ratio(gradients)
    bias, slope = (x[0] for x in plain.heterogeneity())
    honest = along.sufficient_ratio(bias, slope, 0.5, excess)
    wrong = along.sufficient_ratio(bias / 100, slope, 0.5, excess)
    assert (honest <= ratio * EXACT).all()
    assert (wrong > ratio).any()


def along_ratio(gradients: np.ndarray) -> np.ndarray:
    """(1 - |g_k - g_0|^2/|g_0|^2)_+ for every client k, shape (points, N)."""
    gap = ((gradients - gradients[:, :1]) ** 2).sum(-1)
    return np.maximum(1 - gap / (gradients[:, 0] ** 2).sum(-1)[:, None], 0)
