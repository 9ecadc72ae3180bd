r"""One step of weighted gradient averaging: its worst case over a whole class, as a programme.

Client i moves by :math:`x^+ = x - \eta\sum_k\alpha_k g_k`, with :math:`g_i = \nabla f_i(x)`, its
own loss of curvature between m and beta, :math:`f_i(x) - f_i^* \le F`, and the other clients'
gradients anywhere within :math:`\|g_k - g_i\|^2 \le b_k^2 + c_k\|g_i\|^2`.  The worst case of
:math:`f_i(x^+) - f_i^*` is a semidefinite programme in the inner products of
:math:`x, g_i, h = \nabla f_i(x^+) - g_i` and the errors :math:`d_k = g_k - g_i`.

**Collapse.** Only :math:`e = \sum_k\alpha_k d_k` enters the step.  For positive weights
:math:`w` of sum one, convexity of the squared norm gives

.. math:: \|e\|^2 \le \sum_k \frac{\alpha_k^2}{w_k}\|d_k\|^2
    \le \sum_k\frac{\alpha_k^2 b_k^2}{w_k} + \sum_k\frac{\alpha_k^2c_k}{w_k}\,\|g_i\|^2 ,

and every e that meets this for all w is a sum of admissible errors (equal directions, lengths
:math:`s_k = \sqrt{b_k^2 + c_k\|g_i\|^2}`, w proportional to :math:`\alpha_k s_k`).  So one error
vector replaces N of them.  With c = 0 a single w is enough: :math:`\|e\| \le \sum_k\alpha_k b_k`.

**Noise.** Independent additive noise of variance :math:`\sigma_k^2` in each gradient adds exactly
:math:`\eta^2\beta/2\sum_k\alpha_k^2\sigma_k^2`: no more by smoothness, no less since the worst
function may bend by beta along a direction of its own in which alone the noise acts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm, sqrt
from typing import Any

from bounds.numbers.validate import require
from verify.certify.checker import worst_case_claim
from verify.certify.gram.claim import GramCertificate, Premise, constant, value, vector
from verify.certify.gram.classes import interpolation, met, minimum
from verify.certify.gram.floats import Programme
from verify.certify.gram.solve import certificate, solve

ROUNDS, ENOUGH = 16, 1e-9
"""Tangents added at most, until |e|^2 is as short as errors can make it, relatively."""
PRECISION = 60
"""Bits of the largest term of a bound on |e|^2."""

__all__ = ["AveragingStep", "collapsed", "full", "settled", "tangents", "upper"]


@dataclass(frozen=True)
class AveragingStep:
    """A step of weighted gradient averaging, all numbers rational.

    Attributes
    ----------
    beta : Fraction
        Smoothness of the own loss, loss / length^2, above zero.
    mu : Fraction
        Its smallest curvature m: strong convexity; 0 for convex; -beta for smooth losses.
    step : Fraction
        eta, length^2 / loss, not negative.
    weights : tuple of Fraction
        alpha, not negative; that of the client itself first.
    bias : tuple of Fraction
        b_k of the others, loss / length.
    slope : tuple of Fraction
        c_k of the others, no unit.
    variance : tuple of Fraction
        sigma_k^2 of all clients in the order of the weights, loss^2 / length^2.
    start : Fraction
        F, bound on the own excess loss before the step.
    """

    beta: Fraction
    mu: Fraction
    step: Fraction
    weights: tuple[Fraction, ...]
    bias: tuple[Fraction, ...]
    slope: tuple[Fraction, ...]
    variance: tuple[Fraction, ...] = ()
    start: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        others = len(self.weights) - 1
        require(others >= 0, "weights", "one number at least", self.weights, "give the own weight")
        require(self.beta > 0, "beta", "above 0", self.beta, "raise it")
        require(
            -self.beta <= self.mu < self.beta,
            "mu",
            f"in [-beta, beta) = [{-self.beta}, {self.beta})",
            self.mu,
            "lower it, or raise beta",
        )
        require(self.step >= 0, "step", "at least 0", self.step, "raise it")
        require(self.start > 0, "start", "above 0", self.start, "raise it")
        for name, numbers in (
            ("weights", self.weights),
            ("b", self.bias),
            ("c", self.slope),
            ("sigma2", self.variance),
        ):
            require(
                all(q >= 0 for q in numbers),
                name,
                "nowhere negative",
                ", ".join(map(str, numbers)),
                "raise what is negative",
            )
        for name, numbers, count in (
            ("b", self.bias, others),
            ("c", self.slope, others),
            ("sigma2", self.variance or self.weights, others + 1),
        ):
            require(
                len(numbers) == count,
                name,
                f"{count} numbers, as weights has {others + 1}",
                f"{len(numbers)}",
                "give one per client",
            )

    @property
    def total(self) -> Fraction:
        """sum_k alpha_k."""
        return sum(self.weights, Fraction(0))

    @property
    def noise(self) -> Fraction:
        """What the noise adds to the worst case, eta^2 beta/2 sum_k alpha_k^2 sigma_k^2."""
        whole = sum(
            (a * a * v for a, v in zip(self.weights, self.variance, strict=False)), Fraction(0)
        )
        return self.step**2 * self.beta / 2 * whole

    def to_json(self) -> dict[str, Any]:
        """Rationals as "p/q"."""
        return {
            "kind": "averaging step",
            **{k: str(getattr(self, k)) for k in ("beta", "mu", "step", "start")},
            **{
                k: [str(q) for q in getattr(self, k)]
                for k in ("weights", "bias", "slope", "variance")
            },
        }

    @classmethod
    def from_json(cls, data: Any) -> AveragingStep:
        """The step of `to_json`."""
        one = {k: Fraction(data[k]) for k in ("beta", "mu", "step", "start")}
        many = {
            k: tuple(Fraction(q) for q in data[k]) for k in ("weights", "bias", "slope", "variance")
        }
        return cls(one["beta"], one["mu"], one["step"], **many, start=one["start"])


def full(step: AveragingStep) -> Programme:
    """The programme with one error vector per other client."""
    errors = [f"d{k + 1}" for k in range(len(step.bias))]
    move = vector("g") * step.total
    for name, weight in zip(errors, step.weights[1:], strict=True):
        move = move + vector(name) * weight
    square = vector("g").square()
    bounds = [
        Premise(
            f"|{name}|^2", constant(b * b) + square * c - vector(name).square(), rule={"client": k}
        )
        for k, (name, b, c) in enumerate(zip(errors, step.bias, step.slope, strict=True), 1)
    ]
    sizes = {e: float(b) for e, b in zip(errors, step.bias, strict=True)}
    return _programme(step, move, bounds, sizes)


def collapsed(step: AveragingStep, tangents: Sequence[Sequence[int]]) -> Programme:
    """The programme with one error vector for all, under one bound per vector of shares.

    Parameters
    ----------
    step : AveragingStep
    tangents : sequence of sequences of int
        Numerators of the w_k of the others; zero only where alpha_k, or both b_k and c_k, are.
    """
    bounds = [aggregate(step, shares, number) for number, shares in enumerate(tangents, 1)]
    return _under(step, bounds)


def _under(step: AveragingStep, bounds: Sequence[Premise]) -> Programme:
    """The programme with one error vector under these bounds."""
    if not any(_present(step)):
        return _programme(step, vector("g") * step.total, [], {})
    size = max(float(p.form.terms.get((), Fraction(0))) for p in bounds)
    move = vector("g") * step.total + vector("e")
    return _programme(step, move, bounds, {"e": sqrt(size)})


def aggregate(step: AveragingStep, shares: Sequence[int], number: int = 1) -> Premise:
    """|e|^2 <= sum_k alpha_k^2 (b_k^2 + c_k |g|^2)/w_k for the shares w_k.

    Each term is rounded up to a unit that is noted: the terms have denominators of their own, of
    which an exact sum would gather thousands of digits.
    """
    offset, offset_unit = _mixed(step, shares, [b * b for b in step.bias])
    slope, slope_unit = _mixed(step, shares, step.slope)
    form = constant(offset) + vector("g").square() * slope - vector("e").square()
    rule = {"shares": list(shares), "units": [str(offset_unit), str(slope_unit)]}
    return Premise(f"|e|^2, bound {number}", form, rule={"error": rule})


def upper(step: AveragingStep) -> GramCertificate:
    """A certified upper bound of the worst case without noise, from the collapsed programme.

    Raises
    ------
    NoSolution
        With the reason.
    """
    found = certificate(settled(step), "", problem=step.to_json())
    return replace(found, claim=worst_case_claim(found.problem, str(found.bound)))


def tangents(step: AveragingStep) -> list[list[int]]:
    """Shares that settle the collapsed programme: those of the worst |g|^2, found in turn."""
    rules = [p.rule["error"]["shares"] for p in settled(step).premises if "error" in p.rule]
    return [list(shares) for shares in rules]


def settled(step: AveragingStep) -> Programme:
    """The collapsed programme under as many bounds on e as settle it."""
    level = 2 * float(step.beta * step.start)
    if not any(_present(step)):
        return _under(step, [])
    bounds = [aggregate(step, _shares(step, level))]
    programme = _under(step, bounds)
    if not any(step.slope) or not any(step.bias):
        return programme  # one bound is exact, or all are equal
    for number in range(2, ROUNDS + 2):
        gram = solve(programme).gram
        e, g = (programme.vectors.index(name) for name in ("e", "g"))
        squared = max(float(gram[g, g]), level * 1e-9)
        if gram[e, e] <= _longest(step, squared) ** 2 * (1 + ENOUGH):
            break
        bounds.append(aggregate(step, _shares(step, squared), number))
        programme = _under(step, bounds)
    return programme


# -- private helpers -------------------------------------------------------------------------------


def _programme(
    step: AveragingStep, move: Any, bounds: Sequence[Premise], sizes: dict[str, float]
) -> Programme:
    # the gradient at x+ is g + h: of a short step the difference h is what has digits
    before = met("x", vector("x"), vector("g"), "f(x)")
    after = met("x+", vector("x") - move * step.step, vector("g") + vector("h"), "f(x+)")
    points = [before, after] if step.mu < 0 else [minimum(), before, after]
    premises = [
        Premise("start", constant(step.start) - value("f(x)"), rule={"start": str(step.start)}),
        *bounds,
        *interpolation(points, step.mu, step.beta),
    ]
    start, beta = float(step.start), float(step.beta)
    slope = sqrt(start * beta)
    turn = slope * min(max(float(step.step * step.total) * beta, 1e-6), 1.0)
    known = {"f(x)": start, "f(x+)": start, "g": slope, "h": turn, "x": sqrt(start / beta)}
    sizes = {name: max(size, slope / 8) for name, size in sizes.items()}
    return Programme(value("f(x+)"), tuple(premises), {**known, **sizes})


def _present(step: AveragingStep) -> list[bool]:
    """Which of the others can disturb the step."""
    return [
        bool(a and (b or c))
        for a, b, c in zip(step.weights[1:], step.bias, step.slope, strict=True)
    ]


def _longest(step: AveragingStep, squared: float) -> float:
    """sum_k alpha_k s_k, the longest e where |g|^2 has this value."""
    return sum(
        float(a) * sqrt(float(b) ** 2 + float(c) * squared)
        for a, b, c in zip(step.weights[1:], step.bias, step.slope, strict=True)
    )


def _shares(step: AveragingStep, squared: float) -> list[int]:
    """Numerators of the best w_k where |g|^2 has this value: exact where no root is needed."""
    here = _present(step)
    if not any(step.slope):
        lengths = [a * b for a, b in zip(step.weights[1:], step.bias, strict=True)]
    elif not any(step.bias) and len({c for c, h in zip(step.slope, here, strict=True) if h}) == 1:
        lengths = [a if h else Fraction(0) for a, h in zip(step.weights[1:], here, strict=True)]
    else:
        rough = [
            float(a) * sqrt(float(b) ** 2 + float(c) * squared) if h else 0.0
            for a, b, c, h in zip(step.weights[1:], step.bias, step.slope, here, strict=True)
        ]
        unit = 2.0**30 / max(rough)
        return [max(1, round(q * unit)) if h else 0 for q, h in zip(rough, here, strict=True)]
    common = lcm(*(q.denominator for q in lengths))
    return [int(q * common) for q in lengths]


def _mixed(
    step: AveragingStep, shares: Sequence[int], numbers: Sequence[Fraction]
) -> tuple[Fraction, Fraction]:
    """sum_k alpha_k^2 numbers_k/w_k, each term rounded up to a unit, and the unit."""
    weights, by = _whole(step.weights[1:])
    counts, under = _whole(numbers)
    whole, base = sum(shares), by * by * under
    terms = [(a * a * q * whole, n) for a, q, n in zip(weights, counts, shares, strict=True) if n]
    largest = max((over // n for over, n in terms), default=0)
    shift = max(0, PRECISION - largest.bit_length())
    total = sum(-(-(over << shift) // n) for over, n in terms)
    return Fraction(total, base << shift), Fraction(1, base << shift)


def _whole(numbers: Sequence[Fraction]) -> tuple[list[int], int]:
    """Numerators over the common denominator."""
    common = lcm(*(q.denominator for q in numbers))
    return [q.numerator * (common // q.denominator) for q in numbers], common
