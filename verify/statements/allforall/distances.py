"""Section 6 and Appendix A: distances of laws, losses, infinitely many agents."""

from __future__ import annotations

from typing import Any

from bounds import allforall_distances as law
from bounds import generic as xp
from bounds.allforall_lower import convex_samples_lower
from verify.parameters import Real
from verify.statement import Statement, Terms
from verify.statements.allforall.common import (
    CURVATURE,
    mixing,
    numbers,
    one,
    source,
    unchecked_claim,
)
from verify.world import World

_ATOMS = {"mass": Real(1 / 64, 1, per=("n",)), "other": Real(1 / 64, 1, per=("n",))}


def _laws(w: World) -> tuple[Any, Any]:
    """Two laws on the same atoms, (B, 1, n)."""
    p, q = (mixing(w.symbol(k)[..., None, :])[..., 0, :] for k in ("mass", "other"))
    return p, q


def _expected_gap(w: World) -> Any:
    p, q = _laws(w)
    return xp.total((p - q) * w.values)


# -- the classes -------------------------------------------------------------------------------

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
    {**_ATOMS, "step": Real(1 / 8, 4, per=("n",)), "slope": Real(-1, 1, per=("n",))},
    {"n": 2}, {"n": 3}, about="laws with two or three atoms on a line, any Lipschitz values there",
)  # fmt: skip


def _lipschitz(w: World) -> tuple[Terms, Terms]:
    """Values with increments slope * step, |slope| <= 1; attained with slope = sign(F - G)."""
    p, q = _laws(w)
    places = xp.stack([sum(w.step[..., j] for j in range(k + 1)) for k in range(w.n)], -1)
    values = xp.stack(
        [sum(w.step[..., j] * w.slope[..., j] for j in range(k + 1)) for k in range(w.n)], -1
    )
    return {"|E h - E' h|": xp.absolute(xp.total((p - q) * values))}, {
        "W_1": law.wasserstein_line(places, p, q)
    }


BOUNDED = numbers({**_ATOMS, "values": Real(0, 1, per=("n",))}, {"n": 2}, {"n": 3},
                  about="laws with two or three atoms, any values in [0, 1]")  # fmt: skip


def _bounded(w: World) -> tuple[Terms, Terms]:
    """Attained by the indicator of {p > q}."""
    p, q = _laws(w)
    return {"|E h - E' h|": xp.absolute(_expected_gap(w))}, {
        "TV": law.total_variation_distance(p, q)
    }


LOCAL = numbers(
    {**_ATOMS, "values": Real(-4, 4, per=("n",)), "distance": Real(1 / 8, 4)}, {"n": 2},
    about="two atoms at some distance",
)  # fmt: skip


def _locally(w: World) -> Terms:
    """Within distance 1 of each other the two values differ by at most 1."""
    gap = xp.absolute(w.values[..., 0] - w.values[..., 1])
    near = xp.indicator(w.distance <= 1, w.distance)
    return {"locally bounded": xp.where(near > 0, 1 - gap, 0 * gap)}


def _small_support(w: World) -> Terms:
    return {**_locally(w), "diameter of Xi at most 1": 1 - w.distance}


# -- what follows for gradients ----------------------------------------------------------------

MEANS = numbers(
    {"centre": Real(-2, 2, unit=(0, 1), per=("N", "d")), "mu": CURVATURE},
    {"N": 2, "d": 1}, {"N": 3, "d": 2}, about="mean estimation, quadratics of one curvature",
)  # fmt: skip


def _means(w: World) -> tuple[Any, Any]:
    """|m_1 - m_2|^2 and the largest |m_k - m_l|^2."""
    square = xp.total((w.centre[..., :, None, :] - w.centre[..., None, :, :]) ** 2)
    return square[..., 0, 1], xp.largest(xp.largest(square))


def _gradient_gap(w: World) -> tuple[Terms, Terms]:
    """Mean estimation: the gradient x - xi is affine, and the difference is the same at all x."""
    square, _ = _means(w)
    return {"|grad f_i - grad f_j|^2": w.mu**2 * square}, {
        "d_H^2": w.mu**2 * law.affine_distance_squared(w.centre[..., 0, :] - w.centre[..., 1, :])
    }


def _prop1(part: str) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """d_H = mu |m_i - m_j| for gradients mu (x - xi); gap mu |m_i - m_j|^2/2 at x_j^*.

        D^* = the largest |x_k^* - x_l^*|. The PL form is tight here.
        """
        square, widest = _means(w)
        gap, distance2 = w.mu * square / 2, w.mu**2 * square
        if part == "values":
            return {"squared gap": gap**2}, {"(D^* b)^2": widest * distance2}
        if part == "pl":
            return {"gap": gap}, {"b^2/(2 mu)": distance2 / (2 * w.mu)}
        return {"|grad f_i - grad f_j|^2": distance2}, {"b^2": distance2}

    return sides


# -- the losses --------------------------------------------------------------------------------

REGRESSION = numbers(
    {"a": Real(-2, 2, per=("two",)), "b": Real(-2, 2, per=("two",)), "x": Real(-1, 1),
     "diameter": Real(1 / 8, 4, log=True)}, {"two": 2}, about="linear regression on the line",
)  # fmt: skip


def _in_domain(w: World) -> Terms:
    return {"|x| at most D/2": w.diameter**2 - 4 * w.x**2}


def _regression(printed: bool) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Gradient M x - v as a function of xi = (M, v) = (a^2, a b): Lipschitz constant
        sqrt(1 + |x|^2), which exceeds D for small D; at x = 0 it is 1."""
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
        |xi| |x|/4 without limit, so a Lipschitz constant needs 1 + R X/4 with |xi| <= R, |x| <= X.
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
        """Gradient -xi where xi x < 1, else 0: its values span the data, not the models."""
        values = [-xi * xp.indicator(xi * w.x < 1, xi) for xi in (w.data, w.other)]
        right = w.diameter if printed else 2 * w.radius
        return {"|h(xi) - h(xi')|": xp.absolute(values[0] - values[1])}, {"diameter": right}

    return sides


def _in_ball(w: World) -> Terms:
    return {"|xi| at most R": w.radius - xp.maximum(xp.absolute(w.data), xp.absolute(w.other))}


# -- infinitely many agents --------------------------------------------------------------------

CONTINUUM = numbers(
    {"precision": Real(1 / 4096, 1 / 8, log=True), "diameter": Real(1 / 8, 8, log=True),
     "gradient": Real(1 / 8, 8, log=True)}, {"q": 1}, {"q": 2},
    about="agents uniform on [0, 1], b = |theta - theta'|^q",
)  # fmt: skip


def _radius(w: World) -> Any:
    """(eps/2)^(1/q)."""
    return w.precision / 2 if w.q == 1 else xp.sqrt(w.precision / 2)


def _one_agent(w: World) -> tuple[Terms, Terms]:
    """Away from the ends nu(ball) = 2 h nu: the constant is 4 2^(p/q)/V_p over nu(theta).

    The density stands below: agents in dense places need fewer samples.
    """
    mass = 2 * _radius(w)
    left = law.continuum_samples_upper(w.gradient**2, w.diameter, w.precision, mass)
    root = w.precision if w.q == 1 else xp.sqrt(w.precision)
    two = 2 if w.q == 1 else xp.sqrt(2 * one(w.precision))
    size = 4 * two * w.gradient**2 * w.diameter**2
    return {"4 B^2 D^2/(eps^2 nu(ball))": left}, {"explicit rate": size / (2 * w.precision**2 * root)}


def _all_agents(factor: int) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Mean over the agents of 1/nu(ball); balls at the ends are cut in half at most, which
        the factor 2 covers."""
        inverse = law.interval_inverse_mass(_radius(w))
        size = 4 * w.gradient**2 * w.diameter**2 / w.precision**2
        return {"mean over agents": size * inverse}, {"explicit rate": factor * size / (2 * _radius(w))}

    return sides


AGENTS = numbers(
    {"place": Real(-1, 1, per=("N",)), "share": Real(0, 1, per=("N",)),
     "precision": Real(1 / 64, 2, log=True)}, {"N": 1}, {"N": 3},
    about="agents on a line, b = share |theta - theta'|",
)  # fmt: skip


def _ball(printed: bool) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """b <= |theta - theta'|^q makes every agent of the ball close: the count is at least the
        ball's."""
        distance = xp.absolute(w.place)
        half = w.precision[..., None] / 2
        close = 1 + xp.total(xp.indicator(w.share * distance <= half, distance))
        ball = 1 + xp.total(xp.indicator(distance <= half, distance))
        return ({"N_i": close}, {"ball": ball}) if printed else ({"ball": ball}, {"N_i": close})

    return sides


SIZES = numbers(
    {"scale": Real(16, 256, log=True)}, {"N": 1, "close": 1}, {"N": 16, "close": 1},
    {"N": 16, "close": 16}, about="any counts, BD/eps at least 16",
)  # fmt: skip


def _inverse(printed: bool) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """No method can need fewer samples than the lower bound of Theorem 1 with its constant.

        Theorem 2.1 has the factor N/N_i; the proof writes the fraction upside down, which falls
        below the lower bound as soon as N/N_i > 12.
        """
        least = convex_samples_lower(w.scale, one(w.scale), w.N, w.close)
        size = 2 * w.scale**2 * w.close / w.N if printed else 4 * w.scale**2 * w.N / w.close
        return {"samples that any method needs": least}, {"in the proof": size}

    return sides


_A = "Appendix A"
_PRINTED = {
    "1": (r"\mathcal H_{\mathrm{Affine}}:\ d_{\mathcal H}=\|\mathbb E\xi-\mathbb E\xi'\|", MAPS, _affine),
    "2": (r"\mathcal H_{\mathrm{Lipschitz}}:\ d_{\mathcal H}=\mathcal W_1", LINE, _lipschitz),
    "3": (r"\mathcal H_{\mathrm{Bounded}}:\ d_{\mathcal H}=d_{\mathrm{TV}}", BOUNDED, _bounded),
}
_LOSS2 = r"\ell=\tfrac12(a^\top x-b)^2:\ \nabla\ell\in%s\mathcal H_{\mathrm{Affine}}"
_LOSS3 = r"\ell=\log(1+e^{-ba^\top x}):\ \nabla\ell\in(1+%s)\mathcal H_{\mathrm{Lipschitz}}"
_LOSS4 = r"\ell=\max(0,1-ba^\top x):\ \nabla\ell\in%s\mathcal H_{\mathrm{Bounded}}"


def _claim(key: str, latex: str, title: str, **fields: Any) -> Statement:
    fields.setdefault("kind", "claim")
    return Statement(key=f"allforall.{key}", source=source(_A), latex=latex, title=title, **fields)


STATEMENTS = (
    _claim("ineq.dHgrad", r"\|\nabla f_i(x)-\nabla f_j(x)\|\le d_{\mathcal H}(\mathcal D_i,\mathcal D_j)",
           "gradients and distances", family=MEANS, sides=_gradient_gap),
    *(_claim(f"dH.{n}", latex, "distance of a class", family=family, sides=sides)
      for n, (latex, family, sides) in _PRINTED.items()),
    _claim("dH.4", r"\mathcal H_{\mathrm{Loc.Bounded}}:\ d_{\mathcal H}=d_{\mathrm{TV}}",
           "distance of a class", family=LOCAL, sides=_bounded, given=_locally),
    _claim("dH.4.repaired", r"\mathrm{Diam}\,\Xi\le1:\ d_{\mathcal H}=d_{\mathrm{TV}}",
           "distance of a class", family=LOCAL, sides=_bounded, given=_small_support,
           form="repaired"),
    _claim("dH.loss1", r"\ell=\tfrac12\|x-\xi\|^2:\ \|\nabla f_i-\nabla f_j\|=\|\mathbb E\xi_i-\mathbb E\xi_j\|",
           "mean estimation", family=MEANS, sides=_gradient_gap, relation="=="),
    _claim("dH.loss2", _LOSS2 % "D", "linear regression", family=REGRESSION,
           sides=_regression(True), given=_in_domain),
    _claim("dH.loss2.repaired", _LOSS2 % r"\sqrt{1+D^2/4}\,", "linear regression",
           family=REGRESSION, sides=_regression(False), given=_in_domain, form="repaired"),
    _claim("dH.loss3", _LOSS3 % r"\tfrac1e", "logistic regression", family=LOGISTIC,
           sides=_logistic(True)),
    _claim("dH.loss3.repaired", _LOSS3 % r"\tfrac14RX", "logistic regression", family=LOGISTIC,
           sides=_logistic(False), form="repaired"),
    _claim("dH.loss4", _LOSS4 % "D", "hinge loss", family=HINGE, sides=_hinge(True),
           given=_in_domain),
    _claim("dH.loss4.repaired", _LOSS4 % "2R", "hinge loss", family=HINGE, sides=_hinge(False),
           given=_in_ball, form="repaired"),
    *(_claim(f"prop1/{part}", latex, "from distances to biases", family=MEANS, kind="property",
             sides=_prop1(part)) for part, latex in (
        ("values", r"f_i(x_j^*)-f_i(x_i^*)\le D^*\hat b_{ij}"),
        ("gradients", r"\|\nabla f_i-\nabla f_j\|^2\le\hat b_{ij}^2"),
        ("pl", r"f_i(x_j^*)-f_i(x_i^*)\le\hat b_{ij}^2/(2\mu)"),
    )),
    unchecked_claim("prop2.1", "property", _A, r"T_\varepsilon(\theta)\le\mathcal O(B^2D^2\nu(\theta)\varepsilon^{-2-p/q})",
                    "one of infinitely many agents",
                    "the constant of the O(.), which may depend on theta and so hide the density"),
    _claim("prop2.1.explicit", r"T_\varepsilon(\theta)\le\frac{4\cdot2^{p/q}}{V_p}\frac{B^2D^2}{\nu(\theta)}\varepsilon^{-2-p/q}",
           "one of infinitely many agents", family=CONTINUUM, sides=_one_agent, form="explicit",
           kind="property"),
    unchecked_claim("prop2.2", "property", _A, r"T_\varepsilon\le\mathcal O(B^2D^2\varepsilon^{-2-p/q})",
                    "all of infinitely many agents", "the constant of the O(.)"),
    _claim("prop2.2.explicit", r"T_\varepsilon\le\frac{4\cdot2^{p/q}|\Theta|}{V_p}B^2D^2\varepsilon^{-2-p/q}\cdot2",
           "all of infinitely many agents, balls cut at the ends included", family=CONTINUUM,
           sides=_all_agents(2), form="explicit", kind="property"),
    _claim("proof.prop2/fraction", r"T_\varepsilon(\theta)\le2B^2D^2\varepsilon^{-2}\frac{\mathcal N_i^\varepsilon(2b)}N",
           "from one agent's bound", family=SIZES, sides=_inverse(True), kind="proof step"),
    _claim("proof.prop2/ball", r"\mathcal N_i^\varepsilon(2b)\le|\{j:\|\theta-\theta_j\|\le(\varepsilon/2)^{1/q}\}|",
           "close agents and the ball", family=AGENTS, sides=_ball(True), kind="proof step"),
    _claim("proof.prop2.repaired/fraction", r"T_\varepsilon(\theta)\le4B^2D^2\varepsilon^{-2}\frac N{\mathcal N_i^\varepsilon(2b)}",
           "from one agent's bound", family=SIZES, sides=_inverse(False), kind="proof step",
           form="repaired"),
    _claim("proof.prop2.repaired/ball", r"\mathcal N_i^\varepsilon(2b)\ge|\{j:\|\theta-\theta_j\|\le(\varepsilon/2)^{1/q}\}|",
           "close agents and the ball", family=AGENTS, sides=_ball(False), kind="proof step",
           form="repaired"),
    unchecked_claim("weaklabel", "claim", "Section 6.2", r"d_{\mathcal H}(\mathcal D_i,\mathcal D_j)\lesssim d(\mathcal D_i^\zeta,\mathcal D_j^\zeta)",
                    "weak labels", "qualitative: no formula and no precise assumption on the labelling map"),
)  # fmt: skip
