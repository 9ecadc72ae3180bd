"""Logarithm, cosine and sine by polynomials: their errors, and the normals made of them."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from synthetic.noise import normals, single_precision
from synthetic.noise.normals import LAST, normal_arrays, normal_tensors
from synthetic.noise.single_precision import circle, logarithm

EPS = torch.finfo(torch.float32).eps


def uniforms() -> torch.Tensor:
    """Uniforms as the words give them: both ends, powers of two and their neighbours, the rest."""
    powers = 2.0 ** torch.arange(-33.0, 0.0)
    near = torch.cat(
        [
            powers,
            torch.nextafter(powers, torch.tensor(0.0)),
            torch.nextafter(powers, torch.tensor(2.0)),
        ]
    )
    ends = torch.tensor([2.0**-33, 1 - 2.0**-24, 1 - 2.0**-23, math.sqrt(0.5)])
    grid = (torch.arange(200_000, dtype=torch.float64) + 0.5) / 200_000
    return torch.cat([near, ends, grid.float()])


def test_logarithm_is_right_to_three_last_places() -> None:
    x = uniforms()
    exact = torch.log(x.double())
    assert ((logarithm(x) - exact).abs() <= 3 * EPS * exact.abs() / 2).all()
    assert logarithm(torch.ones(1)).item() == 0.0


def test_circle_is_right_to_its_guard() -> None:
    turns = torch.cat([torch.zeros(1), uniforms(), torch.ones(1)])
    angle = turns.double() * (2 * math.pi)
    cosine, sine = circle(turns)
    assert (cosine - torch.cos(angle)).abs().max() < 4e-7
    assert (sine - torch.sin(angle)).abs().max() < 4e-7


@pytest.mark.parametrize("name", ["LOGARITHM", "SINE", "COSINE"])
def test_a_coefficient_of_another_thousandth_is_seen(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Negative control: the test above fails."""
    first, *rest = getattr(single_precision, name)
    monkeypatch.setattr(single_precision, name, (first * 1.001, *rest))
    test = (
        test_logarithm_is_right_to_three_last_places
        if name == "LOGARITHM"
        else test_circle_is_right_to_its_guard
    )
    with pytest.raises(AssertionError):
        test()


@pytest.mark.parametrize("width", [1, 2, 3, 4, 7])
def test_tensors_and_arrays_give_the_normals_of_the_law(width: int) -> None:
    """Against Box and Muller's transform in float64, to 1e-6 of the length of a pair."""
    blocks = normals.blocks_of(width, torch.float32)
    words = np.random.default_rng(0).integers(0, 1 << 32, (4, 3, blocks, 5000), dtype=np.uint64)
    words[:, 0, 0, :4] = [0, 1, LAST, (1 << 32) - 1]  # the ends
    uniform = (np.minimum(words, LAST).astype(np.float64) + 0.5) / 2**32
    radius = np.sqrt(-2 * np.log(uniform[[0, 2]]))
    angle = 2 * np.pi * uniform[[1, 3]]
    pairs = np.stack([radius * np.cos(angle), radius * np.sin(angle)])  # (2, pair, 3, blocks, R)
    exact = np.moveaxis(pairs, (3, 1, 0), (1, 2, 3)).reshape(3, -1, 5000)[:, :width]
    length = np.repeat(np.moveaxis(radius, (2, 0), (1, 2)).reshape(3, -1, 5000), 2, axis=1)
    planes = list(words)
    arrays = normal_arrays(planes, width, 1.0, torch.float32).numpy()
    signed = [torch.from_numpy(plane.astype(np.int64)) for plane in planes]
    tensors = normal_tensors(signed, width, 1.0, torch.float32).numpy()
    # float32 holds the last uniforms below 1 to 2^-25 only, and the square root of their logarithm
    coarse = 2.0**-24 / length[:, :width]
    for found in (arrays, tensors):
        assert found.shape == exact.shape
        assert (np.abs(found - exact) <= 1e-6 * length[:, :width] + coarse).all()
