"""The convex construction of Appendix B.2: what it claims about itself."""

from __future__ import annotations

from typing import Any

from bounds import allforall_constructions as made
from bounds import generic as xp
from verify.claim.parameters import Real
from verify.claim.statement import Statement, Terms
from verify.statements.allforall.common import numbers, one, source
from verify.world.world import World

DELTA = Real(1 / 64, 1 / 2, log=True)
BIAS = Real(0, 1 / 2)
POINT = Real(-1, 1)
_SIGNS = tuple({"sign": s} for s in (1, -1))

AGENTS = numbers({"delta": DELTA, "bias": Real(0, 1 / 2, per=("N",)), "point": POINT},
                 *({"N": 2, "sign": s} for s in (1, -1)),
                 about="two agents beside the target, all coordinates of one sign")  # fmt: skip


def _deltas(w: World, factor: int = 1) -> Any:
    """delta_j = (delta - b_1j)^+, or with b/2."""
    return xp.positive_part(w.delta[..., None] - w.bias / factor)


def _distance(w: World) -> Any:
    """b_ij = |b_1i - b_1j|: the smallest symmetric bias with the triangle inequality."""
    return xp.absolute(w.bias[..., 0] - w.bias[..., 1])


SMALL = numbers(
    {"delta": Real(1 / 64, 1 / 4, log=True)}, *({"d": d} for d in (2, 3, 4)),
    about="delta <= 4 eps < 1/4, as psi(delta) = eps < 1/16; d = 1 leaves one sign vector",
)  # fmt: skip


def _second_moment(reading: str) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Largest second moment over x, at a point left of every kink, where all slopes are
        -1 - delta.

        One coordinate per sample (b) keeps (1 + delta)^2; all coordinates with the factor 1/d
        (a) leave (1 + delta)^2/d. The loss is g_alpha under (b) alone, see proof.f1/family: each
        of the two claims has a reading under which it holds, and no reading serves both.
        """
        size = (1 + w.delta) ** 2
        return {"E|g|^2": size / w.d if reading == "a" else size}, {"B^2": one(w.delta)}

    return sides


def _mean_slope(reading: str) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Derivative of f_1 along one coordinate between the kinks against that of g_alpha, d = 4.

        Of a term xi f^+ + (1 - xi) f^- - delta x with mean xi = p the slope is 2 p - 1 - delta. A
        sample is Ber(1/2 + alpha delta) at a uniform coordinate. Read as a vector (a), each of its
        coordinates has p = (1/2 + alpha delta)/d, so the two slopes differ; read as the value of
        the drawn coordinate, acting on its own term alone (b), p = 1/2 + alpha delta with chance
        1/d, and they agree. But under (b) the samples have E|g|^2 = (1 + delta)^2 > B^2 = 1, which
        (a) avoids: no single reading makes the loss g_alpha and keeps the bound on the gradients.
        """
        chance = (1 + 2 * w.sign * w.delta) / 2
        if reading == "a":
            chance = chance / 4
        slope = made.convex_slope(w.point, w.sign, w.delta, w.delta) / 4
        return {"f_1'": (2 * chance - 1 - w.delta) / 4}, {"g'": slope}

    return sides


def _inside(w: World) -> Terms:
    return {"between the kinks": 1 - 4 * w.point**2}


def _minimum(printed: bool) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """g_alpha(-alpha/2), one coordinate.

        Proof of (1 - 2 delta + alpha delta)/2.  Between the kinks h(x) = 1/2 + 2 alpha delta x -
        delta x; at x = -alpha/2, with alpha^2 = 1, this is 1/2 - delta + alpha delta/2. As printed
        it agrees where alpha = 1 only, so the means over coordinates differ for every other alpha.
        """
        at = -w.sign * one(w.delta) / 2
        rule = made.convex_minimum_printed if printed else made.convex_minimum
        return {"g(-alpha/2)": made.convex_coordinate(at, w.sign, w.delta, w.delta)}, {
            "claimed": rule(w.sign, w.delta)
        }

    return sides


def _minimiser(w: World) -> tuple[Terms, Terms]:
    """Convexity: no point is below the claimed minimiser."""
    at = made.convex_minimiser(w.sign, w.own, w.delta)
    return {"at the minimiser": made.convex_coordinate(at, w.sign, w.own, w.delta)}, {
        "at any point": made.convex_coordinate(w.point, w.sign, w.own, w.delta),
    }


def _gap(w: World, factor: int = 1) -> Any:
    """f_i(x_j^*) - f_i(x_i^*) of the two agents, one coordinate."""
    own, other = (_deltas(w, factor)[..., k] for k in (0, 1))
    here = made.convex_minimiser(w.sign, own, w.delta)
    there = made.convex_minimiser(w.sign, other, w.delta)
    value = made.convex_coordinate(there, w.sign, own, w.delta)
    return value - made.convex_coordinate(here, w.sign, own, w.delta)


def _bias(factor: int) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """B.1 of the construction, b_ij = |b_1i - b_1j|.

        Coordinates with alpha = 1 cost 2 delta_i - delta (or its negative), up to
        2 |delta_i - delta_j|; |delta_i - delta_j| is at most b_ij, not b_ij/2, unless
        delta_i = (delta - b_1i/2)^+.

        Proof with b/2.  The gap is 0 if both agents lie on one side of delta/2. Else it is
        |2 delta_i - delta| at most, and delta/2 lies between delta_i and delta_j, so that it is at
        most 2 |delta_i - delta_j| <= |b_1i - b_1j| <= b_ij: s -> s^+ is 1-Lipschitz.
        """
        return {"f_i(x_j) - f_i(x_i)": _gap(w, factor)}, {"b_ij": _distance(w)}

    return sides


def _same_side(w: World) -> Terms:
    d = _deltas(w)
    return {"same side": (2 * d[..., 0] - w.delta) * (2 * d[..., 1] - w.delta)}


def _first_large(w: World) -> Terms:
    d = _deltas(w)
    return {"delta_i >= delta/2": 2 * d[..., 0] - w.delta, "delta_j < delta/2": w.delta - 2 * d[..., 1]}


def _first_small(w: World) -> Terms:
    d = _deltas(w)
    return {"delta_i < delta/2": w.delta - 2 * d[..., 0], "delta_j > delta/2": 2 * d[..., 1] - w.delta}


def _equal(w: World) -> tuple[Terms, Terms]:
    """Agents on one side of delta/2 share their minimiser."""
    return {"f_i(x_j)": _gap(w) + w.delta}, {"f_i(x_i)": w.delta}


def _value(w: World) -> tuple[Terms, Terms]:
    """One coordinate: the cost (2 delta_i - delta) falls where alpha_k = 1."""
    first = _deltas(w)[..., 0]
    share = abs(w.sign - 1) // 2
    return {"gap": _gap(w)}, {"printed": share * (2 * first - w.delta)}


def _gradients(factor: int) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Between the kinks |grad f_i - grad f_j|^2 = 4 (delta_i - delta_j)^2/d, d = 1 here.

        Proof with b/2.  Each of d coordinates differs by 2 (delta_i - delta_j) alpha_k/d between
        the kinks and by nothing beyond them, and 2 |delta_i - delta_j| <= |b_1i - b_1j| <= b_ij.
        """
        first, second = (_deltas(w, factor)[..., k] for k in (0, 1))
        zero = 0 * w.delta
        gap = made.convex_slope(zero, w.sign, first, w.delta)
        gap = gap - made.convex_slope(zero, w.sign, second, w.delta)
        return {"squared difference": gap**2}, {"b_ij^2/d": _distance(w) ** 2}

    return sides


def _slope(w: World) -> tuple[Terms, Terms]:
    """Right of the kinks the slope is 1 - delta, left of them -1 - delta."""
    side = xp.indicator(w.point > 0, w.point) - xp.indicator(w.point < 0, w.point)
    return {"slope": made.convex_slope(w.point, w.sign, w.own, w.delta) + 2}, {
        "printed": side - w.delta + 2
    }


def _outside(w: World) -> Terms:
    return {"beyond a kink": 4 * w.point**2 - 1}


def laws(power: int) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Two coordinates. P(eps_k) = (1/2 + delta_i alpha_k)/2, the rest at 0.

        The ball of radius 1 around 0 holds the whole support, so a locally bounded map has values
        h(eps_k) - h(0) in [-1, 1]: with equal values on equal signs the bound is attained.
        """
        b = w.bias if power == 1 else xp.sqrt(w.bias)
        d = xp.positive_part(w.delta[..., None] - b)
        moved = (d[..., 0] - d[..., 1]) / 2
        value = moved * (w.values[..., 0] + w.sign * w.values[..., 1])
        size = xp.absolute(b[..., 0] - b[..., 1])
        return {"|E h - E' h|": xp.absolute(value)}, {"bound": size}

    return sides


LAWS = numbers(
    {"delta": DELTA, "bias": Real(0, 1 / 2, per=("N",)), "values": Real(-1, 1, per=("d",))},
    *({"N": 2, "d": 2, "sign": s} for s in (1, -1)), about="two agents, two coordinates",
)  # fmt: skip


def diameter(w: World) -> Terms:
    gap = xp.absolute(w.values[..., 0] - w.values[..., 1])
    return {"diameter of the values": 1 - gap}


_OWN = numbers({"delta": DELTA, "share": Real(0, 1), "point": POINT}, *_SIGNS, about="one agent")


def _own(w: World) -> Any:
    return w.share * w.delta


def step(key: str, latex: str, title: str, where: str, **fields: Any) -> Statement:
    fields.setdefault("family", AGENTS)
    return Statement(
        key=f"allforall.{key}", source=source(where), kind="proof step", latex=latex, title=title,
        **fields,
    )  # fmt: skip


_B2 = "Appendix B.2"
STATEMENTS = (
    *(
        step(f"construction.convex@{r}", r"\mathbb E\|g\|^2\le B^2=1", "convex construction", _B2,
              family=SMALL, sides=_second_moment(r)) for r in "ab"
    ),
    *(
        step(f"proof.f1/family@{r}", r"f_1=g_\alpha", "the target's loss", _B2, relation="==",
              family=numbers({"delta": DELTA, "point": POINT}, *_SIGNS), sides=_mean_slope(r),
              given=_inside, strict=frozenset({"between the kinks"})) for r in "ab"
    ),
    step("proof.f1/minimiser", r"\arg\min g_\alpha=-\alpha/2", "the target's loss", _B2,
          family=_OWN, sides=_minimiser, defines={"own": lambda w: w.delta}),
    step("proof.f1/minimum", r"g_\alpha(x^\alpha)=\frac1d\sum_k\frac{1-\delta\alpha_k}2",
          "the target's loss", _B2, relation="==", sides=_minimum(True),
          family=numbers({"delta": DELTA}, *_SIGNS)),
    step("proof.f1.repaired", r"g_\alpha(x^\alpha)=\frac1d\sum_k\frac{1-2\delta+\delta\alpha_k}2",
          "the target's loss", _B2, relation="==", sides=_minimum(False), form="repaired",
          family=numbers({"delta": DELTA}, *_SIGNS)),
    step("proof.xstar", r"x_i^*\in\{-\alpha/2,\mathbf 1/2\}", "minimisers", _B2, family=_OWN,
          sides=_minimiser, defines={"own": _own}),
    step("proof.B1conv/same", r"f_i(x_j^*)=f_i(x_i^*)", "bias of the convex construction", _B2,
          relation="==", sides=_equal, given=_same_side, strict=frozenset({"same side"})),
    step("proof.B1conv/value", r"=\frac1d\sum_k\frac{|\alpha_k-1|}2(2\delta_i-\delta)",
          "bias of the convex construction", _B2, relation="==", sides=_value, given=_first_large,
          strict=frozenset({"delta_j < delta/2"})),
    step("proof.B1conv/large", r"f_i(x_j^*)-f_i(x_i^*)\le b_{ij}",
          "bias of the convex construction", _B2, sides=_bias(1), given=_first_large,
          strict=frozenset({"delta_j < delta/2"})),
    step("proof.B1conv/small", r"f_i(x_j^*)-f_i(x_i^*)\le b_{ij}",
          "bias of the convex construction", _B2, sides=_bias(1), given=_first_small,
          strict=frozenset({"delta_i < delta/2", "delta_j > delta/2"})),
    step("proof.B1conv.repaired", r"\delta_i=(\delta-b_{1i}/2)^+:\ f_i(x_j^*)-f_i(x_i^*)\le b_{ij}",
          "bias of the convex construction", _B2, sides=_bias(2), form="repaired"),
    step("proof.B2conv/slope", r"\nabla_kf_i\in\{-1-\delta,1-\delta\}",
          "gradients of the convex construction", _B2, relation="==", family=_OWN, sides=_slope,
          given=_outside, strict=frozenset({"beyond a kink"}), defines={"own": _own}),
    step("proof.B2conv/bound", r"\|\nabla f_i-\nabla f_j\|^2\le b_{ij}^2/d",
          "gradients of the convex construction", _B2, sides=_gradients(1)),
    step("proof.B2conv.repaired",
          r"\delta_i=(\delta-b_{1i}/2)^+:\ \|\nabla f_i-\nabla f_j\|^2\le b_{ij}^2/d",
          "gradients of the convex construction", _B2, sides=_gradients(2), form="repaired"),
    step("proof.dHconv", r"d_{\mathcal H}(\mathcal D_i,\mathcal D_j)\le|\delta_i-\delta_j|\le b_{ij}",
          "laws of the convex construction", _B2, family=LAWS, sides=laws(1), given=diameter),
)  # fmt: skip
