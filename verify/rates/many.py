"""Many federations of one rate: in batches, addressed by number, each batch a unit of work."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bounds.numbers.validate import InvalidInput
from verify.claim.instance import Instance
from verify.rates.curve import Curve, curve
from verify.rates.record import Cell, Rate
from verify.rates.sizes import of_size
from verify.world.noise_plan import Samples

NUMBERS = 2**25
"""Numbers that the sides of a batch may hold together (256 MB)."""

LOOKS = 4
"""Numbers that a side or hypothesis holds of each client at each model."""

FEW = 16
"""Replicates that are run together where not all find room: federations share the noise drawn for
a replicate, so that more of them are the better use of memory."""

MOST_FEDERATIONS = 32
"""Federations of a batch at most; a batch is what a run that was stopped has lost."""


@dataclass(frozen=True)
class Size:
    """How large a run is.

    Parameters
    ----------
    federations, rounds, replicates : int
    largest : int
        Clients times dimensions of a federation, at most.
    seed : int
    device : str
    clients, dimension : int or None
        Of every federation, if they are asked for.
    """

    federations: int
    rounds: int
    replicates: int
    largest: int
    seed: int = 0
    device: str = "cpu"
    clients: int | None = None
    dimension: int | None = None

    @property
    def times(self) -> tuple[int, ...]:
        """Horizons that are looked at: two or three per decade, the last one among them."""
        grid = {1, self.rounds}
        power = 1
        while power < self.rounds:
            grid |= {t for t in (power, 2 * power, 5 * power) if t <= self.rounds}
            power *= 10
        return tuple(sorted(grid))


PROFILES = {
    "quick": Size(federations=24, rounds=100, replicates=64, largest=256),
    "default": Size(federations=200, rounds=1000, replicates=200, largest=2**15),
}


def fitting(rate: Rate, size: Size) -> Rate:
    """The rate on the cells that are not too large; the smallest one always is there.

    Raises
    ------
    InvalidInput
        If a size is asked for that no federation of the rate has.
    """
    if size.clients is not None or size.dimension is not None:
        found = of_size(rate, size.clients, size.dimension)
        if found is None:
            raise InvalidInput(
                f"clients and dimension must be those of some federation of {rate.key}, got "
                f"{size.clients} and {size.dimension}: leave the rate out"
            )
        return found
    cells = [c for c in rate.cells if c["N"] * c.get("d", 1) <= size.largest]
    return replace(rate, cells=tuple(cells) or rate.cells[:1])


def batches(rate: Rate, size: Size) -> list[tuple[int, ...]]:
    """Numbers of the federations of each batch: one cell, and no more than memory allows."""
    made: list[tuple[int, ...]] = []
    rate = fitting(rate, size)
    for k, cell in enumerate(rate.cells):
        numbers = range(k, size.federations, len(rate.cells))
        width = _width(rate, cell, size)
        made += [tuple(numbers[i : i + width]) for i in range(0, len(numbers), width)]
    return made


def together(rate: Rate, numbers: Sequence[int], seed: int) -> Instance:
    """The federations of these numbers, of one cell, as a batch."""
    return stacked([rate.federation(n, seed).batched() for n in numbers])


def stacked(parts: Sequence[Instance]) -> Instance:
    """One batch of several."""

    def join(fields: Sequence[Any]) -> dict[str, Any]:
        return {
            name: np.concatenate([f[name] for f in fields])
            if isinstance(value, np.ndarray)
            else value
            for name, value in fields[0].items()
        }

    first = parts[0]
    return replace(
        first, data=join([p.data for p in parts]), params=join([p.params for p in parts])
    )


def measure(rate: Rate, numbers: Sequence[int], size: Size, *, fresh_noise: bool = False) -> Curve:
    """Curves of the federations of these numbers, on fresh noise for a verdict."""
    rate = fitting(rate, size)
    plan = Samples(noise_key(rate, size.seed, fresh_noise), size.replicates, 0, size.device)
    batch, times = together(rate, numbers, size.seed), times_of(rate, size)
    cell = rate.cells[numbers[0] % len(rate.cells)]
    at_once = NUMBERS // (len(numbers) * _each(rate, cell, size))
    return curve(rate, batch, times, plan, at_once)


def times_of(rate: Rate, size: Size) -> tuple[int, ...]:
    """Horizons of a rate."""
    return replace(size, rounds=min(size.rounds, rate.longest)).times


def noise_key(rate: Rate, seed: int, fresh: bool = False) -> int:
    """Key of the noise of all federations of a rate, apart from the stream that drew them."""
    stream = np.random.SeedSequence([seed, 1 + fresh, *rate.key.encode(), 0])
    return int(stream.generate_state(1, np.uint64)[0])


def sizes(rates: Sequence[Rate], size: Size) -> Iterator[tuple[Rate, tuple[int, ...]]]:
    """All units of work, rate by rate."""
    for rate in rates:
        for numbers in batches(rate, size):
            yield rate, numbers


def _width(rate: Rate, cell: Cell, size: Size) -> int:
    """Federations of a batch."""
    runs = min(size.replicates, FEW) if rate.way == "samples" else 1
    return min(MOST_FEDERATIONS, max(1, NUMBERS // (runs * _each(rate, cell, size))))


def _each(rate: Rate, cell: Cell, size: Size) -> int:
    """Numbers that are held of a federation; of sampled ones for each replicate."""
    rounds, clients = min(size.rounds, rate.longest), int(cell["N"])
    dim = int(cell.get("d", 1))
    looks = LOOKS * clients if rate.wide or rate.way == "moments" else 0
    if rate.way == "sides":
        return rounds * (2 * rounds if rate.wide else clients**2 * dim)
    if rate.way == "moments":
        return rounds * (3 * dim * dim + (dim + 1) * (dim + looks))
    return rounds * (3 * dim + looks)  # a path is held by the engine, stacked, and as an array
