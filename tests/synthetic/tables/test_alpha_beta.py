"""Synthetic(alpha, beta): the published quirks, on seeded draws."""

from __future__ import annotations

import numpy as np
import pytest

from bounds.numbers.validate import InvalidInput
from synthetic.tables.alpha_beta import CLASSES, DIM, LEAST, alpha_beta


def test_labels_are_the_arg_max_without_noise() -> None:
    for device in alpha_beta(5, seed=3):
        scores = device.features @ device.weights + device.offsets
        assert (device.labels == scores.argmax(1)).all()


def test_one_mean_for_weights_and_offsets() -> None:
    """With alpha = 100 the shared mean dwarfs the spread 1 of the entries."""
    devices = alpha_beta(40, alpha=100.0, seed=4, most=LEAST)
    w = np.array([d.weights.mean() for d in devices])
    b = np.array([d.offsets.mean() for d in devices])
    assert np.abs(w - b).max() < 2  # ten offsets of spread 1 average to within 2
    assert w.std() > 50


def test_a_shared_shift_of_all_scores_changes_no_label() -> None:
    """Why alpha hardly matters: u_k moves all classes alike, x^T 1 u_k + u_k."""
    one, other = (alpha_beta(1, alpha=a, seed=5)[0] for a in (0.0, 50.0))
    assert (one.features == other.features).all()
    assert (one.labels == other.labels).all()


def test_variances_of_the_features_fall_like_a_power() -> None:
    device = max(alpha_beta(200, seed=6), key=lambda d: len(d.labels))
    spread = device.features.var(0)
    assert len(device.labels) > 5000
    # relative error of a variance is about sqrt(2/n): within five of those
    expected = np.arange(1, DIM + 1) ** -1.2
    assert np.abs(spread / expected - 1).max() < 5 * np.sqrt(2 / len(device.labels))


def test_sizes_have_a_floor_and_a_heavy_tail() -> None:
    sizes = np.array([len(d.labels) for d in alpha_beta(300, seed=7)])
    assert sizes.min() >= LEAST
    # the median of 50 + exp(4 + 2 g) is 104.6; the mean is 453
    assert 85 < np.median(sizes) < 130
    assert sizes.max() > 20 * np.median(sizes)


def test_readings_differ_by_a_square_root() -> None:
    by_deviation = alpha_beta(30, beta=0.5, seed=8)
    by_variance = alpha_beta(30, beta=0.25, reading="variance", alpha=0.25, seed=8)
    for one, other in zip(by_deviation, by_variance, strict=True):
        np.testing.assert_allclose(one.features, other.features)


def test_seeds_are_reproducible_and_different() -> None:
    first, again, other = (alpha_beta(3, seed=s) for s in (1, 1, 2))
    assert all((a.features == b.features).all() for a, b in zip(first, again, strict=True))
    assert len(first[0].labels) != len(other[0].labels)


def test_split_keeps_every_row_once() -> None:
    device = alpha_beta(1, seed=9)[0]
    train, test = device.split()
    assert len(device.labels[train]) + len(device.labels[test]) == len(device.labels)
    assert len(device.labels[train]) == int(0.8 * len(device.labels))
    assert set(device.labels) <= set(range(CLASSES))


def test_bad_input_is_named() -> None:
    with pytest.raises(InvalidInput, match="reading must be one of"):
        alpha_beta(2, reading="range", seed=1)
    with pytest.raises(InvalidInput, match="alpha"):
        alpha_beta(2, alpha=-1.0, seed=1)
