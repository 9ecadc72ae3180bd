r"""Normal words from Philox words, plane by plane, by Box and Muller's transform.

.. math:: \sqrt{-2 s^2 \log u}\, (\cos 2 \pi v, \sin 2 \pi v)

A block of four 32-bit words gives two pairs of normals in float32 (one word per uniform) and one
pair in float64 (two words per uniform). Arrays are (slots, blocks, replicates): the replicates
come last in memory, so that every operation runs over them in one stride.

Tensors and arrays give the same float32 normals to 1e-6 of the length of their pair.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from torch import Tensor

from synthetic.noise.philox import Plane
from synthetic.noise.single_precision import circle, logarithm

TURN = 2 * math.pi
LAST = 0xFFFFFF7F
"""The last word whose float32 is below 2^32: later ones would give the uniform 1, whose logarithm
is zero, and a pair of normals without a direction."""
UNIT = 2.0**-32


def blocks_of(width: int, dtype: torch.dtype) -> int:
    """Blocks of four words for so many normals."""
    return -(-width // (4 if dtype == torch.float32 else 2))


def normal_tensors(planes: list[Tensor], width: int, variance: float, dtype: torch.dtype) -> Tensor:
    """Normals (slots, width, replicates) of that variance from four planes of words.

    Tensor operations alone, so that a graph can draw and use them.
    """
    if dtype == torch.float32:
        first, second = (_in_pairs(planes[j], planes[j + 2], -(-width // 2), j) for j in (0, 1))
        radius = torch.sqrt(logarithm(first * UNIT) * (-2 * variance))
        cosine, sine = circle(second * UNIT)
    else:
        first, second = _doubles(planes)
        radius, angle = torch.sqrt(torch.log(first) * (-2 * variance)), second * TURN
        cosine, sine = torch.cos(angle), torch.sin(angle)
    rows = torch.stack([radius * cosine, radius * sine], -2)
    return rows.flatten(-3, -2)[..., :width, :]


def normal_arrays(planes: list[Plane], width: int, variance: float, dtype: torch.dtype) -> Tensor:
    """The same for numpy's planes; its loops of log, cos and sin are faster on a CPU."""
    kind: Any = np.float32 if dtype == torch.float32 else np.float64
    slots, blocks, replicates = planes[0].shape
    rows = 4 if dtype == torch.float32 else 2
    out = np.empty((slots, blocks, rows, replicates), kind)
    for pair, (radius, angle) in enumerate(_uniform_arrays(planes, width, dtype)):
        used = radius.shape[1]
        np.log(radius, out=radius)
        radius *= kind(-2 * variance)
        np.sqrt(radius, out=radius)
        cosine, sine = _circle(angle)
        np.multiply(radius, cosine, out=out[:, :used, 2 * pair])
        np.multiply(radius, sine, out=out[:, :used, 2 * pair + 1])
    flat = out.reshape(slots, blocks * rows, replicates)[:, :width]
    return torch.from_numpy(flat)


def _pairs(width: int) -> list[tuple[int, int, int]]:
    """Words of both pairs of a block in float32, and how many blocks use them."""
    found = [(0, 1, -(-width // 4)), (2, 3, -(-(width - 2) // 4))]
    return [pair for pair in found if pair[2] > 0]


def _circle(turns: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Cosine and sine of whole turns, written over; in float32 by half the angle, see `circle`."""
    if turns.dtype == np.float64:
        turns *= TURN
        cosine = np.cos(turns)
        return cosine, np.sin(turns, out=turns)
    np.subtract(np.float32(0.5), turns, out=turns)
    turns *= np.float32(math.pi)
    half = np.cos(turns)
    sine = np.sin(turns, out=turns)
    twice = sine + sine
    half *= twice
    twice *= sine
    twice -= np.float32(1)
    return twice, half


def _in_pairs(one: Tensor, other: Tensor, pairs: int, place: int) -> Tensor:
    """Words of both pairs of every block as floats, (slots, pairs, replicates), halves added.

    A graph stores them: a long chain of integers and a short one of floats are faster apart, since
    a processor looks ahead over some hundred operations only.
    """
    if place == 0:  # radius
        one, other = one.clamp(max=LAST), other.clamp(max=LAST)
    rows = [word.to(torch.float32) + 0.5 for word in (one, other)]
    return torch.stack(rows, -2).flatten(-3, -2)[..., :pairs, :]


def _doubles(planes: list[Tensor]) -> tuple[Tensor, Tensor]:
    """Uniforms strictly between 0 and 1 for radius and angle, of 53 bits."""

    def double(high: Tensor, low: Tensor) -> Tensor:
        bits = ((high >> 5) << 26) | (low >> 6)
        return ((bits.to(torch.float64) + 0.5) * 2.0**-53).clamp(max=1 - 2.0**-53)

    return double(planes[0], planes[1]), double(planes[2], planes[3])


def _uniform_arrays(
    planes: list[Plane], width: int, dtype: torch.dtype
) -> list[tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]]:
    if dtype == torch.float32:

        def single(word: Plane) -> np.ndarray[Any, Any]:
            # a detour over 32 bits: their conversion has a vector instruction everywhere
            short = word.astype(np.uint32)
            x = np.minimum(short, np.uint32(LAST), out=short).astype(np.float32)
            x += np.float32(0.5)
            x *= np.float32(UNIT)
            return x

        return [
            (single(planes[a][:, :used]), single(planes[b][:, :used]))
            for a, b, used in _pairs(width)
        ]

    def double(high: Plane, low: Plane) -> np.ndarray[Any, Any]:
        bits = ((high >> np.uint64(5)) << np.uint64(26)) | (low >> np.uint64(6))
        x = (bits.astype(np.float64) + 0.5) * 2.0**-53
        return np.minimum(x, 1 - 2.0**-53, out=x)

    return [(double(planes[0], planes[1]), double(planes[2], planes[3]))]
