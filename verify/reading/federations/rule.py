r"""What All-for-one does in a round, in sums over the clients.

With the similarity :math:`r_k = (1-\Delta_k^2/G^2)_+`, the rule :math:`\phi` and
:math:`\Psi = \sum_k r_k\phi(r_k)/\sigma_k^2` the weights are
:math:`\alpha_k = \phi(r_k)/(\sigma_k^2\Psi)` (Definition 1).
`verify.reading.federations.agreement` compares them with those of exact runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy

from bounds import generic as xp
from bounds.numbers.formal import Axis, generic_entry, listed
from bounds.numbers.symbolic import Symbolic, client_symbol, expression
from bounds.similarity import phi_by_name, psi, ratio_from_squares
from verify.reading.federations.places import VARIANCE, gap_at, own_at

Expr = Any  # sympy carries no types

METHOD = "all_for_one"
SETTINGS = frozenset({"phi", "exponent", "weights", "rounds"})
"""Constants of the method that are read; all others change what a round does."""

__all__ = ["METHOD", "SETTINGS", "Weighing", "given_weights", "weighing"]


@dataclass(frozen=True)
class Weighing:
    """ClientSums and entries of one round at a place, each a formula in symbols.

    Attributes
    ----------
    phi : dict
        phi(r_k), of the followed client (0,) and any other ("k",); of given weights these.
    alpha : dict
        The weights.
    psi_sum, phi_sum, square_sum : expressions
        ClientSums over the clients of psi, phi and phi^2 over sigma^2.
    drift : expression
        The sum of phi (Delta^2 - G^2)/sigma^2.
    """

    phi: Mapping[tuple[Any, ...], Expr]
    alpha: Mapping[tuple[Any, ...], Expr]
    psi_sum: Expr
    phi_sum: Expr
    square_sum: Expr
    drift: Expr


def weighing(shape: Mapping[str, Any], threshold: Any, axis: Axis, t: int = 0) -> Weighing:
    """What the weights are at a place.

    Parameters
    ----------
    shape : mapping
        With the name of the rule.
    threshold : array of Symbolic or None
        Of the binary rule, (1, 1).
    axis : Axis
    t : int
        Number of the place.
    """
    gap = _row([sympy.Integer(0), *(gap_at(t)[mark] for mark in axis.marks[1:])])
    sigma2 = _row([VARIANCE[mark] for mark in axis.marks])
    own = np.empty((1, 1), dtype=object)
    own[...] = Symbolic(own_at(t))
    with listed(axis):
        ratio = ratio_from_squares(gap, own)
        phi = phi_by_name(shape["phi"], ratio, threshold, shape.get("exponent"))
        sums = [
            expression(xp.total(value / sigma2).item())
            for value in (psi(ratio, phi), phi, phi**2, phi * (gap - own[..., None]))
        ]
        entries = list(phi.reshape(-1))
        each = {(0,): expression(entries[0]), ("k",): generic_entry(entries, axis)}
    k, _ = client_symbol()
    variance = {(0,): VARIANCE[axis.marks[0]], ("k",): VARIANCE[k]}
    alpha = {place: e / (variance[place] * sums[0]) for place, e in each.items()}
    return Weighing(each, alpha, *sums)


def given_weights(alpha: Any, axis: Axis, t: int = 0) -> Weighing:
    """What given weights are at a place; sums are of the weights themselves, psi_sum is 1.

    Parameters
    ----------
    alpha : array of Symbolic
        (N,)
    axis : Axis
    t : int
    """
    gap = _row([sympy.Integer(0), *(gap_at(t)[mark] for mark in axis.marks[1:])])[0, 0]
    sigma2 = _row([VARIANCE[mark] for mark in axis.marks])[0, 0]
    own = Symbolic(own_at(t))
    with listed(axis):
        sums = [
            expression(xp.total(value[None]).item())
            for value in (alpha, alpha**2 * sigma2, alpha * (gap - own))
        ]
        entries = list(alpha)
        each = {(0,): expression(entries[0]), ("k",): generic_entry(entries, axis)}
    return Weighing(each, each, sympy.Integer(1), *sums)


def _row(entries: list[Expr]) -> Any:
    row = np.empty((1, 1, len(entries)), dtype=object)
    row[0, 0] = [Symbolic(e) for e in entries]
    return row
