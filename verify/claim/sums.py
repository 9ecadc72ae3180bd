r"""Classes of losses and operators whose members are put together from profiles.

An instance is an explicit loss or operator of the class (:mod:`synthetic.profiles`), whatever the
parameters are, in any dimension: a sum of functions of one variable along orthogonal directions. A
class has other members as well, so a claim that stands here stands for these sums. PL losses and
those of quadratic growth may be twisted besides (:mod:`synthetic.profiles.twist`). What sides read,
with shapes and units, f the loss of a client and f_* = 0 its minimum:

- "smooth PL": ``w.beta``, L, and ``w.mu``, (B, 1), loss / length^2, > 0, the largest mu with
  \|grad f\|^2 >= 2 mu (f - f_*) everywhere; of twisted losses a smaller one. Polyak, "Gradient
  methods for the minimisation of functionals" (1963); Karimi, Nutini, Schmidt, "Linear convergence
  of gradient and proximal-gradient methods under the Polyak-Lojasiewicz condition" (2016).
- "smooth quadratic growth", "smooth convex quadratic growth": ``w.beta``, and ``w.mu``, (B, 1),
  loss / length^2, > 0, the largest mu with f - f_* >= (mu / 2) dist^2, where dist is the distance
  to the nearest minimiser, ``w.problem.nearest(x)``. Anitescu, "Degenerate nonlinear programming
  with a quadratic growth condition" (2000). Without convexity there are other, higher minima.
- "smooth star-convex": ``w.beta``; f(x) + <grad f(x), m - x> <= f(m) for every x and every
  minimiser m. Nesterov, Polyak, "Cubic regularization of Newton method and its global performance"
  (2006).
- "(L0, L1)-smooth": ``w.L0`` and ``w.L1``, (B, 1, N), loss / length^2 and 1 / length, > 0, with
  \|Hessian f\| <= L0 + L1 \|grad f\| wherever there is a Hessian, gradients being continuous.
  Zhang, He, Sra, Jadbabaie, "Why gradient clipping accelerates training" (2020). What others define
  by gradients at two points is another class with these constants.
- "Hoelder-smooth": ``w.hoelder``, H, (B, 1, N), loss / length^(1 + nu), > 0, and ``w.exponent``,
  nu, (B, 1), in (0, 1], with \|grad f(x) - grad f(y)\| <= H \|x - y\|^nu. Nesterov, "Universal
  gradient methods for convex optimization problems" (2015).

Of the first three w.beta is a valid L: all curvatures lie in [-L, L], and some instances reach it.
``w.problem.optimum`` is one minimiser of each client, (B, 1, N, d); of the first three kinds there
may be many. Of the last two there may be local minima, ``w.beta`` and ``w.mu`` are refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from verify.claim.instance import Instance
from verify.claim.parameters import Family, Real, Shape

__all__ = ["OPERATORS", "SUMS", "data_names", "sums", "sums_class_of"]

SUMS = (
    "smooth PL",
    "smooth quadratic growth",
    "smooth convex quadratic growth",
    "smooth star-convex",
    "(L0, L1)-smooth",
    "Hoelder-smooth",
)
"""Losses, see :func:`verify.claim.functions.functions`."""

OPERATORS = ("cocoercive", "monotone")
"""Operators, see :func:`verify.claim.operators.operators`."""

RULES = dict(zip(SUMS[:4], ("pl", "growth", "convex growth", "star"), strict=True))
PLACES = {
    **dict.fromkeys(RULES, "profiles"),
    "(L0, L1)-smooth": "generalised_profiles",
    "Hoelder-smooth": "hoelder_profiles",
    "cocoercive": "cocoercive",
    "monotone": "monotone",
}

STIFF = Real(1 / 8, 8, unit=(1, -2), log=True, per=("N",))
TWIST = {
    "twist": Real(1 / 2, 3 / 2, per=("N",)),
    "reach": Real(1 / 4, 4, unit=(0, 1), log=True, per=("N",)),
}
"""Of 1 and more there is no twist, which is so for half of the range."""

CONSTANTS: dict[str, dict[str, Real]] = {
    **{kind: {"upper": STIFF} for kind in RULES},
    **{kind: {"upper": STIFF, **TWIST} for kind in ("smooth PL", "smooth quadratic growth")},
    "(L0, L1)-smooth": {
        "L0": STIFF,
        "L1": Real(1 / 8, 8, unit=(0, -1), log=True, per=("N",), domain=(0, float("inf"))),
    },
    "Hoelder-smooth": {
        "hoelder": STIFF,
        "level": Real(0, 4, unit=(0, 1), per=("N", "d")),
        "blend": Real(0, 1, per=("N", "d"), domain=(0, 1)),
        "share": Real(-1, 1, per=("N", "d")),
    },
    "cocoercive": {
        "cocoercivity": Real(1 / 8, 8, unit=(-1, 2), log=True, per=("N",)),
        "lean": Real(-1, 1, per=("N", "d")),
    },
    "monotone": {"upper": STIFF, "swirl": Real(-1, 1, per=("N",), domain=(-1, 1))},
}
NOT_PARAMS = ("optimum", "sigma", "noise_share", "skew")
NOT_CONSTANTS = ("N", "d", "points", "sides", "method", "exponent")


def sums(
    kind: str,
    shapes: tuple[Shape, ...],
    noise: Mapping[str, Real],
    extra: Mapping[str, Real],
    about: str,
) -> Family:
    """Family of the sums of profiles of a class.

    Parameters
    ----------
    kind : str
        One of :data:`SUMS` or :data:`OPERATORS`.
    shapes : tuple of mapping
        With N, d, points, rounds and method; of Hoelder-smooth losses exponent.
    noise, extra : mapping of str to Real
        Parameters of the noise, none of exact gradients; further parameters.
    about : str
        What to say of the scope.
    """
    each = ("N", "d", "sides")
    box = {
        **CONSTANTS[kind],
        "span": Real(1 / 8, 4, unit=(0, 1), log=True, per=(*each, "points")),
        "bend": Real(-2, 2, per=(*each, "points")),
        "tail": Real(1 / 16, 1, log=True, per=each),
        "turn": Real(-1, 1, per=("N", "d")),
        "start": Real(-4, 4, unit=(0, 1), per=("d",)),
    }
    if kind in OPERATORS:
        box["tail"] = Real(-1, 1, per=each, domain=(-1, 1))
    if any(shape["N"] > 1 for shape in shapes):  # one client's minimiser is the origin
        box["optimum"] = Real(-2, 2, unit=(0, 1), per=("N", "d"))
    wide = tuple({**shape, "sides": 2} for shape in shapes)
    what = f"{kind} functions that are sums of functions of one variable"
    text = about or (f"{kind} operators" if kind in OPERATORS else what)
    return Family({**box, **noise, **extra}, wide, partial(_instance, kind), text)


def sums_class_of(family: Family) -> str | None:
    """The class that a family has members of; None of any other family."""
    build = family.build
    return build.args[0] if isinstance(build, partial) and build.func is _instance else None


def data_names(kind: str) -> frozenset[str]:
    """Entries of the box of a class that are data of its problem, no parameters."""
    return frozenset((*CONSTANTS[kind], "span", "bend", "tail", "turn", *NOT_PARAMS))


def _instance(kind: str, values: Mapping[str, Any], shape: Shape) -> Instance:
    """A method on a sum of profiles, or an operator; what is no problem data is a parameter."""
    names = [*CONSTANTS[kind], "span", "bend", "tail", "turn"]
    data = {name: values[name] for name in names}
    origin = 0 * values["start"][..., None, :]
    data |= {"centre": values.get("optimum", origin), "law": "none"}
    if "sigma" in values:
        sigma = values["sigma"]
        data |= {"sigma": sigma, "skew": values["skew"], "law": "two_point"}
        data["noise_scale"] = sigma * values["noise_share"]
    units = {}
    if kind in RULES:
        data["rule"] = RULES[kind]
    elif kind == "Hoelder-smooth":
        nu = Fraction(shape["exponent"])
        like = values["hoelder"][..., 0]
        data["exponent"] = 0 * like + (nu if np.asarray(like).dtype == object else float(nu))
        units["hoelder"] = (1, float(-1 - nu))
    params = {k: v for k, v in values.items() if k not in (*names, *NOT_PARAMS)}
    constants = {k: v for k, v in shape.items() if k not in NOT_CONSTANTS}
    return Instance(PLACES[kind], data, shape["method"], {**params, **constants}, units)
