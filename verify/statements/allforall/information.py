"""Appendix B: Fano's inequality and mutual information."""

from __future__ import annotations

from typing import Any

from bounds import allforall_lower as lower
from bounds import generic as xp
from verify.claim.parameters import Real
from verify.claim.statement import Statement, Terms
from verify.statements.allforall.common import numbers, one, source
from verify.statements.allforall.separation import (
    _PROOF,
    DELTA,
)
from verify.world.world import World

CHANNEL = numbers(
    {"error": Real(1 / 1024, 1 / 2, log=True)}, {"size": 3}, {"size": 4}, {"size": 16},
    about="answers that are wrong with chance p, uniformly",
)  # fmt: skip


def _information(w: World) -> Any:
    return lower.symmetric_channel_information(w.size, w.error)


def _guess(w: World) -> Terms:
    """The most likely message is the answer itself, so the best test errs with chance p."""
    return {"the answer is the best guess": (w.size - 1) - w.size * w.error}


def _fano(printed: bool) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """|V| = M messages, the test is the answer of the channel: its error is p.

        Proof.  The test is a function of the data, so I(alpha, test) <= I(phi, alpha), and with
        alpha uniform H(alpha | test) = ln M - I(alpha, test) >= ln M - I(phi, alpha).  Given the
        test, it takes h(p) <= ln 2 to say whether it is right, and at most ln(M - 1) <= ln M more
        with probability p to say which message it was: H(alpha | test) <= ln 2 + p ln M.  Hence
        p >= 1 - (I + ln 2)/ln M.  With M in place of ln M the bound does not tend to 0 for a
        channel without errors, where I = ln M.
        """
        bound = lower.fano_printed if printed else lower.fano_lower
        return {"bound": bound(_information(w), w.size)}, {"error of the best test": w.error}

    return sides


def _third(w: World) -> Terms:
    return {**_guess(w), "error at most 1/3": 1 - 3 * w.error}


def _samples(printed: bool) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """One sample is enough for error 1/3 here: T = 1, and I(phi_1; alpha) is exact.

        Proof of the form with ln |V|.  A test with error at most 1/3 from T samples has by Fano's
        inequality 1/3 >= 1 - (I(phi_T, alpha) + ln 2)/ln |V|, that is I(phi_T, alpha) >= (2/3)
        ln |V| - ln 2.  With I(phi_T, alpha) <= T I(phi_1, alpha), division gives the claim.
        """
        size = one(w.error) * w.size
        content = size if printed else xp.log(size)
        needed = (2 * content / 3 - xp.log(2 * one(w.error))) / _information(w)
        return {"samples asked for": needed}, {"samples used": one(w.error)}

    return sides


def _tensor(w: World) -> tuple[Terms, Terms]:
    """One agent, d = 2, V = {(1, 1), (1, -1)}, two samples: I(phi_2; alpha) against 2 I(phi_1).

    A sample shows the second coordinate, a coin of the fair sign alpha_2, with chance 1/2. Two
    such tosses tell less than twice one toss: after two equal ones the posterior of the sign is
    p^2/(p^2 + q^2), after two different ones nothing is learned.

    Proof of <=.  Given alpha the samples are independent, so H(phi_2 | alpha) = 2 H(phi_1 | alpha),
    while H(phi_2) <= 2 H(phi_1).
    """
    p, q = (1 + 2 * w.delta) / 2, (1 - 2 * w.delta) / 2
    same = p**2 + q**2
    high, low = p**2 / same, q**2 / same
    once = lower.coin_information(w.delta)
    twice = same * (xp.log(2 * high) * high + xp.log(2 * low) * low)
    return {"I(phi_2)": once / 2 + twice / 4}, {"2 I(phi_1)": once}


def _divergence(w: World) -> tuple[Terms, Terms]:
    """Tight at delta = 1/4: ln(3)/2 = 0.5493 against 8.8/16 = 0.55."""
    constant = lower.KL_CONSTANT
    return {"KL": lower.coin_divergence(w.delta)}, {
        "8.8 delta^2": constant.numerator * w.delta**2 / constant.denominator
    }


def _mutual(w: World) -> tuple[Terms, Terms]:
    """I is at most the divergence between the two coins, here about 2 delta^2."""
    constant = lower.KL_CONSTANT
    return {"I(coin; sign)": lower.coin_information(w.delta)}, {
        "8.8 delta^2": constant.numerator * w.delta**2 / constant.denominator
    }


def _count(w: World) -> tuple[Terms, Terms]:
    """delta_i = (delta - b_1i)^+ against delta, agent 1 itself (b_11 = 0) and N others.

    Proof of <=.  Where b_1i <= delta, 0 <= delta - b_1i <= delta; elsewhere delta_i = 0.
    """
    left = w.delta**2 + xp.total(xp.positive_part(w.delta[..., None] - w.bias) ** 2)
    close = 1 + xp.total(xp.indicator(w.bias <= w.delta[..., None], w.bias))
    return {"sum of delta_i^2": left}, {"N_1 delta^2": close * w.delta**2}


_BIASES = numbers(
    {"delta": DELTA, "bias": Real(0, 1, per=("N",))}, {"N": 1}, {"N": 2}, {"N": 3},
    about="agent 1 and others, any biases",
)  # fmt: skip
_COIN = numbers({"delta": Real(1 / 64, 1 / 4, log=True)}, about="coins of bias up to 1/4")


STATEMENTS = (
    Statement(
        key="allforall.fano", source=source("Equation 9"), family=CHANNEL, sides=_fano(True),
        latex=r"\mathbb P(\hat\alpha\ne\alpha)\ge1-\frac{I(\phi,\alpha)+\ln2}{|\mathcal V|}",
        given=_guess, title="Fano's inequality", kind="lemma",
    ),
    Statement(
        key="allforall.fano.repaired", source=source("Equation 9"), family=CHANNEL, kind="lemma",
        latex=r"\mathbb P(\hat\alpha\ne\alpha)\ge1-\frac{I(\phi,\alpha)+\ln2}{\ln|\mathcal V|}",
        form="repaired", sides=_fano(False), given=_guess, title="Fano's inequality",
    ),
    Statement(
        key="allforall.eq10", source=source("Equation 10"), family=CHANNEL, sides=_samples(True),
        latex=r"T_\varepsilon\ge\frac{\frac23|\mathcal V|-\ln2}{I(\phi_1,\alpha)}", given=_third,
        title="samples from information", kind="proof step", uses=("allforall.fano",),
    ),
    Statement(
        key="allforall.eq10.repaired", source=source("Equation 10"), family=CHANNEL,
        latex=r"T_\varepsilon\ge\frac{\frac23\ln|\mathcal V|-\ln2}{I(\phi_1,\alpha)}",
        sides=_samples(False), given=_third, form="repaired", title="samples from information",
        kind="proof step", uses=("allforall.fano.repaired",),
    ),
    Statement(
        key="allforall.proof.fanochain/second", source=source(_PROOF), kind="proof step",
        latex=r"\mathbb P_\phi(\hat\alpha\ne\alpha)\ge1-\frac{I+\ln2}{|\mathcal V|}",
        family=CHANNEL, sides=_fano(True), given=_third, title="chain with Fano",
        uses=("allforall.fano",),
    ),
    Statement(
        key="allforall.proof.fanochain.repaired", source=source(_PROOF), kind="proof step",
        latex=r"\mathbb P_\phi(\hat\alpha\ne\alpha)\ge1-\frac{I+\ln2}{\ln|\mathcal V|}",
        form="repaired", family=CHANNEL, sides=_fano(False), given=_third,
        title="chain with Fano", uses=("allforall.fano.repaired",),
    ),
    Statement(
        key="allforall.eq.MI/samples", source=source(_PROOF), kind="proof step", relation="==",
        latex=r"I(\phi_T,\alpha)=T\,I(\phi_1,\alpha)", title="mutual information",
        family=_COIN, sides=_tensor,
    ),
    Statement(
        key="allforall.eq.MI/divergence", source=source(_PROOF), kind="proof step", family=_COIN,
        latex=r"\mathrm{KL}(\mathrm{Ber}(\tfrac12+\delta)\|\mathrm{Ber}(\tfrac12-\delta))\le8.8\,\delta^2",
        title="mutual information", sides=_divergence,
    ),
    Statement(
        key="allforall.eq.MI/coin", source=source(_PROOF), kind="proof step", family=_COIN,
        latex=r"I(\mathrm{Ber}(\tfrac12+\alpha\delta),\alpha)\le8.8\,\delta^2",
        title="mutual information", sides=_mutual,
    ),
    Statement(
        key="allforall.eq.MI/count", source=source(_PROOF), kind="proof step", relation="==",
        latex=r"\sum_i\mathbb 1_{b_{1i}<\delta}\delta_i^2=\mathcal N_1^\delta(b)\,\delta^2",
        title="mutual information", family=_BIASES, sides=_count,
    ),
    Statement(
        key="allforall.eq.MI.repaired/samples", source=source(_PROOF), kind="proof step",
        form="repaired", latex=r"I(\phi_T,\alpha)\le T\,I(\phi_1,\alpha)", family=_COIN,
        title="mutual information", sides=_tensor,
    ),
    Statement(
        key="allforall.eq.MI.repaired/count", source=source(_PROOF), kind="proof step",
        form="repaired", title="mutual information", family=_BIASES, sides=_count,
        latex=r"\sum_i\mathbb 1_{b_{1i}<\delta}\delta_i^2\le\mathcal N_1^\delta(b)\,\delta^2",
    ),
)  # fmt: skip
