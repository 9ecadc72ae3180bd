"""How much a search for proofs may do, counted: where it gives up depends on no clock.

What is counted are the terms of all products that are put before the solver of linear programmes,
and each system of facts that is asked for a contradiction like so many terms.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

QUESTION = 500
"""Terms that take about as long as a system without any programme does."""

__all__ = ["QUESTION", "Meter", "OutOfEffort", "counted", "met_before", "metered", "spend"]


class OutOfEffort(BaseException):
    """A search has done what it may do; no `except Exception` swallows it."""


@dataclass
class Meter:
    """What has been spent, how much may be (None: any), and for what."""

    most: int | None
    spent: int = 0
    met: set[Hashable] = field(default_factory=set)


_meter: ContextVar[Meter | None] = ContextVar("meter", default=None)


@contextmanager
def metered(most: int | None = None) -> Iterator[Meter]:
    """Count the effort of searches inside the block, and stop them beyond so much.

    Examples
    --------
    >>> with metered(10) as meter:
    ...     spend(4)
    >>> meter.spent
    4
    """
    meter = Meter(most)
    before = _meter.set(meter)
    try:
        yield meter
    finally:
        _meter.reset(before)


def spend(terms: int) -> None:
    """Add to the count.

    Raises
    ------
    OutOfEffort
        Once it is above what may be spent.
    """
    meter = _meter.get()
    if meter is None:
        return
    meter.spent += terms
    if meter.most is not None and meter.spent > meter.most:
        raise OutOfEffort


@contextmanager
def counted() -> Iterator[Meter]:
    """Count the effort inside the block apart, as a part of what may be spent around it."""
    around = _meter.get()
    if around is None:
        inner = Meter(None)
    else:
        left = None if around.most is None else around.most - around.spent
        inner = Meter(left, met=around.met)
    before = _meter.set(inner)
    try:
        yield inner
    finally:
        _meter.reset(before)
        if around is not None:
            around.spent += inner.spent


def met_before(question: Hashable) -> bool:
    """Whether a question has been told of in this count; from now on it has."""
    meter = _meter.get()
    if meter is None or question in meter.met:
        return True
    meter.met.add(question)
    return False
