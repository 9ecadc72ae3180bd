"""Draws computed from their address (run key, replicate, round, slot, word) by Philox4x32-10."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor

from bounds.numbers.validate import require
from synthetic.noise.normals import blocks_of, normal_arrays, normal_tensors
from synthetic.noise.philox import Key, Plane, philox_arrays, philox_planes
from synthetic.noise.places import check_device, check_dtype

LANES = 16
"""Replicates of a vector: float32 numbers in 512 bits, the widest that a CPU has."""
LAWS = ("none", "gaussian", "sphere", "two_point", "finite", "indices")


@dataclass(frozen=True)
class Addressed:
    r"""Draws computed from their address by Philox4x32-10.

    Parameters
    ----------
    law : str
        - ``gaussian``: independent normal words of variance 1/width;
        - ``sphere``: uniform on the unit sphere of R^width;
        - ``two_point``: m with probability 1/(1+m^2), else -1/m, with m = `skew`;
        - ``finite``: `values` with `probabilities`;
        - ``indices``: integers uniform on {0, ..., n-1}, n = `rows`;
        - ``none``: zeros.
    key : pair of 32-bit words
        See `synthetic.noise.philox.run_key`.
    replicates : range
        The replicates to draw; any chunking gives the same values.
    slots, width : int
        Gradient draws per round and words per draw.
    device, dtype
        Of the draws. `gaussian` and `sphere` use 32-bit uniforms for float32 and 53-bit ones
        for float64, so the two are different samples of the same law.
    skew : float or tensor ``(slots,)`` or ``(B, slots)``
    values, probabilities : tensor ``(S,)``, ``(slots, S)`` or ``(B, slots, S)``
    rows : int or sequence of ints, one per slot
        At most 2^31.
    numbers : sequence of ints, one per slot, optional
        Slots that are drawn, by their numbers; by default 0, 1, .... See `only`.

    Notes
    -----
    Outcomes of two_point, finite and indices are decided by comparing integers, so they are
    bit-identical on every device. The probabilities they realise are multiples of 2^-32:
    each is within 2^-32 of its nominal value. Gaussian draws agree between devices, eager or
    compiled, to 1e-6 of the length of their pair in float32, and within a few units in the last
    place in float64.

    The counter is (block of four words, slot, round, replicate).
    """

    law: str
    key: Key
    replicates: range
    slots: int
    width: int = 1
    device: torch.device | str = "cpu"
    dtype: torch.dtype = torch.float64
    skew: Tensor | float = 1.0
    values: Tensor | None = None
    probabilities: Tensor | None = None
    rows: int | Sequence[int] | None = None
    numbers: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        require(self.law in LAWS, "law", f"one of {', '.join(LAWS)}", self.law, "check the name")
        check_dtype(self.dtype)
        last = max(self.replicates, default=0)
        inside = self.replicates.start >= 0 and last < 1 << 32
        require(inside, "replicates", "inside [0, 2^32)", self.replicates, "use another run key")
        whole = all(isinstance(x, int | np.integer) and x > 0 for x in (self.slots, self.width))
        remedy = "ask for at least one of each"
        sizes = (self.slots, self.width)
        require(whole, "slots and width", "positive whole numbers", sizes, remedy)
        check_device(self.device)
        if self.law == "finite":
            given = self.values is not None and self.probabilities is not None
            require(given, "values and probabilities", "given", None, "pass both tensors")
        if self.law == "indices":
            largest = max(_as_list(self.rows), default=0)
            smallest = min(_as_list(self.rows), default=0)
            valid = smallest >= 1 and largest <= 1 << 31
            require(valid, "rows", "in [1, 2^31]", self.rows, "pass the number of samples")

    def only(self, chosen: Sequence[int]) -> Addressed:
        """The source of these slots alone, in this order: the same integers, nothing else drawn."""
        inside = bool(chosen) and all(0 <= slot < self.slots for slot in chosen)
        remedy = "name slots that are there"
        require(inside, "chosen", f"slots in [0, {self.slots})", list(chosen), remedy)
        some = list(chosen)

        def of(x: Any, rank: int) -> Any:
            per_slot = isinstance(x, Tensor) and x.ndim >= rank
            return x.index_select(-rank, torch.tensor(some, device=x.device)) if per_slot else x

        rows = (
            self.rows
            if self.rows is None or isinstance(self.rows, int)
            else ([self.rows[slot] for slot in some])
        )
        return replace(
            self,
            slots=len(some),
            numbers=tuple(self._numbers[slot] for slot in some),
            rows=rows,
            skew=of(self.skew, 1),
            values=of(self.values, 2),
            probabilities=of(self.probabilities, 2),
        )

    def draw(self, round: int) -> Tensor:
        """Return the draws of one round, ``(R, slots, width)`` or ``(B, R, slots, width)``.

        In memory the replicates come last.
        """
        require(0 <= round < 1 << 32, "round", "in [0, 2^32)", round, "count rounds from 0")
        if torch.device(self.device).type == "cpu":
            return self._outcomes(
                lambda blocks: philox_arrays(self._array_words(round, blocks), self.key),
                normal_arrays,
            )
        span = self._axis(self.replicates)
        return self.draw_at(round, self.key, span)

    def draw_at(self, round: Tensor | int, key: Key | Tensor, replicates: Tensor) -> Tensor:
        """Return the same draws by tensor operations alone, for graphs and accelerators.

        Parameters
        ----------
        round : int64 tensor ``()`` or int, or int64 tensor ``(T,)``
            With several rounds the draws have a leading axis of rounds, unless the law has
            parameters per instance.
        key : two ints, or the tensor of `synthetic.noise.philox.round_keys`
            Its rows are one, or with several rounds those of `rows_of`.
        replicates : int64 tensor ``(R,)``
            Their numbers. Nothing else of round, key and replicates is used.
        """
        count = len(replicates)
        # a compiled loop over whole vectors has no remainder, which costs more than a vector
        spare = -count % LANES if self.law in ("gaussian", "sphere") else 0
        numbers = torch.cat([replicates, replicates.new_zeros(spare)]) if spare else replicates

        def planes(blocks: int) -> list[Tensor]:
            block, slot = self._grid
            counters: tuple[Tensor | int, ...] = (block[:, None], slot[:, None, None], round)
            if not isinstance(round, Tensor) or round.ndim == 0:
                return philox_planes((*counters, numbers), key)  # type: ignore[arg-type]
            # one row for all that is the same along the replicates
            shape = (len(round), len(slot), blocks)
            axes = (block, slot[:, None], round[:, None, None])
            rows = torch.stack([axis.expand(shape).flatten() for axis in axes])[..., None]
            found = philox_planes((rows[0], rows[1], rows[2], numbers), key)
            return [plane.reshape(*shape, len(numbers)) for plane in found]

        found = self._outcomes(planes, normal_tensors)
        return found.narrow(-3, 0, count) if spare else found

    def rows_of(self, rounds: int) -> int:
        """Counters of so many rounds that are not told apart by the replicate."""
        return rounds * len(self._grid[0]) * self.slots

    @property
    def per_instance(self) -> bool:
        """Whether the law has parameters with an axis of instances."""
        ranks = ((self.skew, 1), (self.values, 2), (self.probabilities, 2))
        return any(isinstance(x, Tensor) and x.ndim > rank for x, rank in ranks)

    def words(self, round: int, count: int) -> Tensor:
        """Return the first `count` 32-bit words of every draw, int64 ``(R, slots, count)``."""
        planes = philox_arrays(self._array_words(round, -(-count // 4)), self.key)
        return _in_order(planes, count).movedim(-1, -3).to(self.device)

    def _outcomes(self, planes: Callable[[int], Any], normals: Callable[..., Tensor]) -> Tensor:
        """Turn words into draws of the law; ``planes(blocks)`` are four of (slots, blocks, R)."""
        if self.law == "none":
            shape = (len(self.replicates), self.slots, self.width)
            return torch.zeros(shape, device=self.device, dtype=self.dtype)
        if self.law in ("gaussian", "sphere"):
            gaussian = self.law == "gaussian"
            words = planes(blocks_of(self.width, self.dtype))
            found = normals(words, self.width, 1 / self.width if gaussian else 1.0, self.dtype)
            found = found.movedim(-1, -3)
            return found if gaussian else found / found.square().sum(-1, keepdim=True).sqrt()
        words = _in_order(planes(-(-self.width // 4)), self.width).movedim(-1, -3)
        if self.law == "two_point":
            return self._two_point(words)
        return self._finite(words) if self.law == "finite" else self._indices(words)

    def _array_words(self, round: int, blocks: int) -> tuple[Plane, Plane, Plane, Plane]:
        """Counters (block, slot, round, replicate) as axes of a grid (slots, blocks, R)."""
        axis = np.arange(len(self.replicates), dtype=np.int64)
        along = (axis * self.replicates.step + self.replicates.start).astype(np.uint64)
        block = np.arange(blocks, dtype=np.uint64)[:, None]
        slot = np.array(self._numbers, dtype=np.uint64)[:, None, None]
        return block, slot, np.array(round, dtype=np.uint64), along

    @cached_property
    def _grid(self) -> tuple[Tensor, Tensor]:
        """Numbers of the blocks and of the slots; a graph reads them instead of counting."""
        normal = self.law in ("gaussian", "sphere")
        blocks = blocks_of(self.width, self.dtype) if normal else -(-self.width // 4)
        slots = (
            self._axis(range(self.slots))
            if self.numbers is None
            else (torch.tensor(self.numbers, device=self.device))
        )
        return self._axis(range(blocks)), slots

    @property
    def _numbers(self) -> Sequence[int]:
        return range(self.slots) if self.numbers is None else self.numbers

    def _axis(self, numbers: range) -> Tensor:
        span = torch.arange(len(numbers), device=self.device, dtype=torch.int64)
        return span * numbers.step + numbers.start

    def _two_point(self, words: Tensor) -> Tensor:
        high = words < self._limits
        skew = torch.as_tensor(self.skew, dtype=torch.float64, device=self.device)
        skew = _over_replicates(skew, 1)
        return torch.where(high, skew, -1 / skew).to(self.dtype)

    def _finite(self, words: Tensor) -> Tensor:
        chosen = (words[..., None] >= self._limits).sum(-1)  # (..., R, slots, width)
        values = torch.as_tensor(self.values, dtype=self.dtype, device=self.device)
        if values.ndim == 1:
            return values[chosen]
        values = values[..., None, :, :].expand(*chosen.shape[:-1], values.shape[-1])
        return values.gather(-1, chosen)

    @cached_property
    def _limits(self) -> Tensor:
        """Words below these bounds select the outcomes.

        Computed on the CPU: a sum may round differently on another device, and one unit there
        would change which outcome a word selects.
        """
        if self.law == "two_point":
            skew = torch.as_tensor(self.skew, dtype=torch.float64, device="cpu")
            return _over_replicates(_threshold(1 / (1 + skew * skew)), 1).to(self.device)
        chances = torch.as_tensor(self.probabilities, dtype=torch.float64, device="cpu")
        limits = _threshold(chances.cumsum(-1))[..., :-1]
        return (_over_replicates(limits, 2) if limits.ndim > 1 else limits).to(self.device)

    def _indices(self, words: Tensor) -> Tensor:
        """floor(word * n / 2^32): exact in 63 bits, each index within 2^-32 of 1/n."""
        return ((words * self._row_counts[:, None]) >> 32).to(self.dtype)

    @cached_property
    def _row_counts(self) -> Tensor:
        return torch.tensor(_as_list(self.rows), device=self.device, dtype=torch.int64)


def _in_order(planes: Sequence[Any], count: int) -> Tensor:
    """Words (slots, count, R), int64: word w is word w % 4 of block w // 4."""
    if isinstance(planes[0], np.ndarray):
        planes = [torch.from_numpy(plane.view(np.int64)) for plane in planes]
    return torch.stack(list(planes), -2).flatten(-3, -2)[..., :count, :]


def _threshold(probability: Tensor) -> Tensor:
    """The number of 32-bit words, out of 2^32, that fall below a probability."""
    return torch.round(probability * 2.0**32).to(torch.int64).clamp(0, 1 << 32)


def _over_replicates(parameter: Tensor, rank: int) -> Tensor:
    """Shape a law parameter (..., slots[, S]) so that it meets (..., R, slots, width[, S])."""
    if parameter.ndim == 0:
        return parameter
    if rank == 1:
        return parameter[..., None, :, None]
    return parameter[..., None, :, None, :]


def _as_list(rows: int | Sequence[int] | None) -> list[int]:
    if rows is None:
        return []
    return [rows] if isinstance(rows, int) else [int(n) for n in rows]
