"""Threshold clients against integration, and groups of tasks that the partition finds again."""

from __future__ import annotations

from fractions import Fraction as Q
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.numbers.validate import InvalidInput
from synthetic.grouped_tasks import (
    half_normal_sizes,
    permuted_labels,
    rotated_regressions,
    three_clients,
)
from synthetic.thresholds import ThresholdClients

FINE = st.integers(-8, 8).map(lambda k: Q(k, 4))
CLIENTS = st.lists(
    st.tuples(FINE, st.integers(1, 8).map(lambda k: Q(k, 4)), FINE, st.integers(1, 9)),
    min_size=2, max_size=3,
)  # fmt: skip


def build(rows: Any) -> ThresholdClients:
    return ThresholdClients(*(list(column) for column in zip(*rows, strict=True)))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(CLIENTS, FINE)
def test_the_bound_from_the_group_to_the_client(rows: Any, threshold: Q) -> None:
    """Equation 34 with absolute values, f_G the group's best threshold, any h."""
    known = build(rows)
    group = list(range(known.clients))
    best = known.best_threshold(group)
    error = sum(
        m * abs(h - f) for m, h, f in zip(
            known.pooled(group, threshold, best), known.labels(threshold, threshold, best),
            known.labels(best, threshold, best), strict=True,
        )
    )  # fmt: skip
    bound = error + known.distance(0, group) + known.label_shift(0, group, best)
    assert known.risk(0, threshold) <= bound
    assert 0 <= known.threshold_divergence(0, group) <= known.distance(0, group) <= 2
    assert known.signed_label_shift(0, group, best) <= known.label_shift(0, group, best)
    assert sum(known.pooled(group)) == sum(known.law(0)) == 1


@settings(max_examples=20, deadline=None, derandomize=True)
@given(CLIENTS, FINE)
def test_risks_are_integrals(rows: Any, threshold: Q) -> None:
    known = build(rows)
    for i in range(known.clients):
        grid = float(known.left[i]) + float(known.length[i]) * (np.arange(4000) + 0.5) / 4000
        wrong = (grid > float(threshold)) != (grid > float(known.label[i]))
        assert float(known.risk(i, threshold)) == pytest.approx(wrong.mean(), abs=1e-3)


def test_the_printed_lambda_may_be_negative_and_break_the_bound() -> None:
    """Equal marginals; client 0 labels everything 1, the group's model everything 0."""
    known = ThresholdClients([Q(0), Q(0)], [Q(1), Q(1)], [Q(0), Q(1)], [1, 9])
    best = known.best_threshold([0, 1])
    assert best == 1
    assert known.distance(0, [0, 1]) == 0
    assert known.signed_label_shift(0, [0, 1], best) == -1
    # with h = f_G the right side of Equation 34 is 0 + 0 - 1
    assert known.risk(0, best) == 1


def test_the_best_threshold_beats_a_grid() -> None:
    known = ThresholdClients([0.0, 0.5], [1.0, 1.0], [0.3, 1.1], [1, 2])
    best = known.group_risk([0, 1], known.best_threshold([0, 1]))
    assert all(best <= known.group_risk([0, 1], t) + 1e-12 for t in np.linspace(-1, 2, 301))


def test_threshold_clients_refuse_nonsense() -> None:
    with pytest.raises(InvalidInput, match="length must be positive"):
        ThresholdClients([0], [0], [0], [1])
    with pytest.raises(InvalidInput, match="clients must be of one number"):
        ThresholdClients([0], [1], [0, 1], [1])
    with pytest.raises(InvalidInput, match="group must be not empty"):
        ThresholdClients([0], [1], [0], [1]).pooled([])


def test_groups_of_tasks_have_their_models() -> None:
    tasks = rotated_regressions((0, 1, 0), (200, 300, 400), angle=np.pi / 2, noise=0.0, seed=3)
    for k, (features, labels) in enumerate(tasks.tables):
        found = np.linalg.lstsq(features, labels, rcond=None)[0]
        assert tasks.excess(k, found) < 1e-20
    assert tasks.excess(0, tasks.models[1]) == pytest.approx(1.0)
    assert tasks.sizes.tolist() == [200, 300, 400]


def test_permuted_labels_differ_between_groups_alone() -> None:
    tasks = permuted_labels((0, 1, 1), (50, 50, 50), classes=4, seed=1)
    same = [np.linalg.lstsq(x, y, rcond=None)[0] for x, y in tasks.tables]
    np.testing.assert_allclose(same[1], same[2], atol=1e-12)
    assert np.abs(same[0] - same[1]).max() > 0.3


def test_sizes_are_imbalanced_and_positive() -> None:
    sizes = half_normal_sizes(400, 120.0, seed=4)
    assert min(sizes) >= 1
    assert np.mean(sizes) == pytest.approx(120, rel=0.15)
    assert np.std(sizes) > 60


def test_the_example_of_three_clients() -> None:
    """With little data of its own client 1 gains from client 2 and loses with client 3."""
    ratios = {"alone": [], "(1,2)": [], "(1,3)": [], "all": []}  # type: ignore[var-annotated]
    groups = {"alone": (0,), "(1,2)": (0, 1), "(1,3)": (0, 2), "all": (0, 1, 2)}
    for seed in range(40):
        tasks = three_clients(8, seed)
        for name, group in groups.items():
            x = np.concatenate([tasks.tables[k][0] for k in group])
            y = np.concatenate([tasks.tables[k][1] for k in group])
            ratios[name].append(tasks.excess(0, np.linalg.lstsq(x, y, rcond=None)[0]))
    mean = {name: float(np.mean(values)) for name, values in ratios.items()}
    assert mean["(1,2)"] < mean["alone"] < mean["(1,3)"]
    assert mean["(1,2)"] < mean["all"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sizes": (1,)}, "sizes must be 2 numbers"), ({"sizes": (0, 1)}, "sizes must be at least"),
        ({"dim": 1}, "dim must be at least 2"), ({"noise": -1.0}, "noise must be non-negative"),
    ],
)  # fmt: skip
def test_bad_tasks_are_refused(change: dict[str, Any], message: str) -> None:
    arguments = {"groups": (0, 1), "sizes": (4, 4), "angle": 1.0, **change}
    with pytest.raises(InvalidInput, match=message):
        rotated_regressions(**arguments)
