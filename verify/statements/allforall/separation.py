"""Appendix B: separation of functions, packing, tests from methods."""

from __future__ import annotations

from functools import partial

from bounds import generic as xp
from bounds.allforall import constructions as made
from verify.claim import Array, Family, Hypothesis, Real, Sides, hypothesis, numbers, statement
from verify.statements.allforall import box
from verify.world.world import World

PROOF = "Appendix B.2"


def _gap(w: World, sign: int) -> Array:
    """Gap at the point of one of two functions: sign 1 everywhere, or -1 in some coordinates."""
    total: Array = 0 * w.delta
    for k in range(w.d):
        own = sign if k < w.different else 1
        value = made.convex_coordinate(w.point[..., k], own, w.delta, w.delta)
        total = total + value - made.convex_minimum(own, w.delta)
    return total / w.d


@statement(
    "allforall.lemma1",
    where="Lemma 1",
    kind="lemma",
    title="one function is nearly minimal at a point",
    latex=r"\#\{\alpha:g_\alpha(x)-\inf g_\alpha<\psi(\delta)/3\}\le1",
    family=numbers(
        {"point": Real(-1, 1, per=("d",)), "delta": Real(0, 1 / 2, domain=(0, 1 / 2))},
        *({"d": d, "different": k} for d, k in ((1, 1), (2, 1), (2, 2), (3, 1), (3, 3))),
        about="two sign vectors that differ in the first coordinates",
    ),
    note="""The larger of two gaps at one point, against a third of rho of the two, at least psi/3;
    tight up to 2/3 (both gaps are rho/2).""",
)
def lemma1(w: World) -> Sides:
    larger = xp.maximum(_gap(w, 1), _gap(w, -1))
    return {"rho/3": made.convex_separation(w.delta, w.different, w.d) / 3}, {"larger gap": larger}


def _outcome(w: World) -> tuple[Array, Array, Array]:
    """Chances of the answers and the gaps of both functions there, (B, 1, n) each."""
    gaps = []
    for sign in (1, -1):
        value = made.convex_coordinate(w.answers, sign, w.delta[..., None], w.delta[..., None])
        gaps.append(value - made.convex_minimum(sign, w.delta)[..., None])
    return w.mass / xp.total(w.mass)[..., None], gaps[0], gaps[1]


@hypothesis(
    "mean gap below psi/9",
    r"\mathbb E[g_\alpha(x^T)-\min g_\alpha]<\psi(\delta)/9",
    where="Lemma 2",
    strict=True,
)
def precise(w: World) -> Array:
    chance, own, _ = _outcome(w)
    return w.delta / 9 - xp.total(chance * own)


@statement(
    "allforall.lemma2",
    where="Lemma 2",
    kind="lemma",
    title="a test from a method",
    latex=r"\mathbb E[g_\alpha(x^T)-\min g_\alpha]<\psi/9\Rightarrow\mathbb P(\hat\alpha\ne\alpha)\le\tfrac13",
    family=numbers(
        {
            "answers": Real(-1, 1, per=("n",)),
            "mass": Real(1 / 16, 16, log=True, per=("n",)),
            "delta": box.DELTA,
        },
        {"n": 2},
        {"n": 3},
        about="answers with any chances",
    ),
    given=[precise],
    uses=("allforall.lemma1",),
    note="""Test: the sign whose function has the smaller gap (the other one at a tie). A wrong
    answer has gap at least psi/2 by the definition of psi, so Markov's inequality even gives
    2/9.""",
)
def lemma2(w: World) -> Sides:
    chance, own, other = _outcome(w)
    wrong = xp.total(chance * xp.indicator(own >= other, own))
    return {"chance of error": wrong}, {"1/3": xp.ones_like(wrong) / 3}


_NAMES = ("first", "second", "third")


_TRIANGLE = r"\rho(f,h)\le\rho(f,g)+\rho(g,h)"


@statement(
    "allforall.def.rho.repaired",
    where=PROOF,
    kind="definition",
    title="discrepancy on G(delta)",
    latex=r"f,g,h\in\mathcal G(\delta):\ " + _TRIANGLE,
    proof="Numbers of different signs satisfy the triangle inequality.",
    family=numbers(
        {name: Real(-1, 1, per=("d",)) for name in _NAMES} | {"delta": box.DELTA},
        {"d": 1},
        {"d": 2},
        about="signs of numbers",
    ),
    given=[
        Hypothesis(
            "first",
            r"\alpha_k\in\{-1,1\}",
            lambda w: xp.smallest(xp.absolute(w.first)),
            PROOF,
            strict=True,
        ),
        Hypothesis(
            "second",
            r"\beta_k\in\{-1,1\}",
            lambda w: xp.smallest(xp.absolute(w.second)),
            PROOF,
            strict=True,
        ),
        Hypothesis(
            "third",
            r"\gamma_k\in\{-1,1\}",
            lambda w: xp.smallest(xp.absolute(w.third)),
            PROOF,
            strict=True,
        ),
    ],
    note="On G(delta) rho is delta/d times the number of different signs, here those of numbers.",
)
def rho_on_family(w: World) -> Sides:
    apart = [
        w.delta * xp.total(xp.indicator(a * b < 0, a)) / w.d
        for a, b in ((w.first, w.third), (w.first, w.second), (w.second, w.third))
    ]
    return {"rho(f, h)": apart[0]}, {"rho(f, g)": apart[1], "rho(g, h)": apart[2]}


def _rho(w: World, i: int, j: int) -> Array:
    """rho(h |x - m|, h' |x - m'|) = min(h, h') |m - m'|."""
    least = xp.minimum(w.height[..., i], w.height[..., j])
    return least * xp.absolute(w.centre[..., i] - w.centre[..., j])


@statement(
    "allforall.def.rho",
    where=PROOF,
    kind="definition",
    title="discrepancy",
    latex=_TRIANGLE,
    family=numbers(
        {"height": Real(1 / 8, 8, log=True, per=("three",)), "centre": Real(-1, 1, per=("three",))},
        {"three": 3},
        about="three functions h |x - m|",
    ),
    note="Called a pseudo-metric for any two functions. A flat function lies close to both of two steep ones that are far from each other.",
)
def rho_on_convex(w: World) -> Sides:
    return {"rho(f, h)": _rho(w, 0, 2)}, {"rho(f, g)": _rho(w, 0, 1), "rho(g, h)": _rho(w, 1, 2)}


def _packings(*dims: int) -> Family:
    sizes = ({"d": d, "packed": made.greedy_packing(d)} for d in dims)
    return numbers({"unit": Real(1, 1)}, *sizes, about="greedy packings")


@statement(
    "allforall.packing",
    where=PROOF,
    kind="claim",
    title="packing of signs",
    latex=r"|\mathcal V|\ge(2/\sqrt e)^{d/2}",
    family=_packings(1, 2, 3, 4, 5, 6, 8),
    note="For d = 1 all of V is {1}, as -1 is excluded: one vector, where 1.1 are asked for.",
)
def packing(w: World) -> Sides:
    unit = xp.ones_like(w.unit)
    bound = made.packing_size_lower(w.d, unit)
    return {"(2/sqrt e)^(d/2)": bound}, {"greedy packing": w.packed * unit}


packing_repaired = packing.variant(
    "allforall.packing.repaired",
    latex=r"d\ge2:\ |\mathcal V|\ge(2/\sqrt e)^{d/2}",
    family=_packings(*range(2, 11)),
    note="Greedy packings.",
    proof="""A maximal packing with -1 covers the cube by balls of radius d/4, each at most
    exp(-d/8) of it (Hoeffding), so |V| + 1 >= exp(d/8), enough for d >= 11, where exp(d/8) >= 1 +
    1.1014^d; for smaller d the greedy packings are counted.""",
)


def _value(w: World, kind: str, factor: int) -> Sides:
    half = xp.ones_like(w.delta) / 2
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


def _separated(w: World, kind: str) -> Sides:
    power = 1 if kind == "abs" else 2
    rule = made.convex_separation if kind == "abs" else made.quadratic_separation
    return {"claimed": w.delta**power / 4}, {"rho": rule(w.delta, w.different, w.d)}


_apart = Hypothesis(
    "at least d/4 differ",
    r"\tfrac12\sum_k|\alpha_k-\beta_k|\ge\tfrac d4",
    lambda w: (4 * w.different - w.d) * xp.ones_like(w.delta),
    PROOF,
)
_RHO = r"\rho(g_\alpha,g_\beta)=\frac{%s}{%s}\sum_k|\alpha_k-\beta_k|"
_KINDS = (("abs", PROOF, r"\delta"), ("quad", "Appendix B.3", r"\delta^2"))
rho_value = tuple(
    statement(
        f"allforall.eq.rho_{kind}/value",
        where=where,
        kind="proof step",
        title="separation",
        relation="==",
        latex=_RHO % (power, "d"),
        family=numbers(
            {"delta": box.DELTA}, *({"d": d, "different": k} for d, k in ((2, 1), (4, 1), (4, 3)))
        ),
        note="Infimum over x, coordinate by coordinate, |alpha_k - beta_k| = 2 where they differ.",
    )(partial(_value, kind=kind, factor=2))
    for kind, where, power in _KINDS
)
rho_repaired = tuple(
    value.variant(
        f"allforall.eq.rho_{kind}.repaired",
        latex=_RHO % (power, "2d"),
        proof="""Coordinates with equal signs add nothing: one x minimises both functions
                  there. Convex, different signs: h_+ + h_- = 1 - 2 delta x on [-1/2, 1/2] with
                  slopes 2 (1 - delta) and -2 (1 + delta) beyond, least at 1/2: 1 - delta, against
                  minima (1 - delta)/2 and (1 - 3 delta)/2; what remains is delta = delta |alpha_k
                  - beta_k|/2. Quadratic: x^2 + 1 - x, least at 1/2: 3/4, against (1 - (1/2 +
                  delta)^2)/2 and (1 - (1/2 - delta)^2)/2, in sum 3/4 - delta^2; what remains is
                  delta^2.""",
        sides=partial(_value, kind=kind, factor=1),
    )
    for value, (kind, _, power) in zip(rho_value, _KINDS, strict=True)
)
rho_psi = tuple(
    value.like(
        f"allforall.eq.rho_{kind}/psi",
        relation="<=",
        latex=rf"\psi(\delta)\ge{power}/4",
        given=[_apart],
        note="At least d/4 signs differ.",
    )(partial(_separated, kind=kind))
    for value, (kind, _, power) in zip(rho_value, _KINDS, strict=True)
)
