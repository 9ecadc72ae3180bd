"""Lemma B.2: the consensus error, of every pair of devices and so of the server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.outlines.registry import proof_of
from verify.statements.fedbc import lemma_b2
from verify.statements.fedbc.proofs import formulas as of
from verify.statements.fedbc.proofs.setting import CONSENSUS, CONSENSUS_IN_X

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline

PAIR = ("residual", "dissimilar")
"""Facts about two devices."""
SERVER = ("server", "weights")
"""Facts about the server's model."""
CURVE = "lam[s, j, t]*(2*lam[s, i, t] - L[i])"
RESIDUALS = f"(lam[s, j, t]*{of.OWN} - lam[s, i, t]*{of.BOTH})"
PUSH = f"({RESIDUALS} - {of.UNLIKE})"
"""What pushes two models apart: (curve) times their distance is at most its length."""
BOTH = "(lam[s, i, t] + lam[s, j, t])"
ROUGH = f"({BOTH}*root + delta)"
"""Its length, at most."""
NEAR, WITHIN = "(root + delta/2)**2", "((2*root + delta/low)/(2*low - top))**2"
"""Squared distances, for lambda_i^t >= 1 + L_i, and for 2 lambda_min > L."""


@proof_of(lemma_b2.lemma_explicit, CONSENSUS)
@proof_of(lemma_b2.lemma_bounded, CONSENSUS_IN_X)
def consensus(o: StatementOutline) -> None:
    """2 epsilon + delta^2/2, for lambda_i^t >= 1 + L_i."""
    o.uses("residual", "dissimilar", "above one", *SERVER)
    pair(o)
    steep(o)
    residuals_of_both(o)
    o.step(
        "push",
        f"{PUSH}**2 <= 2*{BOTH}**2*root**2 + 2*delta**2",
        "residuals times 2; dissimilar times 2",
        roots=f"{RESIDUALS} + {of.UNLIKE}",
    )
    within = "(2*root**2 + delta**2/2)"
    o.step(
        "rough",
        f"2*{BOTH}**2*root**2 + 2*delta**2 <= ({CURVE})**2*{within}",
        "twice; together",
    )
    o.step("distance of a pair", f"{of.APART}**2 <= {within}", "pair squared; push; rough; twice")
    near(o, within)
    averaged(o, within)


@proof_of(lemma_b2.lemma_refined, CONSENSUS)
def consensus_above_half(o: StatementOutline) -> None:
    """For any dual domain above L/2, the pair being in the order of its multipliers."""
    o.uses(*PAIR, "lower end", "largest", *SERVER)
    o.hypothesis("2 lambda_min > L", called="above half")
    pair(o)
    above_half(o)
    near(o, WITHIN)
    averaged(o, WITHIN)


def above_half(o: StatementOutline) -> None:
    """What 2 lambda_min > L, called above half, makes of a pair."""
    least, most = "lam[s, j, t]*(2*low - top)", "(2*root + delta/low)"
    o.step("flatter", f"{least} <= {CURVE}", "lower end; largest")
    o.step("not falling", f"0 <= 2*{CURVE}", "flatter; above half")
    squared(o)
    crossed(o)
    o.step("flatter squared", f"({least})**2 <= ({CURVE})**2", "flatter; above half")
    o.step(
        "weighted",
        f"({least})**2*{of.APART}**2 <= {ROUGH}**2",
        "flatter squared; pair squared; push",
        roots=of.APART,
    )
    o.step(
        "the other way",
        f"(lam[s, i, t]*(2*low - top))**2*{of.APART}**2 <= {ROUGH}**2",
        "weighted at i = j, j = i",
    )
    claim = f"(2*low - top)**2*{of.APART}**2 <= {most}**2"
    for name, way, letter, sign in (
        ("in order", "weighted", "j", ""),
        ("out of order", "the other way", "i", "-"),
    ):
        o.step(
            name,
            claim,
            f"{way}; lower end at i = {letter}",
            supposing=f"0 <= {sign}(lam[s, j, t] - lam[s, i, t])",
            degree=4,
        )
    o.close(
        "pair in any case",
        claim,
        "cases",
        claim=f"{most}**2 - (2*low - top)**2*{of.APART}**2",
        on="lam[s, j, t] - lam[s, i, t]",
        then="in order",
        else_="out of order",
    )
    o.step(
        "distance of a pair",
        f"{of.APART}**2 <= {WITHIN}",
        "pair in any case; above half",
    )
    o.step("no square is negative", f"0 <= {WITHIN}", "above half")


def above_one(o: StatementOutline) -> None:
    """What lambda_i^t >= 1 + L_i makes of a pair: sqrt(epsilon) + delta/2."""
    steep(o)
    crossed(o)
    o.step("rough", f"{ROUGH} <= {CURVE}*(root + delta/2)", "twice; together")
    o.step("rough squared", f"{ROUGH}**2 <= ({CURVE})**2*{NEAR}", "rough")
    o.step(
        "distance of a pair",
        f"{of.APART}**2 <= {NEAR}",
        "pair squared; push; rough squared; twice",
    )


def crossed(o: StatementOutline) -> None:
    """How long what pushes two models apart may be."""
    residuals_of_both(o)
    o.close(
        "product",
        f"-{RESIDUALS}*{of.UNLIKE} <= {BOTH}*root*delta",
        "Cauchy, Schwarz",
        one=f"-{RESIDUALS}",
        other=of.UNLIKE,
        size=f"{BOTH}*root",
        its="delta",
        first="residuals",
        second="dissimilar",
    )
    o.step("push", f"{PUSH}**2 <= {ROUGH}**2", "residuals; dissimilar; product times 2")


def residuals_of_both(o: StatementOutline) -> None:
    """The residuals of two devices, each with the multiplier of the other."""
    o.step(
        "residuals",
        f"{RESIDUALS}**2 <= ({BOTH}*root)**2",
        f"residual times lam[s, j, t]*{BOTH}; residual at i = j times lam[s, i, t]*{BOTH}",
        roots=f"{of.OWN} + {of.BOTH}",
    )


def pair(o: StatementOutline) -> None:
    """The models of two devices, by their residuals and what gradients differ by at one point."""
    o.uses("apart")
    turn = f"({of.there('i', of.LATER)} - {of.there('i', of.OTHER)})"
    o.step(
        "curved",
        f"-2*L[i]*{of.APART}**2 <= 2*{turn}*{of.APART}",
        "apart times 1/L[i]",
        roots=f"L[i]*{of.APART} + {turn}",
    )
    o.step(
        "pair",
        f"{CURVE}*{of.APART}**2 <= {PUSH}*{of.APART}",
        "curved times lam[s, j, t]/2",
    )


def steep(o: StatementOutline) -> None:
    """What lambda_i^t >= 1 + L_i makes of it."""
    o.step("other above", "1 <= lam[s, j, t]", "above one at i = j")
    o.step("twice", f"2 <= {CURVE}", "above one; other above")
    o.step("together", f"lam[s, i, t] + lam[s, j, t] <= {CURVE}", "above one; other above")
    o.step("not falling", f"0 <= 2*{CURVE}", "twice")
    squared(o)


def squared(o: StatementOutline) -> None:
    """The inequality of a pair as one of squares."""
    o.step(
        "pair squared",
        f"({CURVE})**2*{of.APART}**2 <= {PUSH}**2",
        f"pair times 2*{CURVE}",
        roots=f"{CURVE}*{of.APART} - {PUSH}",
    )


def near(o: StatementOutline, within: str) -> None:
    """From a step called distance of a pair, the distance to the server."""
    o.step(
        "part",
        f"a[s, j, t]*{of.APART}**2 <= a[s, j, t]*{within}",
        "distance of a pair times a[s, j, t]",
    )
    part, weights = f"a[s, j, t]*{of.APART}**2", of.among("a[s, j, t]")
    o.close(
        "parts",
        f"{of.among(part)} <= {within}*{weights}",
        "telescoped",
        step="part",
        index="j",
        rounds="N",
        of="0",
    )
    o.step("near", f"{of.FAR}**2 <= {within}", f"server; parts; weights times {within}")


def averaged(o: StatementOutline, within: str) -> None:
    """From a step called near, the mean over devices, rounds and sampled sets."""
    left, right = f"{of.FAR}**2", within
    for name, step, sums, index, rounds in (
        ("clients", "near", of.each, "i", "N"),
        ("rounds", "clients", of.when, "t", "T"),
        ("sets", "rounds", of.runs, "s", "K"),
    ):
        left, right = sums(left), f"{rounds}*{right}"
        says = f"{left} <= {right}"
        o.close(name, says, "telescoped", step=step, index=index, rounds=rounds, of="0")
    o.step("mean", f"{o.left} <= {o.right}", "sets times 1/(K*T*N)")
