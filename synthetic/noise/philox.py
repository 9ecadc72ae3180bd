r"""Philox4x32-10: a counter-based generator, for tensors, for numpy, and inside a graph.

Word ``w`` of gradient draw ``slot`` in round ``t`` of replicate ``r`` is a pure function of
the run key and of its address, so any part of a stream can be computed alone, in any order
and on any device, with the same bits.

Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from bounds.numbers.validate import require

ROUNDS = 10
SMALL = 3
MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
WEYL = (0x9E3779B9, 0xBB67AE85)
WORD = 0xFFFFFFFF

Key = tuple[int, int]
Words = tuple[Tensor | int, Tensor | int, Tensor | int, Tensor | int]
Plane = np.ndarray[Any, np.dtype[np.uint64]]


def philox_planes(words: Words, key: Key | Tensor) -> list[Tensor]:
    """Encrypt counters given word by word; the four words broadcast against each other.

    Words that are the same for a whole call may stay plain or small: the address
    (block, slot, round, replicate) is passed as axes of a grid that is never stored. The key
    is two numbers, or the tensor of `round_keys`, so that one graph serves every run.
    """
    keys: Any = (
        [pair.unbind(0) for pair in key.unbind(0)] if isinstance(key, Tensor) else _schedule(key)
    )
    x0, x1, x2, x3 = words
    for k0, k1 in keys:
        # a 64-bit product of tensors wraps into the sign bit; its bits are right all the same.
        # Only words that are multiplied next must be clean, so that one mask is enough for both
        # the copies of the sign and the upper half of the last low word
        first, second = x0 * MULTIPLIERS[0], x2 * MULTIPLIERS[1]
        x0, x1 = ((second >> 32) ^ x1 ^ k0) & WORD, second
        x2, x3 = ((first >> 32) ^ x3 ^ k1) & WORD, first
    planes = [torch.as_tensor(word) for word in (x0, x1 & WORD, x2, x3 & WORD)]
    shape = np.broadcast_shapes(*(plane.shape for plane in planes))
    return [plane.expand(shape) for plane in planes]


def philox_arrays(words: tuple[Plane, Plane, Plane, Plane], key: Key) -> list[Plane]:
    """The same for numpy arrays of uint64, in place once the words fill the grid.

    numpy's integer loops take half the time of torch's on a CPU.

    Returns
    -------
    list of four arrays of the broadcast shape
        Words in [0, 2^32).
    """
    half, mask = np.uint64(32), np.uint64(WORD)
    m0, m1 = (np.uint64(m) for m in MULTIPLIERS)
    keys = [(np.uint64(k0), np.uint64(k1)) for k0, k1 in _schedule(key)]
    x0, x1, x2, x3 = words
    for k0, k1 in keys[:SMALL]:  # on the axes alone: after three rounds both products are full
        first, second = x0 * m0, x2 * m1
        x0, x1 = ((second >> half) ^ x1 ^ k0) & mask, second
        x2, x3 = ((first >> half) ^ x3 ^ k1) & mask, first
    shape = (2, *np.broadcast_shapes(*(word.shape for word in words)))
    # the two products of a round side by side: X = (x0, x2), and the low words L = (x1, x3)
    x, low, product = (np.empty(shape, np.uint64) for _ in range(3))
    x[0], x[1], low[0], low[1] = x0, x2, x1, x3
    factors = np.array([m0, m1]).reshape(2, *(1,) * len(shape[1:]))
    for k in keys[SMALL:]:
        np.multiply(x, factors, out=product)
        swapped = product[::-1]  # the high word of one product goes into the other lane
        np.right_shift(swapped, half, out=x)
        np.bitwise_xor(x, low, out=x)
        np.bitwise_xor(x, np.array(k).reshape(factors.shape), out=x)
        np.bitwise_and(x, mask, out=x)
        low, product = swapped, low
    np.bitwise_and(low, mask, out=low)
    return [x[0], low[0], x[1], low[1]]


def round_keys(key: Key, device: torch.device | str, rows: int = 1) -> Tensor:
    """Both words of the key of every round, once per row of counters, int64 ``(10, 2, rows, 1)``.

    Made outside of a graph: inside it would be made anew for every few replicates. Rows of their
    own cost nothing, and show a compiler that all ten rounds run over one and the same grid.
    """
    return torch.tensor(_schedule(key), device=device)[..., None, None].repeat(1, 1, rows, 1)


def _schedule(key: Key) -> list[Key]:
    """Both words of the key, round by round."""
    (k0, k1), (w0, w1) = key, WEYL
    return [((k0 + r * w0) & WORD, (k1 + r * w1) & WORD) for r in range(ROUNDS)]


def run_key(seed: int, *path: int) -> Key:
    """Derive the two key words of one run from a seed and a path of non-negative integers.

    Different paths give independent streams; numpy's SeedSequence does the mixing, because
    nearby seeds must not give related keys.

    Examples
    --------
    >>> run_key(0) == run_key(0), run_key(0) == run_key(0, 1)
    (True, False)
    """
    valid = seed >= 0 and all(p >= 0 for p in path)
    require(valid, "seed", "a non-negative integer", (seed, *path), "drop the sign")
    first, second = np.random.SeedSequence(seed, spawn_key=path).generate_state(2, np.uint32)
    return int(first), int(second)
