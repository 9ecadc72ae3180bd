"""Lemma B.1: gradients of the Lagrangians by the moves of the models, and those by their fall."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.outlines.registry import proof_of
from verify.statements.fedbc import lemma_b1
from verify.statements.fedbc.proofs import formulas as of
from verify.statements.fedbc.proofs.setting import COMPUTING, ROUND

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline

M = "(top + 2*high)**2"
FALL = ("distance", "diameter", "dual step", "inverse", "mean inverse", "dual bound")
"""Facts by which a Lagrangian falls, and its mean, beside those of residuals and multipliers."""


@proof_of(lemma_b1.lemma_i.leaf("V", "traced"), COMPUTING)
def gradient_before(o: StatementOutline) -> None:
    """(27), every device computing, in the mean over devices and sampled sets."""
    o.uses("residual", "largest", "upper end")
    _summed(o)
    o.step("mean", f"{o.left} <= {o.right}", "sets at t = 0 times 1/(K*N)")


@proof_of(lemma_b1.lemma_i.leaf("V", "derived"), COMPUTING)
def gradient_as_printed(o: StatementOutline) -> None:
    """The same with M_1^2 before epsilon too, as M_1 > 2 where lambda_i >= 1 + L_i."""
    o.uses("residual", "largest", "upper end", "above one")
    _summed(o)
    o.step("large", "1 <= high", "above one; upper end")
    o.step("larger tolerance", f"root**2 <= {M}*root**2", "large")
    o.step(
        "mean",
        f"{o.left} <= {o.right}",
        "sets at t = 0 times 1/(K*N); larger tolerance times 2",
    )


def _summed(o: StatementOutline) -> None:
    slope_before(o)
    left, moves = f"{of.BEFORE}**2", f"{of.MOVE}**2"
    o.close(
        "clients",
        f"{of.each(left)} <= 2*{M}*{of.each(moves)} + N*2*root**2",
        "telescoped",
        step="slope before",
        index="i",
        rounds="N",
        of="0",
    )
    o.close(
        "sets",
        f"{of.runs(of.each(left))} <= 2*{M}*{of.runs(of.each(moves))} + K*N*2*root**2",
        "telescoped",
        step="clients",
        index="s",
        rounds="K",
        of="0",
    )


def slope_before(o: StatementOutline) -> None:
    """(27): the gradient of a Lagrangian before a round by the move."""
    o.uses("bend")
    turned = f"({of.there('i', of.NOW)} - {of.there('i', of.LATER)})"
    o.step(
        "bent",
        f"-4*lam[s, i, t]*{turned}*{of.MOVE} <= 4*lam[s, i, t]*L[i]*{of.MOVE}**2",
        "bend times 2*lam[s, i, t]/L[i]",
        roots=f"L[i]*{of.MOVE} + {turned}",
    )
    o.step(
        "turned",
        f"({turned} - 2*lam[s, i, t]*{of.MOVE})**2 <= (L[i] + 2*lam[s, i, t])**2*{of.MOVE}**2",
        "bend; bent",
    )
    o.step("constants", f"(L[i] + 2*lam[s, i, t])**2 <= {M}", "largest; upper end")
    o.step(
        "larger",
        f"(L[i] + 2*lam[s, i, t])**2*{of.MOVE}**2 <= {M}*{of.MOVE}**2",
        "constants",
        roots=of.MOVE,
    )
    o.step(
        "slope before",
        f"{of.BEFORE}**2 <= 2*{M}*{of.MOVE}**2 + 2*root**2",
        "turned times 2; larger times 2; residual times 2",
        roots=f"{turned} - 2*lam[s, i, t]*{of.MOVE} - {of.OWN}",
    )


@proof_of(lemma_b1.lemma_ii_traced, ROUND)
def fall_of_lagrangian(o: StatementOutline) -> None:
    """(43) with the constants of (34) and (37), for lambda_i^t >= 1 + L_i."""
    o.uses("small", "solved or still", "upper end", "above one", *FALL)
    falls(o)
    moves, far = f"{of.MOVE}**2", f"{of.FAR}**2"
    before, after = of.each(of.LAGRANGIAN), of.each(of.LAGRANGIAN_LATER)
    o.close(
        "sets",
        f"{of.runs(of.each(moves))} + {of.runs(after)} <= {of.runs(before)} "
        f"+ K*N*(root**2*half + alpha*dual) + high*{of.runs(of.each(far))}",
        "telescoped",
        step="falls",
        index="s",
        rounds="K",
        of="0",
    )
    o.step("mean", f"{o.left} <= {o.right}", "sets at t = 0 times 1/(K*N)")


def falls(o: StatementOutline, gap: str = "1", *, waits: bool = True) -> None:
    """(43), lambda_i^t exceeding L_i by a gap: the sum over the clients."""
    fall(o, gap, waits=waits)
    moves, far = of.each(f"{of.MOVE}**2"), of.each(f"{of.FAR}**2")
    left, before = f"{gap}*{moves} + {of.each(of.LAGRANGIAN_LATER)}", of.each(of.LAGRANGIAN)
    bounds = of.each("16*R**4 + gam[i]**2")
    o.close(
        "clients",
        f"{left} <= {before} + root**2*{of.each('inv[i]')}/2 + alpha*{bounds} + high*{far}",
        "telescoped",
        step="fall",
        index="i",
        rounds="N",
        of="0",
    )
    o.step(
        "falls",
        f"{left} <= {before} + N*(root**2*half + alpha*dual) + high*{far}",
        "clients; mean inverse times root**2/2; dual bound times alpha",
    )


def fall(o: StatementOutline, gap: str = "1", *, waits: bool = True) -> None:
    """(43) of one client: how far its model moves, by what its Lagrangian falls by.

    Parameters
    ----------
    o : StatementOutline
    gap : str
        What lambda_i^t exceeds L_i by.
    waits : bool
        Whether a client may wait: its residual is taken for zero then.
    """
    residual = "res[s, i, t]" if waits else of.OWN
    o.uses("from below")
    multiplier, excess = "lam[s, i, t]", "(U[s, i, t] - gam[i])"
    change = "(lam[s, i, t + 1] - lam[s, i, t])"
    o.step(
        "along",
        f"2*{residual}*{of.MOVE} <= root**2*inv[i] + L[i]*{of.MOVE}**2",
        f"{'small' if waits else 'residual'} times inv[i]; inverse",
        roots=f"{residual} - L[i]*{of.MOVE}; {residual}; {of.MOVE}",
    )
    o.step(
        "models",
        f"F(e[i] + {of.LATER}) + {multiplier}*({of.LATER} - {of.EARLIER})**2 + {multiplier}*{of.MOVE}**2 "
        f"<= F(e[i] + {of.NOW}) + {multiplier}*({of.NOW} - {of.EARLIER})**2 + root**2*inv[i]/2 + L[i]*{of.MOVE}**2",
        f"from below; {'solved or still; ' if waits else ''}along times 1/2",
    )
    o.step(
        "multiplier",
        f"{change}*{excess} <= alpha*{excess}**2",
        "dual step",
        roots=f"alpha*{excess} - {change}",
    )
    o.step("squares", f"{excess}**2 <= 16*R**4 + gam[i]**2", "diameter")
    o.step(
        "servers",
        f"lam[s, i, t + 1]*{of.FAR}**2 <= high*{of.FAR}**2",
        "upper end at t = t + 1",
        roots=of.FAR,
    )
    o.step(
        "move",
        f"{gap}*{of.MOVE}**2 + L[i]*{of.MOVE}**2 <= {multiplier}*{of.MOVE}**2",
        "above one" if gap == "1" else "lower end; largest",
        roots=of.MOVE,
    )
    o.step(
        "fall",
        f"{gap}*{of.MOVE}**2 + {of.LAGRANGIAN_LATER} <= {of.LAGRANGIAN} + root**2*inv[i]/2 "
        f"+ alpha*(16*R**4 + gam[i]**2) + high*{of.FAR}**2",
        "models; multiplier; squares times alpha; servers; move; distance times lam[s, i, t]",
    )
