"""Appendix B: from methods to tests, Fano's inequality; separation of functions, packing."""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from bounds.allforall import constructions as made
from bounds.allforall import lower
from verify.claim import Array, Family, Hypothesis, Real, Sides, Statement, hypothesis, numbers
from verify.statements.allforall import quantities as q
from verify.terms.vocabulary import quantity
from verify.world.world import World

claim = q.Claims(r"""
Lemma 1 :: lemma :: one function is nearly minimal at a point
    lemma1 :: \#\{\alpha:g_\alpha(x)-\inf g_\alpha<\psi(\delta)/3\}\le1
Lemma 2 :: lemma :: a test from a method
    lemma2 :: \mathbb E[g_\alpha(x^T)-\min g_\alpha]<\psi/9\Rightarrow\mathbb P(\hat\alpha\ne\alpha)\le\tfrac13
Equation 9 :: lemma :: Fano's inequality
    fano :: \mathbb P(\hat\alpha\ne\alpha)\ge1-\frac{I(\phi,\alpha)+\ln2}{|\mathcal V|}
    fano.repaired :: \mathbb P(\hat\alpha\ne\alpha)\ge1-\frac{I(\phi,\alpha)+\ln2}{\ln|\mathcal V|}
Equation 10 :: proof step :: samples from information
    eq10 :: T_\varepsilon\ge\frac{\frac23|\mathcal V|-\ln2}{I(\phi_1,\alpha)}
    eq10.repaired :: T_\varepsilon\ge\frac{\frac23\ln|\mathcal V|-\ln2}{I(\phi_1,\alpha)}
Appendix B.2 :: proof step :: chain with Fano
    proof.fanochain/first :: \tfrac13\ge\mathbb P_\phi(\hat\alpha\ne\alpha)
    proof.fanochain/second :: \mathbb P_\phi(\hat\alpha\ne\alpha)\ge1-\frac{I+\ln2}{|\mathcal V|}
    proof.fanochain.repaired :: \mathbb P_\phi(\hat\alpha\ne\alpha)\ge1-\frac{I+\ln2}{\ln|\mathcal V|}
Appendix B.2 :: proof step :: mutual information
    eq.MI/samples == :: I(\phi_T,\alpha)=T\,I(\phi_1,\alpha)
    eq.MI.repaired/samples <= :: I(\phi_T,\alpha)\le T\,I(\phi_1,\alpha)
    eq.MI/coin <~ :: I(\mathrm{Ber}(\tfrac12+\alpha\delta),\alpha)\le C_1\delta^2
    eq.MI.explicit :: I(\mathrm{Ber}(\tfrac12+\alpha\delta),\alpha)\le4\ln2\,\delta^2
    eq.MI/count == :: \sum_i\mathbb 1_{b_{1i}<\delta}\delta_i^2=\mathcal N_1^\delta(b)\,\delta^2
    eq.MI.repaired/count <= :: \sum_i\mathbb 1_{b_{1i}<\delta}\delta_i^2\le\mathcal N_1^\delta(b)\,\delta^2
Appendix B.2 :: claim :: discrepancy
    def.rho :: \rho(f,h)\le\rho(f,g)+\rho(g,h)
Appendix B.2 :: claim :: discrepancy on G(delta)
    def.rho.repaired :: f,g,h\in\mathcal G(\delta):\ \rho(f,h)\le\rho(f,g)+\rho(g,h)
Appendix B.2 :: claim :: packing of signs
    packing :: |\mathcal V|\ge(2/\sqrt e)^{d/2}
    packing.repaired :: d\ge2:\ |\mathcal V|\ge(2/\sqrt e)^{d/2}
Appendix B.2 :: proof step :: separation
    eq.rho_abs/value == :: \rho(g_\alpha,g_\beta)=\frac{\delta}{d}\sum_k|\alpha_k-\beta_k|
    eq.rho_abs.repaired == :: \rho(g_\alpha,g_\beta)=\frac{\delta}{2d}\sum_k|\alpha_k-\beta_k|
    eq.rho_abs/psi :: \psi(\delta)\ge\delta/4
Appendix B.3 :: proof step :: separation
    eq.rho_quad/value == :: \rho(g_\alpha,g_\beta)=\frac{\delta^2}{d}\sum_k|\alpha_k-\beta_k|
    eq.rho_quad.repaired == :: \rho(g_\alpha,g_\beta)=\frac{\delta^2}{2d}\sum_k|\alpha_k-\beta_k|
    eq.rho_quad/psi :: \psi(\delta)\ge\delta^2/4
""")

_TWO_SIGNS = q.family(
    "point delta",
    "two sign vectors that differ in the first coordinates",
    *q.sizes("d different", (1, 1), (2, 1), (2, 2), (3, 1), (3, 3)),
    point=Real(-1, 1, per=("d",)),
    delta=Real(0, 1 / 2, domain=(0, 1 / 2)),
)
_ANSWERS = q.family(
    "answers mass delta",
    "answers with any chances",
    *q.sizes("n", 2, 3),
    answers=Real(-1, 1, per=("n",)),
    mass=Real(1 / 16, 16, log=True, per=("n",)),
)
third = Hypothesis(
    "error at most 1/3",
    r"\mathbb P(\hat\alpha\ne\alpha)\le\tfrac13",
    lambda w: 1 - 3 * w.error,
    "Appendix B.1",
)
_CHANNEL = q.family(
    "error",
    "answers that are wrong with chance p, uniformly",
    *q.sizes("size", 3, 4, 16),
    error=Real(1 / 1024, 1 / 2, log=True, domain=(0, 1)),
)
_TEST: dict[str, Any] = {"family": _CHANNEL, "given": [third]}
_COINS = q.family("delta", "coins of any bias")
_ANY_BIASES = q.family(
    "delta bias",
    "agent 1 and others, any biases",
    *q.sizes("N", 1, 2, 3),
    bias=Real(0, 1, per=("N",)),
)
_NAMES = {"first": "alpha", "second": "beta", "third": "gamma"}
_SIGNS = q.family(
    "first second third delta",
    "signs of numbers",
    *q.sizes("d", 1, 2),
    **{name: Real(-1, 1, per=("d",)) for name in _NAMES},
)
_CONES = numbers(
    {"height": Real(1 / 8, 8, log=True, per=("three",)), "centre": Real(-1, 1, per=("three",))},
    {"three": 3},
    about="three functions h |x - m|",
)
_apart = Hypothesis(
    "at least d/4 differ",
    r"\tfrac12\sum_k|\alpha_k-\beta_k|\ge\tfrac d4",
    lambda w: (4 * w.different - w.d) * xp.ones_like(w.delta),
    "Appendix B.2",
)
_DIFFERENT = q.family("delta", q.ANY, *q.sizes("d different", (2, 1), (4, 1), (4, 3)))


# -- from methods to tests: Lemmas 1 and 2 --------------------------------------------------------
def _gap(w: World, sign: int) -> Array:
    """Gap at the point of one of two functions: sign 1 everywhere, or -1 in some coordinates."""
    return gaps_summed(w, w.point, w.delta, sign, w.different, w.d) / w.d


@quantity
def gaps_summed(
    w: World, point: Array, delta: Array, sign: int, different: int, dimension: int
) -> Array:
    """Sum of the gaps of the coordinates, the first ones of which have this sign."""
    total: Array = 0 * delta
    for k in range(dimension):
        own = sign if k < different else 1
        value = made.convex_coordinate(point[..., k], own, delta, delta)
        total = total + value - made.convex_minimum(own, delta)
    return total


@claim("lemma1", family=_TWO_SIGNS)
def lemma1(w: World) -> Sides:
    """The larger of two gaps at one point, against a third of rho of the two, at least psi/3;
    tight up to 2/3 (both gaps are rho/2)."""
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


@claim("lemma2", family=_ANSWERS, given=[precise], uses=("allforall.lemma1",))
def lemma2(w: World) -> Sides:
    """Test: the sign whose function has the smaller gap (the other one at a tie). A wrong answer
    has gap at least psi/2 by the definition of psi, so Markov's inequality even gives 2/9."""
    chance, own, other = _outcome(w)
    wrong = xp.total(chance * xp.indicator(own >= other, own))
    return {"chance of error": wrong}, {"1/3": xp.ones_like(wrong) / 3}


# -- Fano's inequality and its chain --------------------------------------------------------------
def _information(w: World) -> Array:
    return lower.symmetric_channel_information(w.size, w.error)


@claim("fano", family=_CHANNEL)
def fano(w: World) -> Sides:
    """|V| = M messages, the test is the answer of the channel: its error is p. With M in place
    of ln M the bound does not tend to 0 for a channel without errors, where I = ln M."""
    return {"bound": lower.fano_printed(_information(w), w.size)}, {"error of the test": w.error}


@claim("fano.repaired", family=_CHANNEL)
def fano_repaired(w: World) -> Sides:
    """|V| = M messages, the test is the answer of the channel: its error is p.

    Proof. The test is a function of the data, so I(alpha, test) <= I(phi, alpha), and with alpha
    uniform H(alpha | test) = ln M - I(alpha, test) >= ln M - I(phi, alpha). Given the test, it
    takes h(p) <= ln 2 to say whether it is right, and at most ln(M - 1) <= ln M more with
    probability p to say which message it was: H(alpha | test) <= ln 2 + p ln M. Hence p >= 1 - (I
    + ln 2)/ln M."""
    return {"bound": lower.fano_lower(_information(w), w.size)}, {"error of the test": w.error}


def _samples(w: World, content: Array) -> Sides:
    needed = (2 * content / 3 - xp.log(2 * xp.ones_like(w.error))) / _information(w)
    return {"samples asked for": needed}, {"samples used": xp.ones_like(w.error)}


@claim("eq10", **_TEST, uses=("allforall.fano",))
def samples(w: World) -> Sides:
    """One sample is enough for error 1/3 here: T = 1, and I(phi_1; alpha) is exact."""
    return _samples(w, xp.ones_like(w.error) * w.size)


@claim("eq10.repaired", **_TEST, note=samples.note, uses=("allforall.fano.repaired",))
def samples_repaired(w: World) -> Sides:
    """Proof. A test with error at most 1/3 from T samples has by Fano's inequality 1/3 >= 1 -
    (I(phi_T, alpha) + ln 2)/ln |V|, that is I(phi_T, alpha) >= (2/3) ln |V| - ln 2. With
    I(phi_T, alpha) <= T I(phi_1, alpha), division gives the claim."""
    return _samples(w, xp.log(xp.ones_like(w.error) * w.size))


chain = (
    claim.variant(lemma2, "proof.fanochain/first", uses=("allforall.lemma2",)),
    claim.variant(fano, "proof.fanochain/second", given=[third], uses=("allforall.fano",)),
    claim.variant(
        fano_repaired, "proof.fanochain.repaired", given=[third], uses=("allforall.fano.repaired",)
    ),
)


# -- mutual information ---------------------------------------------------------------------------
@claim("eq.MI/samples", family=_COINS)
def two_samples(w: World) -> Sides:
    """One agent, d = 2, V = {(1, 1), (1, -1)}, two samples: I(phi_2; alpha) against
    2 I(phi_1). A sample shows the second coordinate, a coin of the fair sign alpha_2, with chance
    1/2. Two such tosses tell less than twice one toss: after two equal ones the posterior of the
    sign is p^2/(p^2 + q^2), after two different ones nothing is learned."""
    p, other = (1 + 2 * w.delta) / 2, (1 - 2 * w.delta) / 2
    same = p**2 + other**2
    high, low = p**2 / same, other**2 / same
    once = lower.coin_information(w.delta)
    twice = same * (lower.entropy_part(high, 2 * high) + lower.entropy_part(low, 2 * low))
    return {"I(phi_2)": once / 2 + twice / 4}, {"2 I(phi_1)": once}


two_samples_repaired = claim.variant(
    two_samples,
    "eq.MI.repaired/samples",
    proof="""Given alpha the samples are independent, so H(phi_2 | alpha) = 2 H(phi_1 | alpha),
    while H(phi_2) <= 2 H(phi_1).""",
)


@claim("eq.MI/coin", family=_COINS)
def coin(w: World) -> Sides:
    """C_1 is some numerical constant."""
    return {"I(coin; sign)": lower.coin_information(w.delta)}, {"delta^2": w.delta**2}


coin_explicit = coin.bounded(
    "allforall.eq.MI.explicit",
    lambda c: 4 * xp.log(2 * c.one),
    says="4 ln 2",
    latex=claim.latex("eq.MI.explicit"),
    note="Equality at delta = 1/2, where the coin shows the sign.",
    proof="""With z = 2 delta the information ((1 + z) ln(1 + z) + (1 - z) ln(1 - z))/2 is the
    series of z^(2 k)/(2 k (2 k - 1)), so that over z^2 it grows with z; at z = 1 it is ln 2.""",
)


@claim("eq.MI/count", family=_ANY_BIASES)
def close_agents(w: World) -> Sides:
    """delta_i = (delta - b_1i)^+ against delta, agent 1 itself (b_11 = 0) and N others."""
    left = w.delta**2 + xp.total(xp.positive_part(w.delta[..., None] - w.bias) ** 2)
    close = 1 + xp.total(xp.indicator(w.bias <= w.delta[..., None], w.bias))
    return {"sum of delta_i^2": left}, {"N_1 delta^2": close * w.delta**2}


close_agents_repaired = claim.variant(
    close_agents,
    "eq.MI.repaired/count",
    proof="Where b_1i <= delta, 0 <= delta - b_1i <= delta; elsewhere delta_i = 0.",
)


# -- discrepancy and packing ----------------------------------------------------------------------
def _not_zero(name: str, symbol: str) -> Hypothesis:
    return Hypothesis(
        name,
        rf"\{symbol}_k\in\{{-1,1\}}",
        lambda w: xp.smallest(xp.absolute(getattr(w, name))),
        "Appendix B.2",
        strict=True,
    )


@claim(
    "def.rho.repaired",
    family=_SIGNS,
    given=[_not_zero(name, symbol) for name, symbol in _NAMES.items()],
)
def rho_on_family(w: World) -> Sides:
    """On G(delta) rho is delta/d times the number of different signs, here those of numbers.

    Proof. Numbers of different signs satisfy the triangle inequality."""
    apart = [
        w.delta * xp.total(xp.indicator(a * b < 0, a)) / w.d
        for a, b in ((w.first, w.third), (w.first, w.second), (w.second, w.third))
    ]
    return {"rho(f, h)": apart[0]}, {"rho(f, g)": apart[1], "rho(g, h)": apart[2]}


def _rho(w: World, i: int, j: int) -> Array:
    """rho(h |x - m|, h' |x - m'|) = min(h, h') |m - m'|."""
    least = xp.minimum(w.height[..., i], w.height[..., j])
    return least * xp.absolute(w.centre[..., i] - w.centre[..., j])


@claim("def.rho", family=_CONES)
def rho_on_convex(w: World) -> Sides:
    """Called a pseudo-metric for any two functions. A flat function lies close to both of two steep
    ones that are far from each other."""
    return {"rho(f, h)": _rho(w, 0, 2)}, {"rho(f, g)": _rho(w, 0, 1), "rho(g, h)": _rho(w, 1, 2)}


def _packings(*dims: int) -> Family:
    packed = q.sizes("d packed", *((d, made.greedy_packing(d)) for d in dims))
    return numbers({"unit": Real(1, 1)}, *packed, about="greedy packings")


@claim("packing", family=_packings(1, 2, 3, 4, 5, 6, 8))
def packing(w: World) -> Sides:
    """For d = 1 all of V is {1}, as -1 is excluded: one vector, where 1.1 are asked for."""
    unit = xp.ones_like(w.unit)
    bound = made.packing_size_lower(w.d, unit)
    return {"(2/sqrt e)^(d/2)": bound}, {"greedy packing": w.packed * unit}


packing_repaired = claim.variant(
    packing,
    "packing.repaired",
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


def _separation(kind: str) -> tuple[Statement, ...]:
    """rho of two functions that differ in some signs, its repair, and what the packing makes of it."""

    @claim(f"eq.rho_{kind}/value", family=_DIFFERENT)
    def value(w: World) -> Sides:
        """Infimum over x, coordinate by coordinate, |alpha_k - beta_k| = 2 where they differ."""
        return _value(w, kind, 2)

    @claim(f"eq.rho_{kind}.repaired", family=_DIFFERENT, note=value.note)
    def repaired(w: World) -> Sides:
        """Proof. Coordinates with equal signs add nothing: one x minimises both functions there.
        Convex, different signs: h_+ + h_- = 1 - 2 delta x on [-1/2, 1/2] with slopes 2 (1 - delta)
        and -2 (1 + delta) beyond, least at 1/2: 1 - delta, against minima (1 - delta)/2 and (1 - 3
        delta)/2; what remains is delta = delta |alpha_k - beta_k|/2. Quadratic: x^2 + 1 - x, least
        at 1/2: 3/4, against (1 - (1/2 + delta)^2)/2 and (1 - (1/2 - delta)^2)/2, in sum 3/4 -
        delta^2; what remains is delta^2."""
        return _value(w, kind, 1)

    @claim(f"eq.rho_{kind}/psi", family=_DIFFERENT, given=[_apart])
    def psi(w: World) -> Sides:
        """At least d/4 signs differ."""
        rule = made.convex_separation if kind == "abs" else made.quadratic_separation
        size = w.delta if kind == "abs" else w.delta**2
        return {"claimed": size / 4}, {"rho": rule(w.delta, w.different, w.d)}

    return value, repaired, psi


rho_convex, rho_quadratic = _separation("abs"), _separation("quad")
