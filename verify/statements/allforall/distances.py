"""Section 6 and Appendix A: distances of laws, and the losses."""

from __future__ import annotations

from typing import Any

from bounds import allforall_distances as law
from bounds import generic as xp
from verify.claim.parameters import Real
from verify.claim.statement import Statement, Terms
from verify.statements.allforall.common import (
    mixing,
    numbers,
    one,
    source,
)
from verify.world.world import World

ATOMS = {"mass": Real(1 / 64, 1, per=("n",)), "other": Real(1 / 64, 1, per=("n",))}


def two_laws(w: World) -> tuple[Any, Any]:
    """Two laws on the same atoms, (B, 1, n)."""
    p, q = (mixing(w.symbol(k)[..., None, :])[..., 0, :] for k in ("mass", "other"))
    return p, q


def _expected_gap(w: World) -> Any:
    p, q = two_laws(w)
    return xp.total((p - q) * w.values)


MAPS = numbers(
    {"gap": Real(-2, 2, per=("D",)), "stretch": Real(0, 1, per=("D",)), "turn": Real(-1, 1)},
    {"D": 2}, about="linear maps with singular values at most 1, any difference of means",
)  # fmt: skip


def _affine(w: World) -> tuple[Terms, Terms]:
    """h(xi) = S R xi with a rotation R and singular values S: attained at S = I."""
    size = 1 + w.turn**2
    cos, sin = (1 - w.turn**2) / size, 2 * w.turn / size
    first = w.stretch[..., 0] * (cos * w.gap[..., 0] - sin * w.gap[..., 1])
    second = w.stretch[..., 1] * (sin * w.gap[..., 0] + cos * w.gap[..., 1])
    return {"|E h - E' h|^2": first**2 + second**2}, {
        "|E xi - E xi'|^2": law.affine_distance_squared(w.gap)
    }


LINE = numbers(
    {**ATOMS, "step": Real(1 / 8, 4, per=("n",)), "slope": Real(-1, 1, per=("n",))},
    {"n": 2}, {"n": 3}, about="laws with two or three atoms on a line, any Lipschitz values there",
)  # fmt: skip


def _lipschitz(w: World) -> tuple[Terms, Terms]:
    """Values with increments slope * step, |slope| <= 1; attained with slope = sign(F - G)."""
    p, q = two_laws(w)
    places = xp.stack([sum(w.step[..., j] for j in range(k + 1)) for k in range(w.n)], -1)
    values = xp.stack(
        [sum(w.step[..., j] * w.slope[..., j] for j in range(k + 1)) for k in range(w.n)], -1
    )
    return {"|E h - E' h|": xp.absolute(xp.total((p - q) * values))}, {
        "W_1": law.wasserstein_line(places, p, q)
    }


BOUNDED = numbers({**ATOMS, "values": Real(0, 1, per=("n",))}, {"n": 2}, {"n": 3},
                  about="laws with two or three atoms, any values in [0, 1]")  # fmt: skip


def _bounded(w: World) -> tuple[Terms, Terms]:
    """Attained by the indicator of {p > q}.

    Proof for a support of diameter at most 1.  One ball of radius 1 holds all of it, so that a
    locally bounded map has values of diameter at most 1, and for these |E h - E' h| is at most
    sum_{p > q} (p - q) = TV; the indicator has values of diameter 1.
    """
    p, q = two_laws(w)
    return {"|E h - E' h|": xp.absolute(_expected_gap(w))}, {
        "TV": law.total_variation_distance(p, q)
    }


LOCAL = numbers(
    {**ATOMS, "values": Real(-4, 4, per=("n",)), "distance": Real(1 / 8, 4)}, {"n": 2},
    about="two atoms at some distance",
)  # fmt: skip


def _locally(w: World) -> Terms:
    """Within distance 1 of each other the two values differ by at most 1."""
    gap = xp.absolute(w.values[..., 0] - w.values[..., 1])
    near = xp.indicator(w.distance <= 1, w.distance)
    return {"locally bounded": xp.where(near > 0, 1 - gap, 0 * gap)}


def _small_support(w: World) -> Terms:
    return {**_locally(w), "diameter of Xi at most 1": 1 - w.distance}


REGRESSION = numbers(
    {"a": Real(-2, 2, per=("two",)), "b": Real(-2, 2, per=("two",)), "x": Real(-1, 1),
     "diameter": Real(1 / 8, 4, log=True)}, {"two": 2}, about="linear regression on the line",
)  # fmt: skip


def _in_domain(w: World) -> Terms:
    return {"|x| at most D/2": w.diameter**2 - 4 * w.x**2}


def _regression(printed: bool) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Gradient M x - v as a function of xi = (M, v) = (a^2, a b): Lipschitz constant
        sqrt(1 + |x|^2), which exceeds D for small D; at x = 0 it is 1.

        Proof of the repaired form.  |M x - v| <= |M| |x| + |v| <= sqrt(1 + |x|^2) |(M, v)| by
        Cauchy-Schwarz, and |x| <= D/2 in a ball of diameter D around 0.
        """
        matrix, vector = w.a[..., 0] ** 2, w.a[..., 0] * w.b[..., 0]
        other_matrix, other_vector = w.a[..., 1] ** 2, w.a[..., 1] * w.b[..., 1]
        first, second = matrix - other_matrix, vector - other_vector
        size = first**2 + second**2
        constant = w.diameter**2 if printed else 1 + w.diameter**2 / 4
        return {"|h(xi) - h(xi')|^2": (first * w.x - second) ** 2}, {"(L |xi - xi'|)^2": constant * size}

    return sides


LOGISTIC = numbers(
    {"data": Real(-4, 4, per=("d",)), "shift": Real(-1, 1, per=("d",)),
     "model": Real(-8, 8, per=("d",))}, {"d": 1}, {"d": 2}, about="logistic regression",
)  # fmt: skip


def _logistic(printed: bool) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Derivative of the gradient in xi: -s(-u) I + s(u) s(-u) xi x^T with u = <xi, x>.

        On the line its size is at most 1.1; with xi orthogonal to x its second part has size
        |xi| |x|/4 without limit.

        Proof with 1 + R X/4.  s(-u) <= 1 and s(u) s(-u) <= 1/4, so the derivative has norm at most
        1 + |xi| |x|/4 <= 1 + R X/4 along the segment between two data of size at most R.
        """
        other = w.data + w.shift
        moved = law.logistic_gradient(w.data, w.model) - law.logistic_gradient(other, w.model)
        if printed:
            constant = 1 + xp.exp(-one(w.data[..., 0]))
        else:
            radius2 = xp.maximum(xp.total(w.data**2), xp.total(other**2))
            constant = 1 + xp.sqrt(radius2 * xp.total(w.model**2)) / 4
        return {"|h(xi) - h(xi')|^2": xp.total(moved**2)}, {
            "(L |xi - xi'|)^2": constant**2 * xp.total(w.shift**2)
        }

    return sides


HINGE = numbers(
    {"data": Real(-4, 4), "other": Real(-4, 4), "x": Real(-1, 1),
     "diameter": Real(1 / 8, 4, log=True), "radius": Real(1 / 8, 8, log=True)},
    about="hinge loss on the line",
)  # fmt: skip


def _hinge(printed: bool) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Gradient -xi where xi x < 1, else 0: its values span the data, not the models.

        Proof with 2 R.  Both values lie in the ball of radius R around 0, of diameter 2 R.
        """
        values = [-xi * xp.indicator(xi * w.x < 1, xi) for xi in (w.data, w.other)]
        right = w.diameter if printed else 2 * w.radius
        return {"|h(xi) - h(xi')|": xp.absolute(values[0] - values[1])}, {"diameter": right}

    return sides


def _in_ball(w: World) -> Terms:
    return {"|xi| at most R": w.radius - xp.maximum(xp.absolute(w.data), xp.absolute(w.other))}


A = "Appendix A"
_PRINTED = {
    "1": (r"\mathcal H_{\mathrm{Affine}}:\ d_{\mathcal H}=\|\mathbb E\xi-\mathbb E\xi'\|", MAPS, _affine),
    "2": (r"\mathcal H_{\mathrm{Lipschitz}}:\ d_{\mathcal H}=\mathcal W_1", LINE, _lipschitz),
    "3": (r"\mathcal H_{\mathrm{Bounded}}:\ d_{\mathcal H}=d_{\mathrm{TV}}", BOUNDED, _bounded),
}
_LOSS2 = r"\ell=\tfrac12(a^\top x-b)^2:\ \nabla\ell\in %s\mathcal H_{\mathrm{Affine}}"
_LOSS3 = r"\ell=\log(1+e^{-ba^\top x}):\ \nabla\ell\in(1+%s)\mathcal H_{\mathrm{Lipschitz}}"
_LOSS4 = r"\ell=\max(0,1-ba^\top x):\ \nabla\ell\in %s\mathcal H_{\mathrm{Bounded}}"


def claim(key: str, latex: str, title: str, **fields: Any) -> Statement:
    fields.setdefault("kind", "claim")
    return Statement(key=f"allforall.{key}", source=source(A), latex=latex, title=title, **fields)


STATEMENTS = (
    *(claim(f"dH.{n}", latex, "distance of a class", family=family, sides=sides)
      for n, (latex, family, sides) in _PRINTED.items()),
    claim("dH.4", r"\mathcal H_{\mathrm{Loc.Bounded}}:\ d_{\mathcal H}=d_{\mathrm{TV}}",
           "distance of a class", family=LOCAL, sides=_bounded, given=_locally),
    claim("dH.4.repaired", r"\mathrm{Diam}\,\Xi\le1:\ d_{\mathcal H}=d_{\mathrm{TV}}",
           "distance of a class", family=LOCAL, sides=_bounded, given=_small_support,
           form="repaired"),
    claim("dH.loss2", _LOSS2 % "D", "linear regression", family=REGRESSION,
           sides=_regression(True), given=_in_domain),
    claim("dH.loss2.repaired", _LOSS2 % r"\sqrt{1+D^2/4}\,", "linear regression",
           family=REGRESSION, sides=_regression(False), given=_in_domain, form="repaired"),
    claim("dH.loss3", _LOSS3 % r"\tfrac1e", "logistic regression", family=LOGISTIC,
           sides=_logistic(True)),
    claim("dH.loss3.repaired", _LOSS3 % r"\tfrac14RX", "logistic regression", family=LOGISTIC,
           sides=_logistic(False), form="repaired"),
    claim("dH.loss4", _LOSS4 % "D", "hinge loss", family=HINGE, sides=_hinge(True),
           given=_in_domain),
    claim("dH.loss4.repaired", _LOSS4 % "2R", "hinge loss", family=HINGE, sides=_hinge(False),
           given=_in_ball, form="repaired"),
)  # fmt: skip
