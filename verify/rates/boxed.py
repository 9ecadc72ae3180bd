"""Instances of a statement's own family, drawn at random from its box in larger shapes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from verify.claim.instance import Instance
from verify.claim.parameters import Family
from verify.rates.record import Cell, Draw

if TYPE_CHECKING:
    import numpy as np


Change = Callable[["np.random.Generator", dict[str, Any]], dict[str, Any]]


def boxed(family: Family, change: Change | None = None) -> Draw:
    """A draw: every parameter uniform in its range (on its own scale), the shape that of the cell.

    Half of the federations have every parameter there, the others each at an end of its range or
    inside, since bounds are close at the ends.

    Parameters
    ----------
    family : Family
    change : callable, optional
        ``(generator, values) -> values``, parameters (1, ...) that stand together in another way.
    """
    return partial(_draw, family, change)


def _draw(family: Family, change: Change | None, rng: np.random.Generator, cell: Cell) -> Instance:
    shape: Mapping[str, object] = {"rounds": 1, **cell}
    place = rng.uniform(size=(1, family.width(shape)))
    if rng.uniform() < 1 / 2:
        kept = rng.uniform(size=place.shape) < 1 / 2
        place = kept * place + (1 - kept) * (place > 1 / 2)
    values = family.decode(place, shape)
    return family.instance(values if change is None else change(rng, values), shape)[0]
