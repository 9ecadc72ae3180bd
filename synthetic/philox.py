r"""Philox4x32-10: a counter-based generator written in integer tensor operations.

Word ``w`` of gradient draw ``slot`` in round ``t`` of replicate ``r`` is a pure function of
the run key and of its address, so any part of a stream can be computed alone, in any order
and on any device, with the same bits.

Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011).
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from bounds.numbers.validate import require

ROUNDS = 10
MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
WEYL = (0x9E3779B9, 0xBB67AE85)
WORD = 0xFFFFFFFF

Key = tuple[int, int]
Words = tuple[Tensor | int, Tensor | int, Tensor | int, Tensor | int]


def philox_planes(words: Words, key: Key) -> list[Tensor]:
    """Encrypt counters given word by word; the four words broadcast against each other.

    Words that are the same for a whole call may stay plain or small: the address
    (block, slot, round, replicate) is passed as axes of a grid that is never stored.
    """
    k0, k1 = key
    for _ in range(ROUNDS):
        words = _round(words, k0, k1)
        k0, k1 = (k0 + WEYL[0]) & WORD, (k1 + WEYL[1]) & WORD
    planes = [torch.as_tensor(word) for word in words]
    shape = np.broadcast_shapes(*(plane.shape for plane in planes))
    return [plane.expand(shape) for plane in planes]


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


def _round(words: Words, k0: int, k1: int) -> Words:
    x0, x1, x2, x3 = words
    high0, low0 = _multiply(MULTIPLIERS[0], x0)
    high1, low1 = _multiply(MULTIPLIERS[1], x2)
    return high1 ^ x1 ^ k0, low1, high0 ^ x3 ^ k1, low0


def _multiply(constant: int, x: Tensor | int) -> tuple[Tensor | int, Tensor | int]:
    """High and low word of a 32 by 32 bit product.

    The 64-bit product of tensors wraps into the sign bit; its bits are right all the same,
    and the mask after the (arithmetic) shift drops the copies of the sign.
    """
    product = x * constant
    return (product >> 32) & WORD, product & WORD
