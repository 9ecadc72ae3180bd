"""Lemma 2 with the square, in every round and at every outcome: from noise to sufficient variance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statements.adaptive.proofs.weighted import mean

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline

_SEVERAL = {"index": "k", "rounds": "N", "of": "0"}
_OUTCOMES = {"index": "o", "rounds": "R", "of": "0"}


def _each(body: str) -> str:
    return f"Sum({body}, (k, 0, N - 1))"


def effective_noise(o: StatementOutline) -> None:
    """As phi(r) is at most r the variance of the sum is at most the effective one; in mean."""
    o.uses("weights", "effective", "phi of 1", "phi")
    square, product = "phi[o, k, t]**2*i2[k]", "r[o, k, t]*phi[o, k, t]*i2[k]"
    o.step("smaller", f"{square} <= {product}", "phi times phi[o, k, t]*i2[k]")
    o.close(
        "squares", f"{_each(square)} <= {_each(product)}", "telescoped", step="smaller", **_SEVERAL
    )
    o.step(
        "effective noise",
        "noise[o, t] <= eff[o, t]",
        "weights; squares times eff[o, t]**2; phi of 1 times eff[o, t]**2*top/s2;"
        "effective times eff[o, t]",
    )
    _in_mean(o, "mean", "noise", "eff", "effective noise")


def smaller_noise(o: StatementOutline) -> None:
    """A3 bounds every ratio from below, and so the effective variance; in mean."""
    o.uses("similar", "ratio", "sufficient ratio", "phi of it", "phi rises", "sufficient")
    o.uses("large gradients")
    o.step(
        "share",
        "b2[k]/own[o, t] <= b2[k]/level[o, t]",
        "large gradients times b2[k]/(own[o, t]*level[o, t])",
    )
    o.step(
        "near",
        "1 - b2[k]/level[o, t] - c[k] <= r[o, k, t]",
        "share; similar times 1/own[o, t]; ratio",
    )
    o.step(
        "nearer",
        "rs[o, k, t]**2 <= r[o, k, t]*rs[o, k, t]",
        "near times rs[o, k, t]; sufficient ratio",
    )
    o.step(
        "nearer by phi",
        "rs[o, k, t]*phis[o, k, t] <= r[o, k, t]*phis[o, k, t]",
        "near times phis[o, k, t]; phi of it",
    )
    less, more = "rs[o, k, t]*phis[o, k, t]*i2[k]", "r[o, k, t]*phi[o, k, t]*i2[k]"
    o.step(
        "larger",
        f"{less} <= {more}",
        "nearer; nearer by phi; phi rises",
        roots="r[o, k, t] - rs[o, k, t]",
    )
    o.close("sums", f"{_each(less)} <= {_each(more)}", "telescoped", step="larger", **_SEVERAL)
    o.step("no more", f"eff[o, t]*(top/s2 + {_each(less)}) <= 1", "effective; sums times eff[o, t]")
    o.step(
        "smaller variance",
        "eff[o, t] <= suf[o, t]",
        "no more times suf[o, t]; sufficient times eff[o, t]",
    )
    _in_mean(o, "sufficient in mean", "eff", "suf", "smaller variance")


def _in_mean(o: StatementOutline, name: str, less: str, more: str, by: str) -> None:
    o.step(
        f"{name}, each",
        f"chance[o]*{less}[o, t] <= chance[o]*{more}[o, t]",
        f"{by} times chance[o]",
    )
    o.close(name, f"{mean(less)} <= {mean(more)}", "telescoped", step=f"{name}, each", **_OUTCOMES)
