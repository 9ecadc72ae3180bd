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

    ``exponents`` has shape (products, symbols); ``logs`` are the logarithms of the symbols,
    (symbols, rows), of a zero that of next to nothing. A symbol that is negative somewhere is there
    as ``|x|``.
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
        each = np.array([units[name.strip("|")] for name in self.names], dtype=float)
        fits = np.all(self.exponents @ each == np.asarray(wanted), axis=1)
        return Products(self.names, self.exponents[fits], self.logs)

    def and_entries(self, rows: Sequence[Score], units: Mapping[str, Any]) -> Products:
        """With each symbol that has an entry for each client, alone: its largest and smallest."""
        names, logs, exponents = list(self.names), list(self.logs), list(self.exponents)
        for name in known_symbols(rows[0]):
            if units.get(name) != (0.0, 0.0):
                continue
            ends = [found for row in rows if (found := _ends(row, name)) is not None]
            if len(ends) == len(rows):
                low, high = (np.concatenate(part) for part in zip(*ends, strict=True))
                if (low >= 0).all() and np.isfinite(high).all():
                    for column, power in ((high, 1), (low, -1)):
                        names.append(name)
                        logs.append(np.log(np.maximum(column, tuning.NEXT_TO_NOTHING)))
                        exponents.append((len(names) - 1, power))
        whole = np.zeros((len(exponents), len(names)), dtype=int)
        for number, row in enumerate(exponents):
            if isinstance(row, tuple):
                whole[number, row[0]] = row[1]
            else:
                whole[number, : len(row)] = row
        return Products(tuple(names), whole, np.array(logs))


def powers_on(rows: Sequence[Score], units: Mapping[str, Any]) -> Products | None:
    """Products of powers of the symbols that have one value for each instance.

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
    columns: dict[str, Array] = {}
    for name in known_symbols(rows[0]) if rows else ():
        if units.get(name) is not None:
            found = [column for row in rows if (column := _column(row, name)) is not None]
            if len(found) == len(rows) and np.isfinite(whole := np.concatenate(found)).all():
                columns[name if (whole >= 0).all() else f"|{name}|"] = np.abs(whole)
    logs: dict[str, Array] = {}
    for name in sorted(columns, key=lambda name: ("|" in name, not columns[name].all())):
        log = np.log(np.maximum(columns[name], tuning.NEXT_TO_NOTHING))
        new = np.ptp(log) > 0 and not any(np.array_equal(log, other) for other in logs.values())
        if new and len(logs) < tuning.MOST_SYMBOLS:
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


def _ends(row: Score, name: str) -> tuple[Array, Array] | None:
    """Smallest and largest entry on each instance of a symbol that has several."""
    try:
        value = np.asarray(xp.to_float(row.world.original(name)), dtype=float)
    except WITHOUT_VALUE:
        return None
    count = len(row.ratio)
    if value.ndim < 3 or len(value) != count:
        return None
    flat = value.reshape(count, -1)
    return flat.min(axis=1), flat.max(axis=1)
