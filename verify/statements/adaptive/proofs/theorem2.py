"""The rows of Theorem 2, repaired and refined, each with its outline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.outlines.registry import proved_by
from verify.statements.adaptive import theorem2
from verify.statements.adaptive.proofs import stopped_run as of
from verify.statements.adaptive.proofs.setting import (
    ANY_PATH,
    DECREASING,
    DECREASING_ON_ANY_PATH,
    STOPPED,
)

if TYPE_CHECKING:
    from verify.proof.outline import Outline


def theorem2_const() -> Outline:
    """Constant step, with b^2, on the event that epsilon was not reached before."""
    o = of.stopped_run(
        "Theorem 2 of adaptive, constant step, where epsilon was not reached before", "eta"
    )
    bound = "F(w[T]) - F(star) <= (1 - eta*mu)**T*(F(w[0]) - F(star)) + eta*beta/(2*mu)*suf"
    o.claim(bound)

    of.smaller_noise(o)
    of.one_round(o, "eta")
    power = "(1 - eta*mu)**T"
    rest = "eta**2*beta/2*noise"
    contraction = {"of": of.EXCESS, "factor": "1 - eta*mu", "rest": rest}
    series = {"step": "one round", "index": "t", "rounds": "T", **contraction}
    o.close(
        "rounds",
        f"F(w[T]) <= F(star) + {power}*(F(w[0]) - F(star)) + {rest}*(1 - {power})/(eta*mu)",
        "geometric",
        **series,
    )
    o.close("power", f"0 <= {power}", "geometric", **series)
    o.step(
        "bound",
        bound,
        "rounds; power times eta*beta/(2*mu)*noise; effective noise times eta*beta/(2*mu);"
        "smaller noise times eta*beta/(2*mu)",
    )
    return o


def theorem2_const_refined() -> Outline:
    """Constant step, on the event that epsilon was not reached before, the sum kept."""
    o = of.stopped_run("Theorem 2 of adaptive, constant step, with the geometric sum", "eta")
    power, rest = "(1 - eta*mu)**T", "eta**2*beta/2*suf"
    bound = f"F(w[T]) - F(star) <= {power}*(F(w[0]) - F(star)) + eta*beta/(2*mu)*suf*(1 - {power})"
    o.claim(bound)

    of.smaller_noise(o)
    of.one_round(o, "eta")
    o.step(
        "in a round",
        f"F(w[t + 1]) - F(star) <= (1 - eta*mu)*({of.EXCESS}) + {rest}",
        "one round; effective noise times eta**2*beta/2; smaller noise times eta**2*beta/2",
    )
    o.close(
        "rounds",
        f"F(w[T]) - F(star) <= {power}*(F(w[0]) - F(star)) + {rest}*(1 - {power})/(eta*mu)",
        "geometric",
        step="in a round",
        index="t",
        rounds="T",
        of=of.EXCESS,
        factor="1 - eta*mu",
        rest=rest,
    )
    o.step("bound", bound, "rounds")
    return o


def theorem2_decr() -> Outline:
    """Steps C/(mu (gamma + t)), with b^2, on the event that epsilon was not reached before."""
    o = of.stopped_run(
        "Theorem 2 of adaptive, decreasing steps, where epsilon was not reached before", "eta[t]"
    )
    o.numbers("positive", "C")
    o.numbers("nonnegative", "gamma", "nu")
    o.document["numbers"]["T"] = "positive integer"
    o.fact("steps", "definition", entry="eta[t]", is_="C/(mu*(gamma + t + 1))")
    o.given("1 < C")
    plateau = "beta*suf*C**2/(2*mu**2*(C - 1))"
    o.fact("plateau", "condition", less=plateau, more="nu")
    o.fact("start", "relation", less="gamma*(F(w[0]) - F(star))", more="nu")
    bound = "F(w[T]) - F(star) <= nu/(gamma + T)"
    o.claim(bound)

    of.smaller_noise(o)
    of.one_round(o, "eta[t]")
    n, after = "(gamma + t + 1)", "(F(w[t + 1]) - F(star))"
    o.step("delayed", f"C <= {n}", "eta[t] <= 1/mu times mu")
    o.step("later", "0 < gamma + t", "delayed; 1 < C")
    o.step("noise", "noise <= suf", "effective noise; smaller noise")
    o.step(
        "scaled",
        f"{n}*{after} <= ({n} - C)*({of.EXCESS}) + beta*C**2*suf/(2*mu**2*{n})",
        f"one round times {n}; noise times beta*C**2/(2*mu**2*{n})",
    )
    o.step("room", "beta*C**2*suf/(2*mu**2) <= (C - 1)*nu", "plateau times C - 1; 1 < C")
    o.step("rest", f"(gamma + t)/{n}*(C - 1)*nu <= (C - 1)*nu", "1 < C")
    o.step(
        "gathered",
        f"(gamma + t)*{n}*{after} <= ({n} - C)*(gamma + t)*({of.EXCESS}) + (C - 1)*nu",
        f"scaled times gamma + t; room times (gamma + t)/{n}; rest",
    )
    o.step(
        "next",
        f"{n}*{after} <= nu",
        "gathered; delayed; later",
        supposing=f"(gamma + t)*({of.EXCESS}) <= nu",
    )
    claim = f"nu - (gamma + t)*({of.EXCESS})"
    o.close(
        "all rounds",
        f"(gamma + t)*({of.EXCESS}) <= nu",
        "induction",
        claim=claim,
        index="t",
        next="next",
    )
    o.step("bound", bound, "all rounds at t = T times 1/(gamma + T)")
    return o


proved_by(theorem2.constant_row_repaired, STOPPED, theorem2_const)
proved_by(theorem2.stopped_constant, ANY_PATH, theorem2_const_refined)
proved_by(theorem2.decreasing_row_repaired, DECREASING, theorem2_decr)
proved_by(theorem2.stopped_decreasing, DECREASING_ON_ANY_PATH, theorem2_decr)
