"""Lemma 2 at every outcome and round, in the mean over the outcomes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statements.adaptive.proofs.lemma2 import effective_noise, smaller_variance
from verify.statements.adaptive.proofs.place import EVERYWHERE
from verify.statements.adaptive.proofs.weighted import mean

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline

__all__ = ["effective_in_mean", "sufficient_in_mean"]


def effective_in_mean(o: StatementOutline) -> None:
    """The noise of the sum is at most the effective variance."""
    effective_noise(o, EVERYWHERE)
    _in_mean(o, "mean", "noise", "eff", "effective noise")


def sufficient_in_mean(o: StatementOutline) -> None:
    """The effective variance is at most the sufficient one."""
    smaller_variance(o, EVERYWHERE)
    _in_mean(o, "sufficient in mean", "eff", "suf", "smaller variance")


def _in_mean(o: StatementOutline, name: str, less: str, more: str, by: str) -> None:
    each = f"{name}, each"
    o.step(each, f"chance[o]*{less}[o, t] <= chance[o]*{more}[o, t]", f"{by} times chance[o]")
    outcomes = {"index": "o", "rounds": "R", "of": "0"}
    o.close(name, f"{mean(less)} <= {mean(more)}", "telescoped", step=each, **outcomes)
