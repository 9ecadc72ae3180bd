r"""Losses of a class, each client's by itself: means over the clients as means over a draw.

FedAvg with one local step and weights :math:`p_k` (not negative, with sum one) goes where the
average gradient of the clients leads.  A claim may speak of each client there: of the mean of their
squared gradients, or of those of one client that is singled out, any of them.

Draw a client with probability :math:`p_k`: its gradient is a random vector, and as for the noise
(`verify.reading.classes.means`) the mean of inner products is an inner product.  With m the mean
of u over the clients and d what is left, :math:`\sum_kp_k\langle d_k, v\rangle = 0` for all v that
are the same for every client, and for u, u' with the parts m, d and m', d'

.. math:: \sum_k p_k\langle u_k, u'_k\rangle
          = \langle m, m'\rangle + \sum_k p_k\langle d_k, d'_k\rangle .

So a formula in sums over the clients is one in m and d, in which no number of clients is left.
What every loss of the class satisfies holds for each client, so in the mean; a client that is
singled out has symbols of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import sympy

from bounds.numbers.formal import Axis
from bounds.numbers.formal_terms import extreme_type
from bounds.numbers.symbolic import client_symbol, expression
from verify.reading.classes.world import POOLED, Met, MetLoss
from verify.reading.parts.draws import summed
from verify.reading.parts.refusals import NotReadable
from verify.reading.parts.symbols import row_of

Array = np.ndarray[Any, Any]
Expr = Any  # sympy carries no types

WRITTEN_OUT = 11
"""Clients that are written out: more than any axis of rounds has entries."""
TOP = sympy.Symbol("s_max", positive=True)
"""The largest stated variance of a client's noise."""

MEAN = "mean_of_"
"""Begins the names of means of numbers that each client has."""

CLIENT, COUNT = client_symbol()
_DEVIATION = sympy.IndexedBase("sigma", positive=True)
_WEIGHT = sympy.IndexedBase("p", nonnegative=True)

__all__ = ["MEAN", "TOP", "EachLoss", "deviation", "mean_number", "number_of", "of_client"]


@dataclass
class EachLoss(MetLoss):
    """The losses of any number of clients at points that are the same for all of them.

    Attributes
    ----------
    weighted : bool
        Whether the clients have weights; else all have the same.
    singled : dict
        Clients that were picked out, by the number of their place; filled while reading.
    """

    weighted: bool = False
    singled: dict[int, None] = field(default_factory=dict)
    axis: Axis = field(default_factory=lambda: Axis.of(WRITTEN_OUT, 0))

    # -- what a program is told --------------------------------------------------------------------

    def gradients(self, theta: Array) -> Array:
        """(..., 1) to (..., N, 1)."""
        return self._each("g", theta)[..., None]

    def losses(self, theta: Array) -> Array:
        """(..., 1) to (..., N)."""
        return self._each("f", theta)

    @property
    def deviations(self) -> Array:
        """The stated bound on each client's noise, (1, N)."""
        return row_of(_DEVIATION, self.axis)[None]

    @property
    def noise_variance(self) -> Array:
        """Its square, (1, 1, N)."""
        if not self.noisy:
            raise NotReadable("the variance of a noise that nobody has stated")
        return self.deviations[None] ** 2

    @property
    def weights(self) -> Array | None:
        """Shares of the clients where they have weights, (1, 1, N)."""
        return row_of(_WEIGHT, self.axis)[None, None] if self.weighted else None

    def _each(self, letter: str, theta: Array) -> Array:
        if theta.shape[-1] != 1:
            raise NotReadable("points of more than one coordinate")
        out = np.empty((*theta.shape[:-1], self.axis.size), dtype=object)
        for index in np.ndindex(*theta.shape[:-1]):
            base = self._base(letter, self.at(expression(theta[index][0])))
            out[index] = row_of(base, self.axis)
        return out

    def _base(self, letter: str, one: Met) -> Expr:
        return sympy.IndexedBase(f"{letter}_{number_of(one)}", real=True)

    # -- what it gives back ------------------------------------------------------------------------

    def lowered(self, e: Expr) -> Expr:
        """A formula in sums over the clients, and in single ones, by symbols of the draw.

        Raises
        ------
        NotReadable
            Where a sum is about more than means of values, and of products of two vectors.
        """
        formal = extreme_type()
        made = sympy.sympify(e).replace(
            lambda p: isinstance(p, sympy.Sum | formal),
            lambda p: self._sum(p) if isinstance(p, sympy.Sum) else self._extreme(p),
        )
        made = made.replace(lambda p: isinstance(p, sympy.Indexed), self._single)
        if made.atoms(sympy.Indexed, formal, sympy.Sum) or CLIENT in made.free_symbols:
            raise NotReadable("a formula about the clients that is no mean over them")
        return made

    def told(self, one: Met) -> list[Expr]:
        """Symbols of what is said at a point: values first, then vectors."""
        if not one.g.is_Symbol:
            return []
        n = number_of(one)
        values = [one.f, *(of_client(f"f_{n}", j) for j in self.singled)]
        return [*values, one.g, _off(n), *(of_client(f"g_{n}", j) for j in self.singled)]

    def views(self, named: set[Expr]) -> Iterator[tuple[str, list[Met], Any]]:
        """The losses that the class speaks of: those of the draw, and each that is singled out.

        Those of which no value is named are left out: all that is known of slopes is about values
        too.  Where no value is named at all nothing is.
        """
        values = {s for one in self.met[1:] for s in self.told(one) if str(s).startswith("f")}
        every = not values & named
        head = self.met[:1]
        if every or {one.f for one in self.met} & named:
            drawn = [
                Met(one.x, self._base("g", one)[CLIENT], self._base("f", one)[CLIENT])
                for one in self.met[1:]
            ]
            yield "", head + drawn, self._mean
        for j in self.singled:
            own = [
                Met(one.x, *(of_client(f"{a}_{number_of(one)}", j) for a in "gf"))
                for one in self.met[1:]
            ]
            if every or {one.f for one in own} & named:
                yield f" of client {j}", head + own, lambda e: e

    def _mean(self, e: Expr) -> Expr:
        """The mean of a formula about client k."""
        return self._parts(e, CLIENT, drawn=True)

    # -- sums --------------------------------------------------------------------------------------

    def _sum(self, e: Expr) -> Expr:
        index, low, high = e.limits[0]
        if len(e.limits) > 1 or (low, high) != (1, COUNT):
            raise NotReadable("a sum over something else than clients")
        return self._parts(e.function, index, drawn=False)

    def _parts(self, body: Expr, index: Expr, drawn: bool) -> Expr:
        """A sum over the clients; or the mean of what a client has."""
        return summed(body, index, partial(self._term, drawn=drawn))

    def _term(self, found: Sequence[Expr], drawn: bool) -> Expr:
        """The sum of a product of numbers and vectors of each client."""
        names = [str(s.base) for s in found]
        noise, weights = names.count("sigma"), names.count("p")
        rest = [s for s in found if str(s.base) not in ("sigma", "p")]
        if noise == 2 and not rest:  # the variance of the average is the sum of (p_k sigma_k)^2
            if weights == 2 * self.weighted:
                return POOLED * (1 if self.weighted else COUNT**2)
        elif len(rest) == 1 and not _told(rest[0]):
            if not noise and not drawn and weights == self.weighted:
                return mean_number(rest[0]) * (1 if self.weighted else COUNT)
        elif not noise and (drawn or weights == self.weighted):
            return self._drawn(rest) * (1 if self.weighted or drawn else COUNT)
        raise NotReadable("a sum over clients that is no mean under their weights")

    def _drawn(self, found: list[Expr]) -> Expr:
        """The mean of a product of what a drawn client has."""
        names = [str(s.base) for s in found]
        kinds = [name[0] for name in names]
        if not found:
            return sympy.Integer(1)
        if kinds in (["f"], ["g"]):
            return _symbol(names[0])
        if kinds == ["g", "g"]:
            one, other = names
            return _symbol(one) * _symbol(other) + _off(one[2:]) * _off(other[2:])
        raise NotReadable("a mean over clients that is linear neither in values nor in products")

    def _extreme(self, e: Expr) -> Expr:
        word, index, leads, bodies = e.args
        if str(word) == "max" and not any(leads) and list(bodies) == [_DEVIATION[index] ** 2]:
            return TOP
        raise NotReadable("the largest or smallest of all clients")

    def _single(self, e: Expr) -> Expr:
        (index,) = e.indices
        letter = str(e.base)[0]
        if index not in self.axis.marks or letter not in "gf":
            raise NotReadable("a number of one client")
        place = self.axis.marks.index(index)
        self.singled.setdefault(place)
        return of_client(str(e.base), place)


def number_of(one: Met) -> int:
    """The number of a point that was met."""
    return int(str(one.g).removeprefix("g_"))


def of_client(name: str, place: int) -> Expr:
    """The symbol of a client that is singled out."""
    return _symbol(f"{name}_of_{place}")


def mean_number(number: Expr) -> Expr:
    """The mean over the clients of a number that each of them has."""
    sign = "nonnegative" if number.is_nonnegative else "real"
    return sympy.Symbol(f"{MEAN}{number.base}", **{sign: True})


def deviation(number: Any) -> Expr:
    """One coordinate of what the drawn gradient at a point has beside its mean."""
    return _off(number)


def _told(s: Expr) -> bool:
    """Whether it is what a client's loss says at a point."""
    return re.fullmatch("[fg]_[0-9]+", str(s.base)) is not None


def _off(number: Any) -> Expr:
    return _symbol(f"g_{number}_off")


def _symbol(name: str) -> Expr:
    return sympy.Symbol(name, real=True)
