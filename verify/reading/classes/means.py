r"""Means over noise, as claims in inner products: random vectors are vectors too.

Square integrable random vectors are a space with the inner product
:math:`\mathbb E\langle u, v\rangle`.  What is proved of the vectors of such a claim from their
inner products holds in every space with one, so in this one: there a symbol stands for a random
vector, a product of two for the mean of their inner product, a value for its mean.  The conditions
of a class hold on every outcome, so between means, in which they are linear.  Of the noise
:math:`\xi_t` of round t this says

- :math:`\mathbb E\langle\xi_t, v\rangle = 0` for all that is known before it is drawn: its mean,
  given the past, is zero.  Such products vanish;
- :math:`\mathbb E\|\xi_t\|^2 = v_t \le \sigma^2`.

So the law of the noise is any with these two properties, and may depend on the past.

Of N clients whose noises are independent given the past the average gradient has the average
noise: a mean of zero, and as the products of two clients' noises vanish

.. math:: \mathbb E\Bigl\|\frac1N\sum_i\xi_{t,i}\Bigr\|^2
          = \frac1{N^2}\sum_i\mathbb E\|\xi_{t,i}\|^2 = v_t \le q, \qquad
          Nq = \frac1N\sum_i\sigma_i^2 .
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import sympy

from verify.certify.prover.prove import Hypothesis
from verify.reading.classes.apart import TOP
from verify.reading.classes.world import MetLoss, noise
from verify.reading.parts.refusals import NotReadable

Expr = Any  # sympy carries no types

__all__ = ["averaged", "noise_facts", "variance"]


def variance(number: int) -> Expr:
    """The mean of the squared noise of a round."""
    return sympy.Symbol(f"v_{number}", nonnegative=True)


def averaged(e: Expr, loss: MetLoss) -> Expr:
    """The mean of a formula, by means of values and of inner products.

    Parameters
    ----------
    e : expression
        With one coordinate of each vector.
    loss : MetLoss
        What was met, in which the formula's symbols are found.

    Raises
    ------
    NotReadable
        Where the formula is not linear in values and in products of two vectors.
    """
    if not loss.noisy:
        return e
    drawn = _drawn(loss)
    values = [s for one in loss.met for s in loss.told(one) if str(s).startswith("f")]
    total = sympy.Integer(0)
    for found, factor, whole in _terms(sympy.sympify(e), (*drawn, *values)):
        vectors = [s for s in found if s in drawn]
        if not whole or (len(vectors), len(found)) not in ((0, 0), (0, 1), (2, 2)):
            raise NotReadable(f"a mean of {e}, which is no sum of values and inner products")
        total += factor * (_product(vectors, drawn) if vectors else sympy.Mul(*found))
    return total


@lru_cache(4_000, typed=True)
def _terms(e: Expr, symbols: tuple[Expr, ...]) -> list[tuple[tuple[Expr, ...], Expr, bool]]:
    """A polynomial's terms: symbols that are multiplied, what stands beside them, and whether that
    is free of symbols.  The conditions of a class are met in claim after claim.

    Raises
    ------
    NotReadable
        Where it is no polynomial.
    """
    try:
        terms = sympy.Poly(e, *symbols).terms()
    except sympy.PolynomialError as error:
        raise NotReadable(f"a mean of {e}") from error
    found = []
    for powers, factor in terms:
        multiplied = tuple(s for s, n in zip(symbols, powers, strict=True) for _ in range(n))
        found.append((multiplied, factor, not factor.has(*symbols)))
    return found


def noise_facts(expressions: list[Expr], loss: MetLoss) -> Iterator[Hypothesis]:
    """That no round's noise has a larger variance than is stated."""
    names = {str(s) for e in expressions for s in e.free_symbols}
    for number in range(len(names)):
        if str(variance(number)) in names:
            yield Hypothesis(
                f"variance of the noise {number}", loss.largest_variance - variance(number)
            )
    if str(TOP) in names:
        yield Hypothesis("variance of the average", TOP - loss.largest_variance)


def _product(vectors: Sequence[Expr], drawn: dict[Expr, int]) -> Expr:
    """The mean of the inner product of two: zero of a noise and of what was known before it."""
    early, late = sorted(vectors, key=lambda s: drawn[s])
    one, other = vectors
    if not str(late).startswith("xi_"):
        return one * other
    if one == other:
        return variance(int(str(late).removeprefix("xi_")))
    return one * other if drawn[early] == drawn[late] else sympy.Integer(0)


def _drawn(loss: MetLoss) -> dict[Expr, int]:
    """Of each vector the number of the rounds whose noise it may depend on.

    That of a round t itself is t + 1, and what is met after it has at least that number.
    """
    found: dict[Expr, int] = {}

    def of(e: Expr) -> int:
        free = e.free_symbols
        for symbol in free:
            if str(symbol).startswith("xi_"):
                found.setdefault(symbol, int(str(symbol).removeprefix("xi_")) + 1)
            elif str(symbol) in ("start", "opt", "end"):
                found.setdefault(symbol, 0)
        return max((found.get(s, 0) for s in free), default=0)

    for one in loss.met:
        when = of(one.x)
        found |= {s: when for s in loss.told(one) if not str(s).startswith("f")}
    for number in range(len(loss.met)):
        found.setdefault(noise(number), number + 1)
    return found
