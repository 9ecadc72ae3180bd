"""Theorem 4.5 with every constant, and the sum over the rounds that it follows from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.outlines.registry import proof_of
from verify.statements.fedbc import theorem, theorem_gradient
from verify.statements.fedbc.proofs import formulas as of
from verify.statements.fedbc.proofs import lemma_b1, lemma_b2
from verify.statements.fedbc.proofs.lemma_b2 import NEAR, WITHIN
from verify.statements.fedbc.proofs.training import (
    SUMMED,
    SUMMED_ABOVE,
    TRAINING,
    TRAINING_ABOVE,
)

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline

FACTOR = "(4*top**2 + 16*high**2)"
MOST, MOST_ABOVE = f"4*{lemma_b1.M}", f"4*{lemma_b1.M}/(low - top)"
"""What falls of Lagrangians count, for lambda_i^t >= 1 + L_i, and for lambda_min > L."""
SLOPES = ("residual", "largest", "upper end", "mean gradient", *lemma_b1.FALL)
"""Facts by which gradients are bounded."""


@proof_of(theorem_gradient.eq76_traced, SUMMED)
def summed(o: StatementOutline) -> None:
    """(76): the distances to the server are those of the round before, as x_i^0 = z^0."""
    o.uses(*SLOPES, "above one", "common start")
    a_round(o, MOST)
    last = "(x[s, i, T] - z[s, T])"
    lasts, far = of.each(f"{last}**2"), of.each(f"{of.FAR}**2")
    o.step(
        "all of a round",
        f"{_round(MOST, 't + 1')} + {FACTOR}*{far} <= {_lagrangians(MOST, 't')} "
        f"+ {FACTOR}*{of.each(f'{of.GAP}**2')} + N*{_rest(MOST)} + ({FACTOR} + {MOST}*high)*{far}",
        "a round",
    )
    right = f"T*N*{_rest(MOST)} + ({FACTOR} + {MOST}*high)*{of.when(far)}"
    o.close(
        "all rounds",
        f"{_rounds(MOST)} + {FACTOR}*{lasts} <= {_lagrangians(MOST, '0')} + {right}",
        "telescoped",
        step="all of a round",
        index="t",
        rounds="T",
        of=f"{_lagrangians(MOST, 't')} + {FACTOR}*{of.each(f'{of.GAP}**2')}",
    )
    o.fact("no square", "square", of=last)
    _over(o, "no squares", "no square", "0", lasts, "i", "N")
    o.step(
        "one run",
        f"{_rounds(MOST)} <= {_lagrangians(MOST, '0')} + {right}",
        f"all rounds; no squares times {FACTOR}",
    )
    right = f"K*T*N*{_rest(MOST)} + ({FACTOR} + {MOST}*high)*{of.runs(of.when(far))}"
    _over_runs(o, MOST, right)


@proof_of(theorem_gradient.sum_repaired, SUMMED_ABOVE)
@proof_of(theorem_gradient.sum_repaired77, SUMMED_ABOVE)
def summed_above(o: StatementOutline) -> None:
    """The same with the consensus error of the refined Lemma B.2, for lambda_min > L."""
    above(o)
    _over_runs(o, MOST_ABOVE, f"K*{_all(MOST_ABOVE, WITHIN)}")


@proof_of(theorem.explicit, TRAINING)
def explicit(o: StatementOutline) -> None:
    """Theorem 4.5 for lambda_i^t >= 1 + L_i."""
    o.uses(*SLOPES, *lemma_b2.PAIR, *lemma_b2.SERVER, "above one", "common start")
    lemma_b2.pair(o)
    lemma_b2.above_one(o)
    one_run(o, MOST, NEAR)
    whole(o, MOST, NEAR, "above one at t = T")


@proof_of(theorem.repaired, TRAINING_ABOVE)
def explicit_above(o: StatementOutline) -> None:
    """The same for lambda_min > L, by the refined Lemma B.2."""
    above(o)
    whole(o, MOST_ABOVE, WITHIN, "lower end at t = T; largest; above")


def above(o: StatementOutline) -> None:
    """One run of all rounds, for lambda_min > L."""
    o.uses(*SLOPES, *lemma_b2.PAIR, *lemma_b2.SERVER, "lower end", "above half", "common start")
    o.hypothesis("lambda_min > L", called="above")
    lemma_b2.pair(o)
    lemma_b2.above_half(o)
    o.step("weight", f"0 <= {MOST_ABOVE}", "above")
    o.step("heavier", f"0 <= {MOST_ABOVE}*high", "weight times high")
    one_run(o, MOST_ABOVE, WITHIN)


# -- one round -------------------------------------------------------------------------------------


def _rest(most: str) -> str:
    """What a round adds, whatever the models."""
    return f"(4*root**2 + {most}*(root**2*half + alpha*dual))"


def _lagrangians(most: str, t: str) -> str:
    return f"{most}*{of.each(of.lagrangian(t))}"


def _round(most: str, t: str) -> str:
    return f"N*mean[s, t]**2 + {_lagrangians(most, t)}"


def a_round(o: StatementOutline, most: str) -> None:
    """(70) and (72): the squared gradient at the server by the fall of the Lagrangians."""
    slopes(o)
    lemma_b1.falls(o, "1" if most == MOST else "(low - top)", waits=False)
    gaps, far = of.each(f"{of.GAP}**2"), of.each(f"{of.FAR}**2")
    o.step(
        "a round",
        f"{_round(most, 't + 1')} <= {_lagrangians(most, 't')} + {FACTOR}*{gaps} "
        f"+ N*{_rest(most)} + {most}*high*{far}",
        f"slopes; falls times {most}",
    )


def slopes(o: StatementOutline) -> None:
    """The squared gradient at the server by the moves, and the distances to it."""
    lemma_b1.slope_before(o)
    server, gap, move = "grad(F, e[i] + z[s, t])", f"{of.GAP}**2", f"{of.MOVE}**2"
    bend = f"({server} - {of.there('i', of.NOW)})"
    o.uses("to the server")
    o.step(
        "at the server",
        f"{server}**2 <= 2*{of.BEFORE}**2 + 4*{bend}**2 + 16*lam[s, i, t]**2*{gap}",
        roots=f"{of.BEFORE} - {bend} + 2*lam[s, i, t]*{of.GAP}; {bend} + 2*lam[s, i, t]*{of.GAP}",
    )
    o.step("factors", f"4*L[i]**2 + 16*lam[s, i, t]**2 <= {FACTOR}", "largest; upper end")
    o.step(
        "larger gap",
        f"(4*L[i]**2 + 16*lam[s, i, t]**2)*{gap} <= {FACTOR}*{gap}",
        "factors",
        roots=of.GAP,
    )
    o.step(
        "slope of a client",
        f"{server}**2 <= {MOST}*{move} + 4*root**2 + {FACTOR}*{gap}",
        "at the server; to the server times 4; larger gap; slope before times 2",
    )
    right = f"{MOST}*{of.each(move)} + N*4*root**2 + {FACTOR}*{of.each(gap)}"
    _over(o, "slopes of clients", "slope of a client", of.each(f"{server}**2"), right, "i", "N")
    o.step("slopes", f"N*mean[s, t]**2 <= {right}", "slopes of clients; mean gradient")


# -- all rounds ------------------------------------------------------------------------------------


def _rounds(most: str) -> str:
    return f"N*{of.when('mean[s, t]**2')} + {_lagrangians(most, 'T')}"


def _all(most: str, within: str) -> str:
    """What all rounds add where models stay near the server."""
    return f"T*N*({_rest(most)} + ({FACTOR} + {most}*high)*{within})"


def _over(
    o: StatementOutline, name: str, step: str, left: str, right: str, index: str, rounds: str
) -> None:
    """The sum of a step over an index."""
    o.close(
        name,
        f"{left} <= {right}",
        "telescoped",
        step=step,
        index=index,
        rounds=rounds,
        of="0",
    )


def one_run(o: StatementOutline, most: str, within: str) -> None:
    """The rounds of one run, in which no model is ever further from the server's than that."""
    lemma_b2.near(o, within)
    o.step("near later", f"{of.FAR}**2 <= {within}", "near", supposing=f"{of.GAP}**2 <= {within}")
    o.close(
        "near always",
        f"{of.GAP}**2 <= {within}",
        "induction",
        claim=f"{within} - {of.GAP}**2",
        index="t",
        next="near later",
    )
    gaps, far = of.each(f"{of.GAP}**2"), of.each(f"{of.FAR}**2")
    _over(o, "gaps", "near always", gaps, f"N*{within}", "i", "N")
    _over(o, "later gaps", "near", far, f"N*{within}", "i", "N")
    a_round(o, most)
    o.step(
        "a near round",
        f"{_round(most, 't + 1')} <= {_lagrangians(most, 't')} "
        f"+ N*({_rest(most)} + ({FACTOR} + {most}*high)*{within})",
        f"a round; gaps times {FACTOR}; later gaps times {most}*high",
    )
    o.close(
        "one run",
        f"{_rounds(most)} <= {_lagrangians(most, '0')} + {_all(most, within)}",
        "telescoped",
        step="a near round",
        index="t",
        rounds="T",
        of=_lagrangians(most, "t"),
    )


def _over_runs(o: StatementOutline, most: str, right: str) -> None:
    """The mean over the sampled sets, the fall of the Lagrangians being left."""
    first, last = (f"{most}*{of.runs(of.each(of.lagrangian(t)))}" for t in "0T")
    slopes = of.runs(of.when("mean[s, t]**2"))
    _over(o, "all runs", "one run", f"N*{slopes} + {last}", f"{first} + {right}", "s", "K")
    o.step("mean", f"{o.left} <= {o.right}", "all runs times 1/(K*T*N)")


def whole(o: StatementOutline, most: str, within: str, steeper: str) -> None:
    """(87) to (90): the fall of the Lagrangians is at most B_0 and what tolerances add.

    Parameters
    ----------
    o : StatementOutline
    most, within : str
        What falls count, and how far models are from the server's.
    steeper : str
        By what the last multipliers are above L_i.
    """
    o.uses("start", "best", "steep", "tolerances")
    o.uses("last values")
    first, slack = of.lagrangian("0"), "(x[s, i, T] - z[s, T])"
    steepest = of.there("i", "x[s, i, T]")
    o.step("begin", f"{first} <= F(e[i] + z[s, 0])")
    _over(o, "begins", "begin", of.each(first), of.each("F(e[i] + z[s, 0])"), "i", "N")
    o.step(
        "last slope",
        f"-2*{steepest}*{slack} <= G**2*inv[i] + L[i]*{slack}**2",
        "steep times inv[i]; inverse",
        roots=f"{steepest} + L[i]*{slack}; {steepest}; {slack}",
    )
    o.step(
        "last multiplier",
        f"L[i]*{slack}**2 <= lam[s, i, T]*{slack}**2",
        steeper,
        roots=slack,
    )
    end = f"{of.lagrangian('T')} + high*gam[i] + G**2*inv[i]/2"
    o.step(
        "end",
        f"F(e[i] + z[s, T]) <= {end}",
        "last values; last slope times 1/2; last multiplier; upper end at t = T times gam[i]",
    )
    ends = f"{of.each(of.lagrangian('T'))} + high*{of.each('gam[i]')} + G**2*{of.each('inv[i]')}/2"
    _over(o, "ends", "end", of.each("F(e[i] + z[s, T])"), ends, "i", "N")
    fall = "N*(first - best + high*tol + G**2*half)"
    o.step(
        "fall of all rounds",
        f"{of.each(first)} - {of.each(of.lagrangian('T'))} <= {fall}",
        "begins; start; ends; best; tolerances times high; mean inverse times G**2/2",
    )
    slopes = of.when("mean[s, t]**2")
    o.step(
        "one whole run",
        f"N*{slopes} <= {most}*{fall} + {_all(most, within)}",
        f"one run; fall of all rounds times {most}",
    )
    right = f"K*({most}*{fall} + {_all(most, within)})"
    _over(o, "all runs", "one whole run", f"N*{of.runs(slopes)}", right, "s", "K")
    o.step("mean", f"{o.left} <= {o.right}", "all runs times 1/(K*T*N)")
