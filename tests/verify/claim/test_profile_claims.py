"""A known theorem of each class of profiles stands, and falls where a constant is smaller."""

from __future__ import annotations

from typing import Any

import pytest

from bounds import generic as xp
from tests.verify.cases import leaf_of
from verify import Hypothesis, Real, check, functions, operators, statement, visited, walked

STEP = {"h": Real(1 / 8, 8, unit=(-1, 2), log=True)}
POINT = {"other": Real(-4, 4, unit=(0, 1), per=("d",))}
INVERSE = {"step_size": lambda w: 1 / w.beta}
BOTH = (1, 2)


def excess(w: Any, t: int) -> Any:
    return visited(w).excess[..., t, 0]


def away(w: Any, t: int) -> Any:
    """Squared distance of a point of the run to the nearest minimiser."""
    x = visited(w).points[..., t, :]
    return xp.squared_norm(x - w.problem.nearest(x)[..., 0, :])


def towards(w: Any) -> Any:
    """The part of <g, x - m> that is negative, against nothing; m is the optimum."""
    x = w.start
    slope = w.problem.gradients(x)[..., 0, :]
    along = xp.dot(slope, x - w.problem.optimum[..., 0, :])
    return {"away": xp.positive_part(-along)}, {"nothing": 0 * along}


# -- smooth PL ---------------------------------------------------------------------------


@statement(
    "profiles.pl",
    where="Karimi, Nutini, Schmidt (2016), Theorem 1",
    latex=r"f(x_2)-f_*\le(1-\mu/L)^2(f(x_0)-f_*)",
    family=functions("smooth PL", dimensions=BOTH, rounds=2),
    defines=INVERSE,
)
def pl(w: Any) -> Any:
    return {"after": excess(w, 2)}, {"before": (1 - w.mu / w.beta) ** 2 * excess(w, 0)}


@pl.like("profiles.pl.faster", latex=r"\ldots(1-\mu/L)^5\ldots")
def pl_sooner(w: Any) -> Any:
    return {"after": excess(w, 2)}, {"before": (1 - w.mu / w.beta) ** 5 * excess(w, 0)}


@pl.like("profiles.pl.nearer", latex=r"\operatorname{dist}(x_1)\le\operatorname{dist}(x_0)")
def pl_nearer(w: Any) -> Any:
    """True of sums; of functions that are twisted it is not."""
    return {"after": away(w, 1)}, {"before": away(w, 0)}


@statement(
    "profiles.pl.growth",
    where="Karimi, Nutini, Schmidt (2016), Theorem 2",
    latex=r"f(x)-f_*\ge\tfrac\mu2\operatorname{dist}^2",
    family=functions("smooth PL", dimensions=2),
    defines=INVERSE,
)
def pl_growth(w: Any) -> Any:
    return {"growth": w.mu / 2 * away(w, 0)}, {"excess": excess(w, 0)}


@pl_growth.like("profiles.pl.growth.faster", latex=r"f(x)-f_*\ge\mu\,\operatorname{dist}^2")
def pl_faster(w: Any) -> Any:
    return {"growth": w.mu * away(w, 0)}, {"excess": excess(w, 0)}


# -- quadratic growth --------------------------------------------------------------------


@statement(
    "profiles.growth",
    where="Karimi, Nutini, Schmidt (2016), Section 2",
    latex=r"\tfrac\mu2\operatorname{dist}^2\le f(x)-f_*",
    family=functions("smooth quadratic growth", dimensions=BOTH),
    defines=INVERSE,
)
def growth(w: Any) -> Any:
    return {"growth": w.mu / 2 * away(w, 0)}, {"excess": excess(w, 0)}


@growth.like("profiles.growth.descends", latex=r"f(x_1)-f_*\le(1-\mu/4L)(f(x_0)-f_*)")
def growth_descends(w: Any) -> Any:
    return {"after": excess(w, 1)}, {"before": (1 - w.mu / (4 * w.beta)) * excess(w, 0)}


@growth_descends.like(
    "profiles.growth.convex",
    latex=r"f(x_1)-f_*\le(1-\mu/4L)(f(x_0)-f_*)",
    family=functions("smooth convex quadratic growth", dimensions=BOTH),
)
def growth_convex(w: Any) -> Any:
    return growth_descends(w)


@growth_convex.like("profiles.growth.convex.faster", latex=r"\ldots(1-\mu/L)^2\ldots")
def growth_faster(w: Any) -> Any:
    return {"after": excess(w, 1)}, {"before": (1 - w.mu / w.beta) ** 2 * excess(w, 0)}


@growth.like(
    "profiles.growth.towards", latex=r"\tfrac\mu4\|x-x_p\|^2\le\langle\nabla f(x),x-x_p\rangle"
)
def growth_towards(w: Any) -> Any:
    """What holds of convex losses, and falls where there are other minima."""
    gap = w.start - w.problem.nearest(w.start)[..., 0, :]
    along = xp.dot(w.problem.gradients(w.start)[..., 0, :], gap)
    return {"growth": w.mu / 4 * xp.squared_norm(gap)}, {"along": along}


# -- star-convex -------------------------------------------------------------------------


@statement(
    "profiles.star",
    where="the textbook proof for convex losses, which needs no more",
    latex=r"f(x_2)-f_*\le L\|x_0-x_*\|^2/4",
    family=functions("smooth star-convex", dimensions=BOTH, rounds=2),
    defines=INVERSE,
)
def star(w: Any) -> Any:
    return {"excess": excess(w, 2)}, {"bound": w.beta * away(w, 0) / 4}


@star.like("profiles.star.convex", latex=r"f(x_2)-f_*\le L\|x_0-x_*\|^2/10")
def star_convex(w: Any) -> Any:
    """What holds of convex losses."""
    return {"excess": excess(w, 2)}, {"bound": w.beta * away(w, 0) / 10}


# -- (L0, L1)-smooth ---------------------------------------------------------------------


def lemma(w: Any, factor: Any) -> Any:
    """f(y) - f(x) - <g, y - x> and (L0 + L1 |g|) |y - x|^2 / 2 where L1 |y - x| <= 1."""
    step = w.other - w.start
    slope = w.problem.gradients(w.start)[..., 0, :]
    steep = w.L0[..., 0] + w.L1[..., 0] * xp.sqrt(xp.squared_norm(slope))
    left = {"at the other": w.problem.losses(w.other)[..., 0]}
    return left, {
        "here": w.problem.losses(w.start)[..., 0],
        "plane": xp.dot(slope, step),
        "bend": factor * steep * xp.squared_norm(step) / 2,
    }


NEAR = Hypothesis(
    "near",
    r"L_1\|y-x\|\le1",
    lambda w: 1 - w.L1[..., 0] ** 2 * xp.squared_norm(w.other - w.start),
    where="Lemma",
)


@statement(
    "profiles.generalised",
    where="Zhang, He, Sra, Jadbabaie (2020), Definition 1 and Gronwall's inequality",
    latex=r"f(y)\le f(x)+\langle g,y-x\rangle+\tfrac{e-1}2(L_0+L_1\|g\|)\|y-x\|^2",
    family=functions("(L0, L1)-smooth", dimensions=BOTH, extra=POINT),
    given=[NEAR],
)
def generalised(w: Any) -> Any:
    return lemma(w, xp.exp(w.array(1)) - 1)


@generalised.like("profiles.generalised.half", latex=r"\ldots+\tfrac12(L_0+L_1\|g\|)\ldots")
def generalised_half(w: Any) -> Any:
    return lemma(w, 1)


@statement(
    "profiles.generalised.towards",
    where="nowhere",
    latex=r"\langle g,x-x_*\rangle\ge0",
    family=functions("(L0, L1)-smooth", dimensions=BOTH),
)
def generalised_towards(w: Any) -> Any:
    return towards(w)


# -- Hoelder-smooth ----------------------------------------------------------------------


def weak_lemma(w: Any, factor: Any) -> Any:
    step, power = w.other - w.start, 1 + w.exponent
    slope = w.problem.gradients(w.start)[..., 0, :]
    far = xp.power(xp.squared_norm(step), power / 2)
    return {"at the other": w.problem.losses(w.other)[..., 0]}, {
        "here": w.problem.losses(w.start)[..., 0],
        "plane": xp.dot(slope, step),
        "bend": factor * w.hoelder[..., 0] * far / power,
    }


@statement(
    "profiles.hoelder",
    where="Nesterov (2015)",
    latex=r"f(y)\le f(x)+\langle g,y-x\rangle+\tfrac H{1+\nu}\|y-x\|^{1+\nu}",
    family=functions("Hoelder-smooth", dimensions=BOTH, exponents=(0.5, 0.25), extra=POINT),
)
def hoelder(w: Any) -> Any:
    return weak_lemma(w, 1)


@hoelder.like("profiles.hoelder.less", latex=r"\ldots+\tfrac{9H}{10(1+\nu)}\ldots")
def hoelder_less(w: Any) -> Any:
    return weak_lemma(w, w.array(9) / 10)


@statement(
    "profiles.hoelder.towards",
    where="nowhere",
    latex=r"\langle g,x-x_*\rangle\ge0",
    family=functions("Hoelder-smooth", dimensions=BOTH),
)
def hoelder_towards(w: Any) -> Any:
    return towards(w)


# -- operators ---------------------------------------------------------------------------


def distances(w: Any) -> tuple[Any, Any]:
    """Squared distances to the zero before and after one step."""
    seen, zero = visited(w), w.problem.optimum[..., 0, :]
    return tuple(xp.squared_norm(seen.points[..., t, :] - zero) for t in (0, 1))


@statement(
    "profiles.cocoercive",
    where="Bauschke, Combettes (2017), Chapter 4",
    latex=r"\|x_1-x_*\|\le\|x_0-x_*\|",
    family=operators("cocoercive"),
    defines={"step_size": lambda w: 2 * w.cocoercivity[..., 0]},
)
def cocoercive(w: Any) -> Any:
    before, after = distances(w)
    return {"after": after}, {"before": before}


@cocoercive.like(
    "profiles.cocoercive.longer",
    latex=r"\|x_1-x_*\|\le\|x_0-x_*\|",
    defines={"step_size": lambda w: 21 * w.cocoercivity[..., 0] / 10},
)
def cocoercive_longer(w: Any) -> Any:
    return cocoercive(w)


@statement(
    "profiles.monotone",
    where="Korpelevich (1976)",
    latex=r"\|x_1-x_*\|\le\|x_0-x_*\|",
    family=operators("monotone"),
    defines=INVERSE,
)
def extragradient(w: Any) -> Any:
    """The extragradient step: half of it, then from the start along what is met there."""

    def step(w: Any, points: Any, gradients: Any) -> Any:
        begin = points[0]
        return begin - gradients[-1][..., 0, :] / w.beta[..., None]

    seen, zero = walked(w, step, rounds=2), w.problem.optimum[..., 0, :]
    ends = [xp.squared_norm(seen.points[..., t, :] - zero) for t in (0, 2)]
    return {"after": ends[1]}, {"before": ends[0]}


@extragradient.like("profiles.monotone.forward", latex=r"\|x_1-x_*\|\le\|x_0-x_*\|")
def forward(w: Any) -> Any:
    before, after = distances(w)
    return {"after": after}, {"before": before}


STANDS = [
    pl,
    pl_growth,
    growth,
    growth_convex,
    star,
    generalised,
    hoelder,
    cocoercive,
    extragradient,
]
FALLS = [
    pl_sooner,
    pl_nearer,
    pl_faster,
    growth_descends,
    growth_faster,
    growth_towards,
    generalised_towards,
    hoelder_towards,
    star_convex,
    generalised_half,
    hoelder_less,
    cocoercive_longer,
    forward,
]


def some(claims: list[Any]) -> list[Any]:
    """Claims as cases, of which every third is asked about by default."""
    slow = pytest.mark.slow
    return [
        pytest.param(one, id=one.key, marks=[slow] if number % 3 else [])
        for number, one in enumerate(claims)
    ]


@pytest.mark.parametrize("claim", some(STANDS))
def test_a_theorem_stands(claim: Any) -> None:
    assert leaf_of(claim).verdict in ("holds", "proved")


@pytest.mark.parametrize("claim", some(FALLS))
def test_a_false_twin_falls(claim: Any) -> None:
    assert leaf_of(claim).verdict == "violated"


@forward.like("profiles.monotone.loss", latex=r"f(x_0)\le L")
def no_loss(w: Any) -> Any:
    return {"loss": excess(w, 0)}, {"most": w.beta}


def test_an_operator_has_no_losses() -> None:
    made = check(no_loss)
    assert made.verdict == "inconclusive"
    assert "losses, which an operator has not" in str(made)
