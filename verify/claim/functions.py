r"""Classes of functions: smooth, convex, strongly convex or PL losses, met at finitely many points.

Classes without smoothness are in :mod:`verify.claim.rough`, those of sums of functions of one
variable in :mod:`verify.claim.sums`, operators in :mod:`verify.claim.operators`.

A claim about a class is a claim about what a method can meet in it: points, gradients and values
that satisfy the interpolation conditions. The families here do not search these data under those
conditions but the parabolas that stand for them (:mod:`synthetic.parabolas`): every choice of
parameters is an explicit function of the class, the method runs on it, and no member of the class
can do worse than the hull through what the method meets there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from bounds import generic as xp
from bounds.interpolation import (
    interpolation_margin,
    lower_bound_margin,
    polyak_lojasiewicz_margin,
)
from bounds.numbers.validate import require
from verify.claim.hypothesis import Hypothesis
from verify.claim.instance import Instance
from verify.claim.own_class import own_class
from verify.claim.parameters import Family, Real, Shape
from verify.claim.rough import ROUGH, rough
from verify.claim.sums import SUMS, sums

if TYPE_CHECKING:
    from verify.world.world import World

CLASSES = ("smooth", "smooth convex", "smooth strongly convex", "smooth PL")
"""Curvature between -L and L, 0 and L, m and L; the last: between -L and L, and the inequality
|grad R|^2 >= 2 mu (R - min R) with the best mu, which is derived."""

DENOMINATOR = 1000
"""Largest one of the fractions that floats are taken for (no unit)."""

NOISE_BOX: dict[str, Real] = {
    "sigma": Real(1 / 8, 8, unit=(1, -1), log=True, per=("N",)),
    "noise_share": Real(0, 1, per=("N",), domain=(0, 1)),
    "skew": Real(1 / 8, 8, log=True, per=("N",)),
}
"""Claimed and actual noise, and the skewness of its two-point law."""


def functions(
    kind: str = "",
    *,
    interpolation: str = "",
    step: str = "",
    points: int | Sequence[int] | None = None,
    dimensions: int | Sequence[int] = 1,
    rounds: int | Sequence[int] = 1,
    clients: int | Sequence[int] = 1,
    method: str = "local",
    noise: bool = False,
    extra: Mapping[str, Real] | None = None,
    constants: Mapping[str, Any] | None = None,
    exponents: float | Fraction | Sequence[float | Fraction] = Fraction(1, 2),
    about: str = "",
) -> Family:
    """Family of all functions of a class, as a method meets them.

    Parameters
    ----------
    kind : str
        One of :data:`CLASSES`, of :data:`verify.claim.rough.ROUGH`, or of
        :data:`verify.claim.sums.SUMS`.
    interpolation : str
        In place of a kind, the inequality of a class of one's own in one line: see
        :mod:`verify.claim.own_class`, which has its sides' names too.
    step : str
        With `interpolation` alone: the step of the method, ``x - h*g`` say.
    points : int or sequence of int, optional
        Points at which a loss is free, beside its minimiser; by default rounds + 1, all that a
        method with one gradient per round meets. Of sums the bends of each function on either side.
    dimensions, rounds, clients : int or sequence of int
        Shapes to search, small ones first. PL losses are all there are in one dimension; where
        others are listed, sums of functions of one variable.
    method : str
        Of :mod:`algorithms`; ``local`` is gradient descent on the followed client's own loss.
    noise : bool
        Two-point noise of every client, as in the family of quadratics.
    extra : mapping of str to Real
        Further parameters (step_share, ...).
    constants : mapping, optional
        Constants of the method (weights, local_steps, ...).
    exponents : number or sequence of numbers
        Of Hoelder-smooth losses: nu, in (0, 1].
    about : str
        What to say of the scope.

    Returns
    -------
    Family
        Sides read ``w.beta`` (L), ``w.mu`` (strong convexity; of PL losses the PL constant),
        ``w.start``, ``w.run()`` and, with :func:`verify.world.visited.visited`, points, gradients
        and values. Each client's minimum is 0, at ``w.problem.optimum``. Losses that need not be
        smooth have ``w.lipschitz`` or ``w.bend``, one per client, in place of L; constants of sums
        are listed in :mod:`verify.claim.sums`.

    Raises
    ------
    InvalidInput
        Where the kind is unknown (the message lists all), or has no noise, or an exponent is none.

    Notes
    -----
    With as many points as a method meets nothing is missed that d dimensions can show; where steps
    are combinations of K gradients, K + 1 dimensions show all. Heterogeneity constants of A3 are
    valid bounds, not the best ones, so claims that rest on them are tested less sharply than on
    quadratics.

    Examples
    --------
    >>> family = functions("smooth convex", rounds=(1, 2))
    >>> [shape["points"] for shape in family.shapes]
    [2, 3]
    """
    if interpolation:
        require(not kind, "kind", "left out beside interpolation", kind, "drop one of the two")
        sizes = {"dimensions": _listed(dimensions), "rounds": _listed(rounds)}
        return own_class(interpolation, step=step, extra=extra, about=about, **sizes)
    known = tuple(dict.fromkeys((*CLASSES, *ROUGH, *SUMS)))
    require(not step, "step", "left out for a class by name", step, "name the method")
    require(kind in known, "kind", f"one of {known}", kind, "choose one")
    shapes = class_shapes(points, dimensions, rounds, clients, method, constants)
    if kind in SUMS and not (kind in CLASSES and _listed(dimensions) == (1,)):
        if kind == "Hoelder-smooth":
            shapes = tuple({**s, "exponent": nu} for s in shapes for nu in _exponents(exponents))
        return sums(kind, shapes, NOISE_BOX if noise else {}, extra or {}, about)
    if kind in ROUGH:
        require(not noise, "noise", f"left out for the class {kind}", noise, "leave it out")
        return rough(kind, shapes, extra or {}, about)
    box = {
        "upper": Real(1 / 8, 8, unit=(1, -2), log=True, per=("N",)),
        "stride": Real(-4, 4, unit=(0, 1), per=("N", "points", "d")),
        "rise": Real(0, 3, per=("N", "points")),
        "approach": Real(-4, 4, unit=(0, 1), per=("d",)),
    }
    if kind == "smooth strongly convex":
        box["convexity"] = Real(1 / 16, 15 / 16, per=("N",), domain=(0, 1))
    if max(_listed(clients)) > 1:  # one client's minimiser is the origin
        box["optimum"] = Real(-2, 2, unit=(0, 1), per=("N", "d"))
    text = about or f"{kind} functions, explicit hulls of parabolas"
    noisy = NOISE_BOX if noise else {}
    whole = {**box, **noisy, **(extra or {})}
    return Family(whole, shapes, partial(_instance, kind), text, {"start": (0, 1)})


def class_shapes(
    points: int | Sequence[int] | None,
    dimensions: int | Sequence[int],
    rounds: int | Sequence[int],
    clients: int | Sequence[int],
    method: str,
    constants: Mapping[str, Any] | None,
) -> tuple[Shape, ...]:
    """Shapes of a class, for each combination of sizes; see :func:`functions`."""
    return tuple(
        {"N": n, "d": d, "points": p, "rounds": t, "method": method, **(constants or {})}
        for n in _listed(clients)
        for t in _listed(rounds)
        for d in _listed(dimensions)
        for p in (_listed(points) if points is not None else (t + 1,))
    )


def class_of(family: Family) -> str | None:
    """The class whose functions a family is, one of :data:`CLASSES`; None if it is no class."""
    build = family.build
    return build.args[0] if isinstance(build, partial) and build.func is _instance else None


def data_of(kind: str, *, where: str = "") -> tuple[Hypothesis, ...]:
    """Hypotheses that free numbers are what some function of a class says at some points.

    For deductions, where points, gradients and values are symbols and no function is at hand.
    Numbers that break such a claim become a function by :func:`synthetic.parabolas.through` (of
    the class smooth PL they need not: its conditions are necessary, not sufficient).

    Parameters
    ----------
    kind : str
        One of :data:`CLASSES`.
    where : str
        Where the class is assumed.

    Returns
    -------
    tuple of Hypothesis
        On ``w.points`` and ``w.gradients``, (B, R, K, d), ``w.values``, (B, R, K), ``w.upper``,
        for strongly convex functions ``w.lower``, for PL functions ``w.constant``. Values are
        those above the minimum, which the conditions include; a minimiser is a point like others.
    """
    require(kind in CLASSES, "kind", f"one of {CLASSES}", kind, "choose one")

    def between(w: World) -> Any:
        whole = kind in ("smooth", "smooth PL")
        strong = kind == "smooth strongly convex"
        lower = -w.upper if whole else w.lower if strong else 0 * w.upper
        return interpolation_margin(w.points, w.gradients, w.values, w.upper, lower)

    def above(w: World) -> Any:
        return lower_bound_margin(w.gradients, w.values, 0 * w.upper, w.upper)

    def steep(w: World) -> Any:
        return polyak_lojasiewicz_margin(w.gradients, w.values, 0 * w.upper, w.constant)

    found = [
        Hypothesis(
            f"{kind}: between points",
            r"f_i\ge f_j+\langle g_j,x_i-x_j\rangle+\ldots",
            between,
            where,
        ),
        Hypothesis(f"{kind}: above the minimum", r"f_i\ge\|g_i\|^2/(2L)", above, where),
    ]
    if kind == "smooth PL":
        found.append(Hypothesis("PL at the points", r"\|g_i\|^2\ge2\mu f_i", steep, where))
    return tuple(found)


NOT_PARAMS = (
    "upper",
    "stride",
    "rise",
    "approach",
    "convexity",
    "optimum",
    "sigma",
    "noise_share",
    "skew",
)
NOT_CONSTANTS = ("N", "d", "points", "method")


def function_data(kind: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Data of hulls from the entries of the box; the minimum of each client is 0, at its optimum.

    The parabola of the minimiser comes first. A convex loss has no lower point exactly where each
    height is at least m L |y - opt|^2 / (2 (L - m)), any loss where each is at least 0. The others
    are met by strides from one vertex to the next and, as their order is free, each is higher than
    the one before: by a multiple of the parabola over the stride, so that no number but L and the
    strides has a unit. (Of two parabolas over one vertex only the lower counts.)
    """
    upper, stride = values["upper"], values["stride"]
    convexity = values.get("convexity", 0 * upper)
    if kind in ("smooth", "smooth PL"):
        lower, bend = -upper, 0 * upper
    else:
        lower, bend = convexity * upper, convexity * upper / (2 * (1 - convexity))
    place, level = 0 * stride[..., 0, :], 0 * upper
    vertices, heights = [place], [level]
    for j in range(stride.shape[-2]):
        step = stride[..., j, :]
        place = place + step
        level = level + values["rise"][..., j] * upper * xp.squared_norm(step) / 2
        vertices.append(place)
        heights.append(level + bend * xp.squared_norm(place))
    vertex = xp.stack(vertices, -2)
    if "optimum" in values:
        vertex = vertex + values["optimum"][..., None, :]
    data = {
        "upper": upper,
        "lower": lower,
        "vertex": vertex,
        "height": xp.stack(heights, -1),
        "pl": kind == "smooth PL",
    }
    if "sigma" not in values:
        return {**data, "law": "none"}
    sigma = values["sigma"]
    actual = {"noise_scale": sigma * values["noise_share"], "skew": values["skew"]}
    return {**data, "sigma": sigma, **actual, "law": "two_point"}


def _instance(kind: str, values: Mapping[str, Any], shape: Shape) -> Instance:
    """A method on hulls of parabolas; what is no problem data is a parameter.

    The start is one more stride from the first client's last vertex: gradient descent with the
    step 1/L goes from vertex to vertex.
    """
    data = function_data(kind, values)
    params = {k: v for k, v in values.items() if k not in NOT_PARAMS}
    constants = {k: v for k, v in shape.items() if k not in NOT_CONSTANTS}
    start = data["vertex"][..., 0, -1, :] + values["approach"]
    return Instance("parabolas", data, shape["method"], {**params, "start": start, **constants})


def _listed(value: int | Sequence[int]) -> tuple[int, ...]:
    return tuple(value) if isinstance(value, Sequence) else (value,)


def _exponents(value: float | Fraction | Sequence[float | Fraction]) -> tuple[Fraction, ...]:
    """Numbers of (0, 1] as fractions; the float 1/3 is taken for the fraction."""
    found = tuple(map(_plain, value if isinstance(value, Sequence) else (value,)))
    fits = bool(found) and all(0 < nu <= 1 for nu in found)
    require(fits, "exponents", "in (0, 1]", found, "pass 1/2, or a sequence of such numbers")
    return found


def _plain(nu: float | Fraction) -> Fraction:
    """The fraction with a small denominator that a float is nearest to, if there is one."""
    near = Fraction(nu).limit_denominator(DENOMINATOR)
    return near if float(near) == float(nu) else Fraction(nu)
