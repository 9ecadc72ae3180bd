"""fedbc.lemmaB2.refined: the consensus error for any dual domain above L/2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statements.fedbc.outlines import lemmas as of

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "fedbc.lemmaB2.refined"
MEANS = of.ROUND | of.PAIRS | {"T": "T", "low": "lambda_min", "top": "L"}


def lemma_b2_refined() -> Outline:
    """Every device computing, multipliers of at least lambda_min, 2 lambda_min above L."""
    o = of.rounds("Lemma B.2 of fedbc, any dual domain above L/2")
    of.pairs(o)
    o.numbers("positive", "low", "top")
    o.numbers("positive integer", "T")
    o.given("low <= lam[i, t]", "L[i] <= top", "top < 2*low")
    far, within = f"({of.LATER} - z[t + 1])**2", "((2*root + delta/low)/(2*low - top))**2"
    total = f"Sum({of.each(far)}, (t, 0, T - 1))"
    bound = f"{total}/(T*N) <= {within}"
    o.claim(bound)

    least, most = "lam[j, t]*(2*low - top)", "(2*root + delta/low)"
    o.step("flatter", f"{least} <= {of.CURVE}", "low <= lam[i, t]; L[i] <= top")
    o.step("double", f"0 <= 2*{of.CURVE}", "flatter; top < 2*low")
    of.pushed(o)
    o.step(
        "flatter squared",
        f"({least})**2 <= ({of.CURVE})**2",
        "flatter; top < 2*low",
    )
    o.step(
        "weighted",
        f"({least})**2*{of.APART}**2 <= {of.ROUGH}**2",
        "flatter squared; pair squared; push",
        roots=of.APART,
    )
    other = "(lam[i, t]*(2*low - top))**2"
    o.step(
        "the other way",
        f"{other}*{of.APART}**2 <= {of.ROUGH}**2",
        "weighted at i = j, j = i",
    )
    claim = f"(2*low - top)**2*{of.APART}**2 <= {most}**2"
    for name, way, letter, sign in (
        ("larger", "weighted", "j", ""),
        ("smaller", "the other way", "i", "-"),
    ):
        o.step(
            name,
            claim,
            f"{way}; low <= lam[i, t] at i = {letter}",
            supposing=f"0 <= {sign}(lam[j, t] - lam[i, t])",
            degree=4,
        )
    o.close(
        "pair in any case",
        claim,
        "cases",
        claim=f"{most}**2 - (2*low - top)**2*{of.APART}**2",
        on="lam[j, t] - lam[i, t]",
        then="larger",
        else_="smaller",
    )
    o.step("distance of a pair", f"{of.APART}**2 <= {within}", "pair in any case; top < 2*low")
    o.step("no square is negative", f"0 <= {within}", "top < 2*low")
    of.meaned(o, within)
    each = {"index": "i", "rounds": "N", "of": "0"}
    o.close("clients", f"{of.each(far)} <= N*{within}", "telescoped", step="near", **each)
    o.close(
        "rounds",
        f"{total} <= T*N*{within}",
        "telescoped",
        step="clients",
        index="t",
        rounds="T",
        of="0",
    )
    o.step("mean", bound, "rounds times 1/(T*N)")
    return o
