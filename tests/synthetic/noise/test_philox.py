"""Philox4x32-10: published vectors, an independent integer version, addresses."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from bounds.numbers.validate import InvalidInput
from synthetic.noise.philox import WORD, Key, philox_arrays, philox_planes, run_key

# Random123 distribution, file kat_vectors: counter, key, result
KNOWN = [
    ("00000000 " * 4, "00000000 " * 2, "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ("ffffffff " * 4, "ffffffff " * 2, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    (
        "243f6a88 85a308d3 13198a2e 03707344",
        "a4093822 299f31d0",
        "d16cfe09 94fdcceb 5001e420 24126ea1",
    ),
]


def words(text: str) -> list[int]:
    return [int(word, 16) for word in text.split()]


def philox(counter: torch.Tensor, key: Key) -> torch.Tensor:
    """Four words in, (..., 4), four words out."""
    x0, x1, x2, x3 = counter.unbind(-1)
    return torch.stack(philox_planes((x0, x1, x2, x3), key), -1)


def philox_integers(counter: list[int], key: tuple[int, int], rounds: int = 10) -> list[int]:
    """The definition in Python's unbounded integers."""
    x, (k0, k1) = list(counter), key
    for _ in range(rounds):
        p0, p1 = 0xD2511F53 * x[0], 0xCD9E8D57 * x[2]
        x = [p1 >> 32 ^ x[1] ^ k0, p1 & WORD, p0 >> 32 ^ x[3] ^ k1, p0 & WORD]
        k0, k1 = k0 + 0x9E3779B9 & WORD, k1 + 0xBB67AE85 & WORD
    return x


@pytest.mark.parametrize(("counter", "key", "result"), KNOWN)
def test_known_answers(counter: str, key: str, result: str) -> None:
    first, second = words(key)
    assert philox(torch.tensor(words(counter)), (first, second)).tolist() == words(result)


def test_matches_unbounded_integers_on_random_counters() -> None:
    rng = np.random.default_rng(11)
    counters = rng.integers(0, 1 << 32, size=(50, 4))
    key = (0x89ABCDEF, 0xFEDCBA98)
    expected = [philox_integers(row, key) for row in counters.tolist()]
    assert philox(torch.as_tensor(counters), key).tolist() == expected


def test_nine_rounds_fail_the_known_answers() -> None:
    """Negative control of the independent version."""
    counter, key, result = (words(text) for text in KNOWN[0])
    assert philox_integers(counter, (key[0], key[1])) == result
    assert philox_integers(counter, (key[0], key[1]), rounds=9) != result


def test_broadcast_words_equal_a_stored_grid() -> None:
    a, b = torch.arange(3).view(3, 1), torch.arange(5).view(1, 5)
    planes = philox_planes((a, b, 7, 1 << 31), (1, 2))
    grid = torch.stack(torch.broadcast_tensors(a, b, torch.tensor(7), torch.tensor(1 << 31)), -1)
    assert torch.equal(torch.stack(planes, -1), philox(grid, (1, 2)))


@pytest.mark.parametrize("shape", [(1, 1, 1), (3, 2, 5), (1, 3, 4)])
def test_numpy_and_tensors_give_the_same_words(shape: tuple[int, ...]) -> None:
    """Axes of a grid, with words up to the largest, and a full grid."""
    slots, blocks, replicates = shape
    key = (0x89ABCDEF, 0xFEDCBA98)
    axes = (
        np.arange(blocks)[:, None],
        np.arange(slots)[:, None, None],
        np.array(WORD),
        np.arange(replicates) + WORD - replicates,
    )
    planes = philox_planes(tuple(torch.as_tensor(x) for x in axes), key)  # type: ignore[arg-type]
    arrays = philox_arrays(tuple(x.astype(np.uint64) for x in axes), key)  # type: ignore[arg-type]
    full = np.random.default_rng(1).integers(0, 1 << 32, size=(4, *shape))
    planes += philox_planes(tuple(torch.as_tensor(full)), key)  # type: ignore[arg-type]
    arrays += philox_arrays(tuple(full.astype(np.uint64)), key)  # type: ignore[arg-type]
    for plane, array in zip(planes, arrays, strict=True):
        assert array.shape == shape
        assert torch.equal(plane, torch.as_tensor(array.astype(np.int64)))
    spread = philox_arrays(tuple(full.astype(np.uint64)), (1, 2))  # type: ignore[arg-type]
    assert not np.array_equal(spread[0], arrays[4])  # negative control: another key


def test_run_keys_differ_by_seed_and_path() -> None:
    keys = [run_key(s) for s in (0, 1, 1 << 32, 127)] + [run_key(0, 0), run_key(0, 1)]
    assert len(set(keys)) == len(keys)
    assert all(0 <= word <= WORD for key in keys for word in key)
    with pytest.raises(InvalidInput, match="seed must be a non-negative integer"):
        run_key(-1)
