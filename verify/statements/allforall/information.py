"""Appendix B: Fano's inequality and mutual information."""

from __future__ import annotations

from functools import partial

from bounds import generic as xp
from bounds.allforall import lower
from verify.claim import Array, Hypothesis, Real, Sides, numbers, statement
from verify.statements.allforall import box
from verify.statements.allforall.separation import PROOF, lemma2
from verify.world.world import World

third = Hypothesis(
    "error at most 1/3",
    r"\mathbb P(\hat\alpha\ne\alpha)\le\tfrac13",
    lambda w: 1 - 3 * w.error,
    "Appendix B.1",
)


def _information(w: World) -> Array:
    return lower.symmetric_channel_information(w.size, w.error)


def _fano(w: World, printed: bool) -> Sides:
    bound = lower.fano_printed if printed else lower.fano_lower
    return {"bound": bound(_information(w), w.size)}, {"error of the test": w.error}


fano = statement(
    "allforall.fano",
    where="Equation 9",
    kind="lemma",
    title="Fano's inequality",
    latex=r"\mathbb P(\hat\alpha\ne\alpha)\ge1-\frac{I(\phi,\alpha)+\ln2}{|\mathcal V|}",
    family=numbers(
        {"error": Real(1 / 1024, 1 / 2, log=True, domain=(0, 1))},
        {"size": 3},
        {"size": 4},
        {"size": 16},
        about="answers that are wrong with chance p, uniformly",
    ),
    note="""|V| = M messages, the test is the answer of the channel: its error is p. With M in place
    of ln M the bound does not tend to 0 for a channel without errors, where I = ln M.""",
)(partial(_fano, printed=True))
fano_repaired = fano.variant(
    "allforall.fano.repaired",
    sides=partial(_fano, printed=False),
    note="|V| = M messages, the test is the answer of the channel: its error is p.",
    proof="""The test is a function of the data, so I(alpha, test) <= I(phi, alpha), and with alpha
    uniform H(alpha | test) = ln M - I(alpha, test) >= ln M - I(phi, alpha). Given the test, it
    takes h(p) <= ln 2 to say whether it is right, and at most ln(M - 1) <= ln M more with
    probability p to say which message it was: H(alpha | test) <= ln 2 + p ln M. Hence p >= 1 - (I
    + ln 2)/ln M.""",
    latex=r"\mathbb P(\hat\alpha\ne\alpha)\ge1-\frac{I(\phi,\alpha)+\ln2}{\ln|\mathcal V|}",
)


def _samples(w: World, printed: bool) -> Sides:
    size = xp.ones_like(w.error) * w.size
    content = size if printed else xp.log(size)
    needed = (2 * content / 3 - xp.log(2 * xp.ones_like(w.error))) / _information(w)
    return {"samples asked for": needed}, {"samples used": xp.ones_like(w.error)}


samples = statement(
    "allforall.eq10",
    where="Equation 10",
    kind="proof step",
    title="samples from information",
    latex=r"T_\varepsilon\ge\frac{\frac23|\mathcal V|-\ln2}{I(\phi_1,\alpha)}",
    family=fano.family,
    given=[third],
    uses=("allforall.fano",),
    note="One sample is enough for error 1/3 here: T = 1, and I(phi_1; alpha) is exact.",
)(partial(_samples, printed=True))
samples_repaired = samples.variant(
    "allforall.eq10.repaired",
    sides=partial(_samples, printed=False),
    proof="""A test with error at most 1/3 from T samples has by Fano's inequality 1/3 >= 1 -
    (I(phi_T, alpha) + ln 2)/ln |V|, that is I(phi_T, alpha) >= (2/3) ln |V| - ln 2. With
    I(phi_T, alpha) <= T I(phi_1, alpha), division gives the claim.""",
    latex=r"T_\varepsilon\ge\frac{\frac23\ln|\mathcal V|-\ln2}{I(\phi_1,\alpha)}",
    uses=("allforall.fano.repaired",),
)

chain = (
    lemma2.variant(
        "allforall.proof.fanochain/first",
        where=PROOF,
        kind="proof step",
        title="chain with Fano",
        latex=r"\tfrac13\ge\mathbb P_\phi(\hat\alpha\ne\alpha)",
        uses=("allforall.lemma2",),
    ),
    fano.variant(
        "allforall.proof.fanochain/second",
        where=PROOF,
        kind="proof step",
        title="chain with Fano",
        latex=r"\mathbb P_\phi(\hat\alpha\ne\alpha)\ge1-\frac{I+\ln2}{|\mathcal V|}",
        given=[third],
        uses=("allforall.fano",),
    ),
    fano_repaired.variant(
        "allforall.proof.fanochain.repaired",
        where=PROOF,
        kind="proof step",
        title="chain with Fano",
        given=[third],
        uses=("allforall.fano.repaired",),
        latex=r"\mathbb P_\phi(\hat\alpha\ne\alpha)\ge1-\frac{I+\ln2}{\ln|\mathcal V|}",
    ),
)


@statement(
    "allforall.eq.MI/samples",
    where=PROOF,
    kind="proof step",
    title="mutual information",
    relation="==",
    latex=r"I(\phi_T,\alpha)=T\,I(\phi_1,\alpha)",
    family=numbers({"delta": box.DELTA}, about="coins of any bias"),
    note="""One agent, d = 2, V = {(1, 1), (1, -1)}, two samples: I(phi_2; alpha) against
    2 I(phi_1). A sample shows the second coordinate, a coin of the fair sign alpha_2, with chance
    1/2. Two such tosses tell less than twice one toss: after two equal ones the posterior of the
    sign is p^2/(p^2 + q^2), after two different ones nothing is learned.""",
)
def two_samples(w: World) -> Sides:
    p, q = (1 + 2 * w.delta) / 2, (1 - 2 * w.delta) / 2
    same = p**2 + q**2
    high, low = p**2 / same, q**2 / same
    once = lower.coin_information(w.delta)
    twice = same * (xp.log(2 * high) * high + xp.log(2 * low) * low)
    return {"I(phi_2)": once / 2 + twice / 4}, {"2 I(phi_1)": once}


two_samples_repaired = two_samples.variant(
    "allforall.eq.MI.repaired/samples",
    relation="<=",
    proof="""Given alpha the samples are independent, so H(phi_2 | alpha) = 2 H(phi_1 | alpha),
    while H(phi_2) <= 2 H(phi_1).""",
    latex=r"I(\phi_T,\alpha)\le T\,I(\phi_1,\alpha)",
)


@two_samples.like(
    "allforall.eq.MI/coin",
    relation="<~",
    latex=r"I(\mathrm{Ber}(\tfrac12+\alpha\delta),\alpha)\le C_1\delta^2",
    note="C_1 is some numerical constant.",
)
def coin(w: World) -> Sides:
    return {"I(coin; sign)": lower.coin_information(w.delta)}, {"delta^2": w.delta**2}


@coin.like(
    "allforall.eq.MI.explicit",
    relation="<=",
    latex=r"I(\mathrm{Ber}(\tfrac12+\alpha\delta),\alpha)\le4\ln2\,\delta^2",
    note="Equality at delta = 1/2, where the coin shows the sign.",
    proof="""With z = 2 delta the information ((1 + z) ln(1 + z) + (1 - z) ln(1 - z))/2 is the series
    of z^(2 k)/(2 k (2 k - 1)), so that over z^2 it grows with z; at z = 1 it is ln 2.""",
)
def coin_explicit(w: World) -> Sides:
    two = xp.log(2 * xp.ones_like(w.delta))
    return {"I(coin; sign)": lower.coin_information(w.delta)}, {"bound": 4 * two * w.delta**2}


@two_samples.like(
    "allforall.eq.MI/count",
    latex=r"\sum_i\mathbb 1_{b_{1i}<\delta}\delta_i^2=\mathcal N_1^\delta(b)\,\delta^2",
    family=numbers(
        {"delta": box.DELTA, "bias": Real(0, 1, per=("N",))},
        {"N": 1},
        {"N": 2},
        {"N": 3},
        about="agent 1 and others, any biases",
    ),
    note="delta_i = (delta - b_1i)^+ against delta, agent 1 itself (b_11 = 0) and N others.",
)
def close_agents(w: World) -> Sides:
    left = w.delta**2 + xp.total(xp.positive_part(w.delta[..., None] - w.bias) ** 2)
    close = 1 + xp.total(xp.indicator(w.bias <= w.delta[..., None], w.bias))
    return {"sum of delta_i^2": left}, {"N_1 delta^2": close * w.delta**2}


close_agents_repaired = close_agents.variant(
    "allforall.eq.MI.repaired/count",
    relation="<=",
    proof="Where b_1i <= delta, 0 <= delta - b_1i <= delta; elsewhere delta_i = 0.",
    latex=r"\sum_i\mathbb 1_{b_{1i}<\delta}\delta_i^2\le\mathcal N_1^\delta(b)\,\delta^2",
)
