r"""Averages over epochs whose steps fall, weighed by the steps, against a bound with a logarithm.

With the steps :math:`\eta_t = \eta_0q/(t + q)`, let :math:`\xi_T = \sum_{t<T}\eta_t`, and let a
claim be, for every T, :math:`\frac1{\xi_T}\sum_i\sum_{t<T}\eta_t\mathbb E\|g_i^t\|^2 \le
\sum_iR_i(\log\frac{T+q}q)` in groups that never change.  Each epoch says

.. math:: \eta_t\mathbb E\|g_i^t\|^2 + 2\mathbb EJ_i^{t+1}
          \le 2\mathbb EJ_i^t + 2\eta_tK_i + L\sigma^2\eta_t^2 ,

:math:`K_i` the mean of the members' constants of similarity.  Summed over the epochs, with
:math:`J \ge 0`, what is left are two sums of numbers, by induction on T:

.. math:: \xi_T \ge \eta_0q\log\tfrac{T+q}q, \qquad
          \sum_{t<T}\eta_t^2 \le (\eta_0q)^2\Bigl(\tfrac1{q^2} + \tfrac1{q+1/2}
          - \tfrac1{T+q-1/2}\Bigr) .

Of the logarithm it is used that it vanishes at one, grows, and is at most :math:`y - 1` at y.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import sympy

from verify.certify.prover.prove import Hypothesis
from verify.reading.groups.claims import OWN, own_against_group, plain_claim, step_facts
from verify.reading.groups.epochs import counts_read
from verify.reading.groups.names import DISSIMILARITY, UPPER, epochs_of, gradient_at, value_at
from verify.reading.groups.reading import SIGMA, AfterEpochs, GroupRuns
from verify.reading.parts.claim import ReadClaim
from verify.reading.parts.refusals import NotReadable

Expr = Any  # sympy carries no types

EPOCHS = sympy.Symbol("epochs", nonnegative=True)
LOGARITHM, THEN = sympy.symbols("logarithm logarithm_then", positive=True)
"""Of (T + q)/q, for T and for one epoch more."""
STEP, SUM, SQUARES = sympy.symbols("epoch_step sum_of_steps sum_of_squares", positive=True)
AVERAGE = sympy.Symbol("average", nonnegative=True)
HALF = sympy.Rational(1, 2)

__all__ = ["Falling", "falling_claims", "read_falling"]


@dataclass(frozen=True)
class Falling:
    """What a claim says of epochs whose steps fall.

    Attributes
    ----------
    q : number
    right : expression
        Of a client, in its first excess loss and the logarithm.
    margins : dict
    first : expression
        The first step, a formula in the parameters.
    """

    q: Expr
    right: Expr
    margins: Mapping[str, Expr]
    first: Expr

    def share(self, t: int) -> Expr:
        """The step of an epoch, over the first one."""
        return self.q / (t + self.q)

    def log_of(self, epochs: int) -> Expr:
        """What the logarithm is taken of."""
        return (epochs + self.q) / self.q

    def taking(self, share: Any) -> Falling:
        """The same with this share of the first step."""
        return replace(self, first=self.first * sympy.Rational(share))


def read_falling(setting: GroupRuns) -> Falling:
    """What the statement says, its first step being that of a constant one.

    Raises
    ------
    NotReadable
        Where it says something else.
    """
    found = {t: setting.after(t) for t in counts_read(setting)}
    second = _weights(found[2], 2)
    q = sympy.cancel(second[1] / (second[0] - second[1])) if second[0] != second[1] else None
    if q is None or not (q.is_Rational and q > 0):
        raise NotReadable("an average over epochs whose steps do not fall")
    right = None
    one = found[1]
    made = Falling(q, one.right, one.margins, setting.step)
    for t, after in found.items():
        shares = [made.share(s) for s in range(t)]
        if _weights(after, t) != [s / sympy.Add(*shares) for s in shares]:
            raise NotReadable("an average with other weights than falling steps")
        taken = after.right.xreplace({sympy.log(made.log_of(t)): LOGARITHM})
        if taken.has(sympy.log) or (
            right is not None and sympy.expand(taken - right, log=False) != 0
        ):
            raise NotReadable("a bound of another form in the number of epochs")
        right = taken
        if dict(after.margins) != dict(one.margins):
            raise NotReadable("hypotheses that differ with the number of epochs")
    value = value_at(0)
    if right is None or epochs_of(right) - {0} or right.has(gradient_at(0)):
        raise NotReadable("a bound that depends on the run")
    rest = sympy.expand(right - right.coeff(value, 1) * value)
    if rest.has(value) or epochs_of(rest):
        raise NotReadable("a bound that is not linear in the first value")
    return replace(made, right=right)


def _weights(after: AfterEpochs, epochs: int) -> list[Expr]:
    """The weights of the squared gradients of which the left side is an average."""
    squares = [gradient_at(t) ** 2 for t in range(epochs)]
    left = sympy.expand(after.left)
    weights = [left.coeff(square, 1) for square in squares]
    whole = sympy.Add(*(w * s for w, s in zip(weights, squares, strict=True)))
    if sympy.expand(left - whole) != 0 or not all(w.is_Rational for w in weights):
        raise NotReadable("a left side that is no average of squared gradients")
    return weights


def falling_claims(setting: GroupRuns, read: Falling) -> Iterator[tuple[str, ReadClaim]]:
    """Claims about an epoch, about sums of steps, and about the average, each with a name.

    The members of a group have one model in every epoch.
    """
    if setting.similar is None:
        raise NotReadable("no constants of similarity")
    strict = setting.statement.strict
    given = [Hypothesis(n, e, n in strict) for n, e in read.margins.items()]
    zero, after, sigma = sympy.Integer(0), value_at(1), setting.symbol(SIGMA)
    slope, noise = 2 * DISSIMILARITY, UPPER * sigma**2
    index, scale = EPOCHS + read.q, read.first * read.q
    own, known = own_against_group(together=True)
    yield "own against group", own
    short = Hypothesis("short step", 1 - UPPER * STEP)
    left, right = STEP * OWN + 2 * after, 2 * value_at(0) + slope * STEP + noise * STEP**2
    facts = [*known, *step_facts(setting, STEP), short]
    yield "an epoch", plain_claim(left, right, facts)
    yield "short steps", plain_claim(UPPER * scale / index, sympy.Integer(1), given)
    yield "the end", plain_claim(zero, 2 * after, [Hypothesis("least loss", after)])

    grows = Hypothesis("logarithm", LOGARITHM + 1 / index - THEN)
    so_far = Hypothesis("sum of steps", SUM - scale * LOGARITHM)
    more = SUM + scale / index
    begin = [Hypothesis("logarithm", 1 / read.q - LOGARITHM), *given]
    yield "sum of steps, first", plain_claim(scale * LOGARITHM, read.first, begin)
    yield "sum of steps, one more", plain_claim(scale * THEN, more, [grows, so_far, *given])
    start, step = 1 / read.q**2, 1 / index**2
    least = start + 1 / (read.q + HALF)
    one, now, then = (least - 1 / (i - HALF) for i in (read.q + 1, index, index + 1))
    yield "sum of squares, first", plain_claim(start, one, [])
    yield "sum of squares, one more", plain_claim(step + now, then, [])
    yield "sum of squares, any", plain_claim(now, least, [])

    first = Hypothesis("sum of steps", SUM - scale * LOGARITHM)
    most = Hypothesis("sum of squares", scale**2 * least - SQUARES)
    rate = Hypothesis("least loss", value_at(0))
    begun, spent = value_at(0) / (scale * LOGARITHM), scale * least / LOGARITHM
    yield "start over steps", plain_claim(value_at(0) / SUM, begun, [first, rate, *given])
    yield "squares over steps", plain_claim(SQUARES / SUM, spent, [first, most, *given])
    parts = 2 * value_at(0) / SUM + slope + noise * SQUARES / SUM
    last = [
        Hypothesis("all epochs", parts - AVERAGE),
        Hypothesis("start over steps", begun - value_at(0) / SUM),
        Hypothesis("squares over steps", spent - SQUARES / SUM),
    ]
    yield "the average", plain_claim(AVERAGE, read.right, [*last, rate, *given])
