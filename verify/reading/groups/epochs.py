r"""What a claim about runs in groups says of any number of epochs, as an inequality about one.

Let the sides after T epochs, both times T or both as they stand, be

.. math:: \sum_i\sum_{t<T}\mathbb E\,l_i^t \le
          \sum_i\Bigl(u\,J_i^0 + \sum_{t<T}\mathbb E\,r_i^t\Bigr) ,

:math:`J_i^t` the excess loss of client i at the beginning of epoch t, l and r of what is known of
it then, and :math:`u > 0`.  It follows for all T from

- :math:`l_i^t + u\,\mathbb EJ_i^{t+1} \le u\,\mathbb EJ_i^t + r_i^t`, summed over epochs and
  clients, and :math:`0 \le uJ_i^T`.

A claim about the last epoch, or about the only one, is about an epoch by itself, from any state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sympy

from verify.reading.groups.names import epochs_of, moved, value_at
from verify.reading.groups.reading import AfterEpochs, GroupRuns
from verify.reading.parts.known_before import known_before
from verify.reading.parts.named_sizes import around
from verify.reading.parts.refusals import NotReadable
from verify.reading.parts.symbols import same

Expr = Any  # sympy carries no types

COUNTS, FAR, AGAIN, MOST = 5, 13, 3, 64
"""Epochs that are written out to see what a claim is after any number: all up to so many, and a
number far from them; of a claim that was held to all of these before, so many.  So are those that
the program names, up to the last."""

__all__ = ["EpochsRead", "counts_read", "read_epochs"]


@dataclass(frozen=True)
class EpochsRead:
    """What a claim says of an epoch.

    Attributes
    ----------
    many : bool
        Whether both sides are sums over any number of epochs; else they are about one by itself.
    averaged : bool
        Whether they are those sums divided by the number of epochs.
    left, right : expressions
        Of the epoch by itself, or what the sides are sums of.
    start : expression
        u, what the right side has of the first excess loss.
    margins : dict
    """

    many: bool
    averaged: bool
    left: Expr
    right: Expr
    start: Expr
    margins: Mapping[str, Expr]


def counts_read(setting: GroupRuns, more: int = 0) -> Iterator[int]:
    """Numbers of epochs at which a statement is read, each to be read before the next is asked for.

    Parameters
    ----------
    setting : GroupRuns
    more : int
        Epochs that are written out beside them.
    """
    yield from range(1, (AGAIN if known_before() else COUNTS) + 1)
    if not known_before():
        yield FAR
        yield from (n - more for n in around(setting.named.found, COUNTS + more, MOST))


def read_epochs(setting: GroupRuns) -> EpochsRead:
    """What the statement says of an epoch.

    Parameters
    ----------
    setting : GroupRuns

    Raises
    ------
    NotReadable
        Where what it says of other numbers of epochs has another form.
    """
    one = setting.after(1)
    if setting.longest == 1 and value_at(1) in one.left.free_symbols:
        return _of_one(one)
    found = {t: setting.after(t) for t in counts_read(setting)}
    if any(dict(after.margins) != dict(one.margins) for after in found.values()):
        raise NotReadable("hypotheses that differ with the number of epochs")
    if all(
        after.left == moved(one.left, t - 1) and after.right == moved(one.right, t - 1)
        for t, after in found.items()
    ):
        return _of_one(one)
    start = one.right.coeff(value_at(0), 1)
    rest = sympy.expand(one.right - start * value_at(0))
    if epochs_of(start) or start == 0 or value_at(0) in rest.free_symbols:
        raise NotReadable("a bound that is not linear in the first value")
    if epochs_of(one.left) | epochs_of(rest) != {0} or value_at(0) in one.left.free_symbols:
        raise NotReadable("sides that are not about the beginning of the epochs")
    for averaged in (False, True):
        if all(_is_sum(after, t, averaged, one.left, rest, start) for t, after in found.items()):
            return EpochsRead(True, averaged, one.left, rest, start, one.margins)
    raise NotReadable("sides that are no sums over the epochs")


def _of_one(one: AfterEpochs) -> EpochsRead:
    """A claim about an epoch by itself, linear in the value after it."""
    for e in (one.left, one.right):
        slope = e.coeff(value_at(1), 1)
        rest = sympy.expand(e - slope * value_at(1))
        if epochs_of(slope) or epochs_of(rest) - {0}:
            raise NotReadable("a side that is not linear in what comes after the epoch")
    return EpochsRead(False, False, one.left, one.right, sympy.Integer(0), one.margins)


def _is_sum(
    after: AfterEpochs, t: int, averaged: bool, left: Expr, rest: Expr, start: Expr
) -> bool:
    times = t if averaged else 1
    lefts = sympy.Add(*(moved(left, s) for s in range(t)))
    rights = start * value_at(0) + sympy.Add(*(moved(rest, s) for s in range(t)))
    return same(times * after.left, lefts) and same(times * after.right, rights)
