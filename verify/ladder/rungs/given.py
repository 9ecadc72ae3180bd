"""Instances that an author gives with a statement, as the search writes instances.

They are asked about before anything is searched.  An instance that breaks the claim is a witness
as any other; one that does not says nothing, and is not counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from verify.claim.parameters import Family, Shape
from verify.claim.statement import Statement
from verify.ladder.search.seeds import Seed

__all__ = ["given_instances"]


def given_instances(statement: Statement) -> Iterator[Seed]:
    """Those of `Statement.try_first` that are instances of the statement's main family."""
    family = statement.family
    for numbers in statement.try_first:
        found = _shape(family, numbers)
        if found is not None and set(family.box) <= set(numbers):
            listed, sizes = found
            shape = {**family.shapes[listed], **sizes}
            values = {
                name: _spread(numbers[name], real.lengths(shape))
                for name, real in family.box.items()
            }
            yield Seed(listed, sizes, values, None)


def _shape(family: Family, numbers: Mapping[str, Any]) -> tuple[int, dict[str, int]] | None:
    """Which listed shape an instance has, and the sizes in which it differs from that one."""
    named = {name: value for name, value in numbers.items() if name not in family.box}

    def sizes(shape: Shape) -> dict[str, Any]:
        return {name: value for name, value in named.items() if shape[name] != value}

    fitting = [
        number
        for number, shape in enumerate(family.shapes)
        if set(named) <= set(shape) and set(sizes(shape)) <= set(family.growing)
    ]
    nearest = min(fitting, key=lambda number: len(sizes(family.shapes[number])), default=None)
    return None if nearest is None else (nearest, sizes(family.shapes[nearest]))


def _spread(value: Any, lengths: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """Numbers as fractions, one for all entries where a single one is given."""
    given = np.asarray(value, dtype=object)
    exact = np.empty(given.shape, dtype=object)
    exact[...] = np.vectorize(_exact, otypes=[object])(given) if given.size else given
    return np.broadcast_to(exact, lengths if exact.ndim == 0 else exact.shape).copy()


def _exact(number: Any) -> Fraction:
    """A number as it is written: 0.1 is a tenth."""
    return Fraction(str(number)) if isinstance(number, float) else Fraction(number)
