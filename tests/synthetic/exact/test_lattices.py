"""Laws on a lattice against the trees of all outcomes."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from synthetic.exact.lattices import block_walk, inward_walk, mean_loss, weighted_median
from synthetic.exact.runs import absolute_gaps, absolute_tree

RNG = np.random.default_rng(3)


def test_blocks_are_the_tree_of_all_outcomes() -> None:
    """Four agents in two blocks, three rounds: 8^3 outcomes."""
    shares, centres = RNG.uniform(size=(1, 4)), RNG.normal(size=(1, 4))
    size, start, step = np.array([2.0]), np.array([0.5]), np.array([0.3])
    alike = np.arange(4) // 2
    weights = (alike[:, None] == alike)[None] / 2
    tree = absolute_tree(weights, shares * size[:, None], centres, size, start, step, 3)
    for block in (0, 1):
        own = slice(2 * block, 2 * block + 2)
        walk = block_walk(
            shares[:, own], centres[:, own], start, step * size / 2, np.array([0.5]), 3
        )
        found = size * walk.mean(mean_loss(shares[:, own], centres[:, own], walk.places))[0]
        for k in range(4):
            gaps = absolute_gaps(tree, k, shares * size[:, None], centres)[0, own]
            np.testing.assert_allclose(found[k], gaps.mean(), rtol=1e-12)


@pytest.mark.parametrize("start", [0.7, -1.3])
def test_inward_walks_are_the_mean_over_all_sequences(start: float) -> None:
    """Three agents of whom one moves nothing, five rounds: 3^5 sequences."""
    moves, unit = np.array([[1, 3]]), np.array([0.25])
    walk = inward_walk(moves, np.array([start]), unit, 3, 5)
    found = walk.mean(np.abs(walk.places))[0]
    expected = np.zeros(6)
    for drawn in product((1, 3, 0), repeat=5):
        x = start
        path = [abs(x)]
        for q in drawn:
            x -= q * 0.25 * np.sign(x)
            path.append(abs(x))
        expected += np.array(path) / 3**5
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_chances_are_a_law_in_every_round() -> None:
    walk = inward_walk(np.array([[4, 2, 1]]), np.array([2.0]), np.array([0.1]), 8, 40)
    for chance in walk.chances:
        np.testing.assert_allclose(chance.sum(-1), 1, rtol=1e-12)
        assert (chance >= 0).all()


def test_the_weighted_median_is_the_minimiser() -> None:
    shares, centres = RNG.uniform(size=(50, 7)), RNG.normal(size=(50, 7))
    best = weighted_median(shares, centres)
    least = mean_loss(shares, centres, best[:, None])
    assert (least <= mean_loss(shares, centres, centres) * (1 + 1e-12)).all()
    plain = mean_loss(shares, centres, np.median(centres, axis=-1)[:, None])
    assert (least < 0.999 * plain).any()  # negative control: the plain one is not
