r"""An explicit function and explicit gradients that attain almost the worst case of a step.

The programme of a class that is smaller by a hair (curvatures, b and c shrunk by the factor
1 - delta) has a maximising Gram matrix; its factor gives points and gradients, rounded to rationals
they still lie strictly inside the larger class, and whether they do is checked exactly.  The
function is the hull of parabolas through them (:mod:`synthetic.parabolas`): the step is replayed
on it in rational arithmetic, and the excess loss that it ends with is the attained value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product as pairs
from math import sqrt
from typing import Any

import numpy as np

from verify.certify.gram.claim import Form, Premise
from verify.certify.gram.floats import Array, NoSolution, Programme
from verify.certify.gram.solve import solve
from verify.certify.worst_case.step import AveragingStep, collapsed, settled

SHRINKS = tuple(Fraction(n, 10**8) for n in (2, 6, 20, 60, 200, 2000))
"""delta, tried in this order."""
CUTS = (1e-7, 1e-10)
"""Eigenvalues of the Gram matrix below this share of the largest are dropped."""
GRID = 2**44
"""Coordinates are multiples of the size of their vector over this number."""

__all__ = ["WorstInstance", "attained", "replayed"]

Coordinates = tuple[Fraction, ...]


@dataclass(frozen=True)
class WorstInstance:
    """Points, gradients and values of the own loss, and the gradient of every client at x.

    Attributes
    ----------
    step : AveragingStep
    points, gradients : tuple of tuples of Fraction, (P, d)
        The hull's data: where there is one the minimiser, then x and x+; of a loss that need not
        be convex x, x+ and a far minimiser.
    values : tuple of Fraction, (P,)
    client_gradients : tuple of tuples of Fraction, (N, d)
        At x, the own one first.
    value : Fraction
        f(x+) - min f.
    """

    step: AveragingStep
    points: tuple[Coordinates, ...]
    gradients: tuple[Coordinates, ...]
    values: tuple[Fraction, ...]
    client_gradients: tuple[Coordinates, ...]
    value: Fraction

    def to_json(self) -> dict[str, Any]:
        """Rationals as "p/q"."""

        def rows(table: tuple[Coordinates, ...]) -> list[list[str]]:
            return [[str(q) for q in row] for row in table]

        return {
            "points": rows(self.points),
            "gradients": rows(self.gradients),
            "values": [str(q) for q in self.values],
            "client_gradients": rows(self.client_gradients),
            "value": str(self.value),
        }


def attained(step: AveragingStep) -> WorstInstance:
    """The instance with the largest value that passes the exact checks.

    Raises
    ------
    NoSolution
        With the reason.
    """
    found = [one for one in _quadratics(step) if _stands(one)]
    wrong = "nothing was found"
    for shrink, cut in pairs(SHRINKS, CUTS):
        try:
            one = _instance(step, shrink, cut)
            if one.value == replayed(one):
                found.append(one)
                break
        except NoSolution as error:
            wrong = str(error)
    if not found:
        raise NoSolution(f"no instance that attains the bound: {wrong}")
    return max(found, key=lambda one: one.value)


def replayed(instance: WorstInstance) -> Fraction:
    """f(x+) - min f of the explicit function after the step that the client gradients make.

    Everything is evaluated anew and in rational arithmetic: the loss and its gradient by the hull,
    the conditions on the other clients at x, the step, the loss at its end, and the minimum.

    Raises
    ------
    NoSolution
        If the instance breaks a condition of the class.
    """
    from synthetic.parabolas import ParabolaHull, through

    step = instance.step
    exact = [
        np.array(t, dtype=object) for t in (instance.points, instance.gradients, instance.values)
    ]
    curvatures = [np.array([q], dtype=object) for q in (step.beta, step.mu)]
    hull = ParabolaHull(through(*(t[None] for t in exact), *curvatures))
    x = exact[0][0 if step.mu < 0 else 1]
    sent = np.array(instance.client_gradients, dtype=object)
    own = hull.gradients(x)[0]
    if list(own) != list(sent[0]) or hull.excess(x)[0] > step.start:
        raise NoSolution("the function has another gradient at x, or starts too high")
    room = own @ own
    for error, b, c in zip(sent[1:] - own, step.bias, step.slope, strict=True):
        if error @ error > b * b + c * room:
            raise NoSolution("a client's gradient is too far from the own one")
    end = x - step.step * (np.array(step.weights, dtype=object) @ sent)
    return Fraction(hull.excess(end)[0])


def _stands(instance: WorstInstance) -> bool:
    """Whether the value is what the replay gives."""
    try:
        return instance.value == replayed(instance)
    except NoSolution:
        return False


def _quadratics(step: AveragingStep) -> Iterator[WorstInstance]:
    """Parabolas on a line with errors that push on, exact members of the class.

    What the solver's ten digits blur where curvatures and steps differ by orders of magnitude.
    """
    zero, one = (np.array([Fraction(q)], dtype=object) for q in (0, 1))
    for curvature in sorted({step.mu, step.beta}):
        if curvature <= 0:
            continue
        x = one * Fraction(sqrt(2 * float(step.start / curvature)))
        while curvature * (x @ x) > 2 * step.start:
            x = x * (1 - Fraction(1, 2**50))
        g = curvature * x
        for sign in (1, -1):
            errors = [sign * one * length for length in _lengths(step, g)]
            end = _end(step, x, g, errors)
            values = [curvature * (q @ q) / 2 for q in (x, end)]
            yield _made(step, (x, end), (g, curvature * end), values, errors, zero)
    if step.mu < 0:  # from a point of rest at the highest start; the minimum is far away
        errors = [one * length for length in _lengths(step, zero)]
        end = _end(step, zero, zero, errors)
        values = [step.start, step.start + step.beta * (end @ end) / 2]
        yield _made(step, (zero, end), (zero, step.beta * end), values, errors, _far(step, zero))


def _end(step: AveragingStep, x: Array, g: Array, errors: Sequence[Array]) -> Array:
    """x+."""
    e = sum((a * d for a, d in zip(step.weights[1:], errors, strict=True)), 0 * g)
    end: Array = x - step.step * (step.total * g + e)
    return end


def _far(step: AveragingStep, x: Array) -> Array:
    """A place so far away that the loss can fall to its minimum on the way."""
    away = 0 * x
    away[0] = Fraction(64 + round(64 * sqrt(float(step.start / step.beta))))
    place: Array = x + away
    return place


def _made(
    step: AveragingStep,
    points: Sequence[Array],
    gradients: Sequence[Array],
    values: Sequence[Fraction],
    errors: Sequence[Array],
    minimiser: Array,
) -> WorstInstance:
    """The record, with the minimiser before or behind x and x+, all numbers rational."""
    g, rest, zero = gradients[0], 0 * gradients[0], Fraction(0)
    if step.mu < 0:
        points, gradients, levels = (*points, minimiser), (*gradients, rest), (*values, zero)
    else:
        points, gradients, levels = (minimiser, *points), (rest, *gradients), (zero, *values)
    return WorstInstance(
        step,
        _rows(points),
        _rows(gradients),
        levels,
        _rows([g, *(g + d for d in errors)]),
        values[1],
    )


def _rows(table: Sequence[Array]) -> tuple[Coordinates, ...]:
    return tuple(tuple(map(Fraction, row)) for row in table)


def _instance(step: AveragingStep, shrink: Fraction, cut: float) -> WorstInstance:
    """One try with the solver's vectors."""
    near = _smaller(step, shrink)
    programme = settled(near)
    found = solve(programme)
    vectors = _factor(programme, found.gram, cut)
    width = len(next(iter(vectors.values())))
    x, g, turn, e = (
        vectors.get(name, np.array([Fraction(0)] * width, dtype=object))
        for name in ("x", "g", "h", "e")
    )
    errors = _errors(step, _lengths(near, g), e)
    e = sum((a * d for a, d in zip(step.weights[1:], errors, strict=True)), 0 * g)
    vectors = {"x": x, "g": g, "h": turn, "e": e}
    start = min(step.start, Fraction(round(found.values[("f(x)",)] * GRID), GRID))
    value = _last(_bare(step), vectors, start)
    far = _far(step, x) if step.mu < 0 else 0 * x
    end = _end(step, x, g, errors)
    return _made(step, (x, end), (g, g + turn), (start, value), errors, far)


def _smaller(step: AveragingStep, shrink: Fraction) -> AveragingStep:
    """The step for a class inside."""
    less = 1 - shrink
    mu = step.mu * less if step.mu < 0 else max(step.mu, step.beta * shrink) * (1 + shrink)
    bias, slope = (tuple(q * less for q in t) for t in (step.bias, step.slope))
    return replace(step, beta=step.beta * less, mu=mu, bias=bias, slope=slope)


def _bare(step: AveragingStep) -> Programme:
    """The programme of the step itself, without its bounds on e: these are checked one by one."""
    whole = collapsed(step, [[1] * len(step.bias)])
    return replace(whole, premises=tuple(p for p in whole.premises if "error" not in p.rule))


def _factor(programme: Programme, gram: Array, cut: float) -> dict[str, Array]:
    """Rational vectors with about this Gram matrix, in as few dimensions as the cut leaves."""
    sizes = np.array([programme.sizes.get(a, 1.0) for a in programme.vectors])
    own = np.sqrt(np.maximum(np.diag(gram), 0.0))
    present = own > sqrt(cut) * sizes
    if not present.any():
        return {name: np.array([Fraction(0)], dtype=object) for name in programme.vectors}
    scale = np.where(present, own, 1.0)
    values, axes = np.linalg.eigh((gram / np.outer(scale, scale))[np.ix_(present, present)])
    kept = values > cut
    table = np.zeros((len(sizes), int(kept.sum())))
    table[present] = axes[:, kept] * np.sqrt(values[kept]) * scale[present, None]
    return {
        name: np.array(
            [size * Fraction(round(Fraction(float(q)) / size * GRID), GRID) for q in row],
            dtype=object,
        )
        for name, row, size in zip(programme.vectors, table, map(Fraction, sizes), strict=True)
    }


def _lengths(step: AveragingStep, g: Array) -> list[Fraction]:
    """The longest error of each other client, a little less than what is allowed."""
    room = float(g @ g)
    return [
        Fraction(sqrt(float(b) ** 2 + float(c) * room)) * (1 - Fraction(1, 2**50))
        if a
        else Fraction(0)
        for a, b, c in zip(step.weights[1:], step.bias, step.slope, strict=True)
    ]


def _errors(step: AveragingStep, lengths: Sequence[Fraction], e: Array) -> list[Array]:
    """The others' errors: along e, in the ratio of the lengths, their weighted sum at most e."""
    whole = sum((a * r for a, r in zip(step.weights[1:], lengths, strict=True)), Fraction(0))
    longest = max(whole, Fraction(sqrt(float(e @ e))))
    if not longest:
        return [0 * e for _ in lengths]
    return [e * Fraction(r * GRID // longest, GRID) for r in lengths]


def _last(programme: Programme, vectors: Mapping[str, Array], start: Fraction) -> Fraction:
    """The largest f(x+) that the conditions leave, once everything else is fixed."""
    upper: list[Fraction] = []
    rest: list[tuple[Fraction, Fraction]] = []
    for premise in programme.premises:
        free, weight = _valued(premise, vectors, start)
        if weight < 0:
            upper.append(free / -weight)
        else:
            rest.append((free, weight))
    value = min(upper)
    if any(free + weight * value < 0 for free, weight in rest):
        raise NoSolution("rounded data leave the class")
    return value


def _valued(
    premise: Premise, vectors: Mapping[str, Array], start: Fraction
) -> tuple[Fraction, Fraction]:
    """A premise with its vectors and f(x) filled in: what is left, and the factor of f(x+)."""
    form: Form = premise.form
    total, weight = Fraction(0), Fraction(0)
    for key, q in form.terms.items():
        if key == ("f(x+)",):
            weight = q
        elif len(key) == 2:
            product: Any = vectors[key[0]] @ vectors[key[1]]
            total += q * product
        else:
            total += q * (start if key else 1)
    return total, weight
