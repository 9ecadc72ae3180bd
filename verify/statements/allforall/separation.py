"""Appendix B: separation of functions, packing, tests from methods."""

from __future__ import annotations

from typing import Any

from bounds import allforall_constructions as made
from bounds import generic as xp
from verify.claim.parameters import Real
from verify.claim.statement import Statement, Terms
from verify.statements.allforall.common import numbers, one, source
from verify.world.world import World

DELTA = Real(1 / 64, 1 / 2, log=True)
POINTS = numbers(
    {"point": Real(-1, 1, per=("d",)), "delta": Real(0, 1 / 2)}, {"d": 1}, {"d": 2}, {"d": 3},
    about="two sign vectors that differ in the first coordinate, or everywhere",
)  # fmt: skip
SIGNS = numbers({"delta": DELTA}, *({"d": d, "different": k} for d, k in ((2, 1), (4, 1), (4, 3))))


def _pair(w: World, differ: int) -> tuple[Any, Any]:
    """Gaps of g_alpha and g_beta at the point; alpha = 1, beta = -1 in the first coordinates."""
    gaps = []
    for second in (False, True):
        total: Any = 0 * w.delta
        for k in range(w.d):
            sign = -1 if second and k < differ else 1
            value = made.convex_coordinate(w.point[..., k], sign, w.delta, w.delta)
            total = total + value - made.convex_minimum(sign, w.delta)
        gaps.append(total / w.d)
    return gaps[0], gaps[1]


def _lemma1(w: World) -> tuple[Terms, Terms]:
    """The larger of two gaps at one point; tight up to 2/3 (both gaps are psi/2)."""
    first, second = _pair(w, w.d)
    separation = made.convex_separation(w.delta, w.d, w.d)
    return {"psi/3": separation / 3}, {"larger gap": xp.maximum(first, second)}


def _outcome(w: World) -> tuple[Any, Any]:
    """Chances of three answers and the gaps of both functions there, (B, 1, 3) each."""
    x = w.answers
    gaps = []
    for sign in (1, -1):
        value = made.convex_coordinate(x, sign, w.delta[..., None], w.delta[..., None])
        gaps.append(value - made.convex_minimum(sign, w.delta)[..., None])
    return gaps[0], gaps[1]


def _chance(w: World) -> Any:
    return w.mass / xp.total(w.mass)[..., None]


def _precise(w: World) -> Terms:
    own, _ = _outcome(w)
    return {"mean gap below psi/9": w.delta / 9 - xp.total(_chance(w) * own)}


def _test(w: World) -> tuple[Terms, Terms]:
    """Test: the sign whose function has the smaller gap (the other one at a tie).

    A wrong answer has gap at least psi/2 by the definition of psi, so Markov's inequality even
    gives 2/9.
    """
    own, other = _outcome(w)
    wrong = xp.total(_chance(w) * xp.indicator(own >= other, own))
    return {"chance of error": wrong}, {"1/3": one(wrong) / 3}


TESTS = numbers(
    {"answers": Real(-1, 1, per=("n",)), "mass": Real(1 / 16, 16, log=True, per=("n",)),
     "delta": DELTA}, {"n": 2}, {"n": 3}, about="answers with any chances",
)  # fmt: skip
CONVEXES = numbers(
    {"height": Real(1 / 8, 8, log=True, per=("three",)), "centre": Real(-1, 1, per=("three",))},
    {"three": 3}, about="three functions h |x - m|",
)  # fmt: skip


def _rho(w: World, i: int, j: int) -> Any:
    """rho(h |x - m|, h' |x - m'|) = min(h, h') |m - m'|."""
    least = xp.minimum(w.height[..., i], w.height[..., j])
    return least * xp.absolute(w.centre[..., i] - w.centre[..., j])


def _triangle(w: World) -> tuple[Terms, Terms]:
    """A flat function lies close to both of two steep ones that are far from each other."""
    return {"rho(f, h)": _rho(w, 0, 2)}, {"rho(f, g)": _rho(w, 0, 1), "rho(g, h)": _rho(w, 1, 2)}


def _family_triangle(w: World) -> tuple[Terms, Terms]:
    """On G(delta) rho is delta/d times the number of different signs."""
    apart = [w.delta * xp.total(xp.indicator(a * b < 0, a)) / w.d for a, b in (
        (w.first, w.third), (w.first, w.second), (w.second, w.third))]  # fmt: skip
    return {"rho(f, h)": apart[0]}, {"rho(f, g)": apart[1], "rho(g, h)": apart[2]}


_THREE = numbers(
    {name: Real(-1, 1, per=("d",)) for name in ("first", "second", "third")} | {"delta": DELTA},
    {"d": 1}, {"d": 2}, about="signs of numbers",
)  # fmt: skip


def _nonzero(w: World) -> Terms:
    return {n: xp.smallest(xp.absolute(w.symbol(n))) for n in ("first", "second", "third")}


def _value(kind: str, factor: int) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Infimum over x, coordinate by coordinate, with |alpha_k - beta_k| = 2 where they differ.

        Proof of the form with 2 d.  Coordinates with equal signs add nothing: one x minimises both
        functions there. Convex, different signs: h_+ + h_- = 1 - 2 delta x on [-1/2, 1/2] with
        slopes 2 (1 - delta) and -2 (1 + delta) beyond, least at 1/2: 1 - delta, against minima
        (1 - delta)/2 and (1 - 3 delta)/2; what remains is delta = delta |alpha_k - beta_k|/2.
        Quadratic: x^2 + 1 - x, least at 1/2: 3/4, against (1 - (1/2 + delta)^2)/2 and
        (1 - (1/2 - delta)^2)/2, in sum 3/4 - delta^2; what remains is delta^2.
        """
        half = one(w.delta) / 2
        if kind == "abs":
            sums = sum(made.convex_coordinate(half, s, w.delta, w.delta) for s in (1, -1))
            least = sum(made.convex_minimum(s, w.delta) for s in (1, -1))
            size = w.delta
        else:
            sums = half**2 + 1 - half
            least = sum((1 - (half + s * w.delta) ** 2) / 2 for s in (1, -1))
            size = w.delta**2
        rho = w.different * (sums - least) / w.d
        return {"rho": rho}, {"claimed": factor * w.different * size / w.d}

    return sides


def _separated(kind: str) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """At least d/4 signs differ."""
        power = 1 if kind == "abs" else 2
        rule = made.convex_separation if kind == "abs" else made.quadratic_separation
        return {"claimed": w.delta**power / 4}, {"rho": rule(w.delta, w.different, w.d)}

    return sides


def _apart(w: World) -> Terms:
    return {"at least d/4 differ": (4 * w.different - w.d) * one(w.delta)}


def _packing(w: World) -> tuple[Terms, Terms]:
    """Greedy packings; d is the construction's to choose, and d = 1 leaves no second sign."""
    unit = one(w.unit)
    bound = made.packing_size_lower(w.d, unit)
    return {"(2/sqrt e)^(d/2)": bound}, {"greedy packing": made.greedy_packing(w.d) * unit}


_PROOF = "Appendix B.2"


def _both(kind: str, where: str, power: str) -> tuple[Statement, ...]:
    key, claim = f"allforall.eq.rho_{kind}", r"\rho(g_\alpha,g_\beta)=\frac{%s}{%s}\sum_k|\alpha_k-\beta_k|"
    common: dict[str, Any] = {
        "source": source(where), "kind": "proof step", "title": "separation", "family": SIGNS,
    }  # fmt: skip
    return (
        Statement(key=f"{key}/value", latex=claim % (power, "d"), relation="==",
                  sides=_value(kind, 2), **common),
        Statement(key=f"{key}/psi", latex=rf"\psi(\delta)\ge{power}/4", given=_apart,
                  sides=_separated(kind), **common),
        Statement(key=f"{key}.repaired", latex=claim % (power, "2d"), relation="==",
                  form="repaired", sides=_value(kind, 1), **common),
    )  # fmt: skip


STATEMENTS = (
    Statement(
        key="allforall.lemma1", source=source("Lemma 1"), kind="lemma", family=POINTS,
        latex=r"\#\{\alpha:g_\alpha(x)-\inf g_\alpha<\psi(\delta)/3\}\le1", sides=_lemma1,
        title="one function is nearly minimal at a point",
    ),
    Statement(
        key="allforall.lemma2", source=source("Lemma 2"), kind="lemma", family=TESTS, sides=_test,
        latex=r"\mathbb E[g_\alpha(x^T)-\min g_\alpha]<\psi/9\Rightarrow\mathbb P(\hat\alpha\ne\alpha)\le\tfrac13",
        given=_precise, strict=frozenset({"mean gap below psi/9"}), title="a test from a method",
        uses=("allforall.lemma1",),
    ),
    Statement(
        key="allforall.def.rho@family", source=source(_PROOF), kind="definition", family=_THREE,
        latex=r"\rho(f,h)\le\rho(f,g)+\rho(g,h)", title="discrepancy", sides=_family_triangle,
        given=_nonzero, strict=frozenset({"first", "second", "third"}),
    ),
    Statement(
        key="allforall.def.rho@convex", source=source(_PROOF), kind="definition",
        family=CONVEXES, latex=r"\rho(f,h)\le\rho(f,g)+\rho(g,h)", title="discrepancy",
        sides=_triangle,
    ),
    Statement(
        key="allforall.proof.fanochain/first", source=source(_PROOF), kind="proof step",
        latex=r"\tfrac13\ge\mathbb P_\phi(\hat\alpha\ne\alpha)", family=TESTS, sides=_test,
        given=_precise, strict=frozenset({"mean gap below psi/9"}), title="chain with Fano",
        uses=("allforall.lemma2",),
    ),
    Statement(
        key="allforall.packing", source=source(_PROOF), kind="claim", sides=_packing,
        latex=r"|\mathcal V|\ge(2/\sqrt e)^{d/2}", title="packing of signs",
        family=numbers({"unit": Real(1, 1)}, *({"d": d} for d in (2, 3, 4, 5, 6, 8, 10)),
                       about="greedy packings"),
    ),
    *_both("abs", "Appendix B.2", r"\delta"),
    *_both("quad", "Appendix B.3", r"\delta^2"),
)  # fmt: skip
