"""The rows of Theorem 2, repaired and refined, and the chance of Corollary 1, each by its outline.

The run is stopped where its excess loss is below epsilon for the first time: from there on its
model is the minimiser, where nothing is told and nothing is lost.  So the mean excess loss of the
stopped run is that of the run itself on the event that epsilon was not reached before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.outlines.registry import proof_of
from verify.statements.adaptive import corollary1, theorem2
from verify.statements.adaptive.proofs.lemma2 import effective_noise, smaller_variance
from verify.statements.adaptive.proofs.place import WORST
from verify.statements.adaptive.proofs.setting import (
    ANY_PATH,
    DECREASING,
    DECREASING_ON_ANY_PATH,
    STOPPED,
)

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline

EXCESS = "F(w[t]) - F(star)"


@proof_of(theorem2.constant_row_repaired, STOPPED)
def constant_row(o: StatementOutline) -> None:
    """The recursion, unrolled; the geometric series is at most 1/(eta mu)."""
    _one_round(o, "eta")
    power, rest = "(1 - eta*mu)**T", "eta**2*beta/2*suf"
    series = {"step": "one round", "index": "t", "rounds": "T", "of": EXCESS}
    series |= {"factor": "1 - eta*mu", "rest": rest}
    o.close(
        "rounds",
        f"F(w[T]) - F(star) <= {power}*(F(w[0]) - F(star)) + {rest}*(1 - {power})/(eta*mu)",
        "geometric",
        **series,
    )
    o.close("power", f"0 <= {power}", "geometric", **series)
    o.step("bound", f"{o.left} <= {o.right}", "rounds; power times eta*beta/(2*mu)*suf")


@proof_of(theorem2.stopped_constant, ANY_PATH)
def constant_row_with_the_series(o: StatementOutline) -> None:
    """The same, the geometric sum kept."""
    _one_round(o, "eta")
    o.close(
        "bound",
        f"{o.left} <= {o.right}",
        "geometric",
        step="one round",
        index="t",
        rounds="T",
        of=EXCESS,
        factor="1 - eta*mu",
        rest="eta**2*beta/2*suf",
    )


@proof_of(theorem2.decreasing_row_repaired, DECREASING)
@proof_of(theorem2.stopped_decreasing, DECREASING_ON_ANY_PATH)
def decreasing_row(o: StatementOutline) -> None:
    """With steps C/(mu (gamma + t)), by induction."""
    _decreasing(o)
    o.step("bound", f"{o.left} <= {o.right}", "all rounds at t = T times 1/(gamma + T)")


@proof_of(corollary1.unreached, DECREASING_ON_ANY_PATH)
def unreached(o: StatementOutline) -> None:
    """Where epsilon is not reached the excess loss is at least epsilon: Markov's inequality."""
    o.uses("where it goes on")
    _decreasing(o)
    o.step(
        "chance",
        f"{o.left} <= {o.right}",
        "where it goes on times 1/eps; stopped at t = T times 1/eps;"
        "all rounds at t = T times 1/(eps*(gamma + T))",
    )


def _one_round(o: StatementOutline, eta: str) -> None:
    """The excess loss after a round, from the excess loss before it."""
    o.uses("rule", "stopped", "gaps", "short steps", "unbiased", "variance", "not too long")
    o.uses("smooth", at="v[t]", to="w[t + 1]")
    o.uses("PL", at="v[t]")
    effective_noise(o, WORST)
    smaller_variance(o, WORST)
    o.step("noise", "noise <= suf", "effective noise; smaller variance")
    half = f"{eta}**2*beta/2"
    o.step(
        "descent",
        f"F(w[t + 1]) - F(star) <= (1 - {eta}*mu)*(F(v[t]) - F(star)) + {half}*suf",
        f"smooth; gaps times {eta}/2; short steps times {half}; variance times {half};"
        f"noise times {half}; PL times {eta}/2",
    )
    o.step("factor", f"0 <= 1 - {eta}*mu", "not too long times mu")
    o.step(
        "one round",
        f"F(w[t + 1]) - F(star) <= (1 - {eta}*mu)*({EXCESS}) + {half}*suf",
        f"descent; stopped times 1 - {eta}*mu",
    )


def _decreasing(o: StatementOutline) -> None:
    """That gamma + t times the excess loss is at most nu."""
    o.hypothesis("C > 1", "1 < C")
    o.uses("steps", "plateau", "start")
    _one_round(o, "eta[t]")
    n, after = "(gamma + t + 1)", "(F(w[t + 1]) - F(star))"
    o.step("delayed", f"C <= {n}", "not too long times mu")
    o.step("later", "0 < gamma + t", "delayed; 1 < C")
    o.step(
        "scaled",
        f"{n}*{after} <= ({n} - C)*({EXCESS}) + beta*C**2*suf/(2*mu**2*{n})",
        f"one round times {n}",
    )
    o.step("room", "beta*C**2*suf/(2*mu**2) <= (C - 1)*nu", "plateau times C - 1; 1 < C")
    o.step("rest", f"(gamma + t)/{n}*(C - 1)*nu <= (C - 1)*nu", "1 < C")
    o.step(
        "gathered",
        f"(gamma + t)*{n}*{after} <= ({n} - C)*(gamma + t)*({EXCESS}) + (C - 1)*nu",
        f"scaled times gamma + t; room times (gamma + t)/{n}; rest",
    )
    supposed = f"(gamma + t)*({EXCESS}) <= nu"
    o.step("next", f"{n}*{after} <= nu", "gathered; delayed; later", supposing=supposed)
    claim = f"nu - (gamma + t)*({EXCESS})"
    o.close("all rounds", supposed, "induction", claim=claim, index="t", next="next")
