"""Products of powers of symbols on the rows of a sample, all of a kind at once, in logarithms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np

from bounds import generic as xp
from verify.ladder.repair import tuning
from verify.ladder.repair.monomials import known_symbols, monomial
from verify.world.noise_plan import WITHOUT_VALUE
from verify.world.score import Score

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Products:
    """Products of powers, with their values on rows.

    ``exponents`` has shape (products, symbols); ``logs`` are the logarithms of the symbols that are
    above 0 on every row, (symbols, rows).
    """

    names: tuple[str, ...]
    exponents: Array
    logs: Array

    @property
    def values(self) -> Array:
        """Logarithms of the products, (products, rows)."""
        return np.asarray(self.exponents @ self.logs)

    def of(self, number: int) -> dict[str, int]:
        """Exponents of one of the products, by symbol."""
        row = self.exponents[number]
        return {n: int(e) for n, e in zip(self.names, row, strict=True) if e}

    def sizes(self) -> Array:
        """How much each product says, (products,)."""
        cost = np.abs(self.exponents) + (self.exponents < 0)
        return np.asarray(cost.sum(axis=1))

    def with_unit(self, units: Mapping[str, Any], wanted: Any) -> Products:
        """Those products that have a unit, exponents of (loss, length)."""
        if wanted is None or not len(self.exponents):
            return Products(self.names, self.exponents[:0], self.logs)
        each = np.array([units[name] for name in self.names], dtype=float)
        fits = np.all(self.exponents @ each == np.asarray(wanted), axis=1)
        return Products(self.names, self.exponents[fits], self.logs)


def powers_on(rows: Sequence[Score], units: Mapping[str, Any]) -> Products | None:
    """Products of powers of the symbols that have one positive value for each instance.

    Parameters
    ----------
    rows : sequence of Score
        Batches of instances, each of one shape.
    units : mapping
        Exponents of (loss, length) of each symbol, None where it does not scale by a power; symbols
        that are not named are left out.

    Returns
    -------
    Products or None
        None where there is no such symbol.
    """
    logs: dict[str, Array] = {}
    for name in known_symbols(rows[0]) if rows else ():
        if units.get(name) is None or len(logs) == tuning.MOST_SYMBOLS:
            continue
        columns = [column for row in rows if (column := _column(row, name)) is not None]
        if len(columns) < len(rows):
            continue
        whole = np.concatenate(columns)
        if (whole > 0).all() and np.isfinite(whole).all():
            log = np.log(whole)
            if np.ptp(log) > 0 and not any(np.array_equal(log, other) for other in logs.values()):
                logs[name] = log
    if not logs:
        return None
    exponents = [
        _placed(len(logs), where, powers)
        for count, several in tuning.EXPONENTS.items()
        for where in combinations(range(len(logs)), count)
        for powers in product(several, repeat=count)
    ]
    return Products(tuple(logs), np.array(exponents), np.array(list(logs.values())))


def _placed(count: int, where: Sequence[int], powers: Sequence[int]) -> list[int]:
    row = [0] * count
    for place, power in zip(where, powers, strict=True):
        row[place] = power
    return row


def _column(row: Score, name: str) -> Array | None:
    """Value of a symbol on each instance, None where it has several."""
    try:
        value = np.asarray(xp.to_float(monomial(row.world, {name: 1}, 2)), dtype=float)
    except WITHOUT_VALUE:
        return None
    count = len(row.ratio)
    if value.size == 1:
        return np.full(count, float(value.reshape(-1)[0]))
    if value.ndim != 2 or value.shape[1] != 1 or len(value) != count:
        return None
    return value[:, 0]
