"""What the paper reads off its theorem, one sentence after the other, and what its abstract does."""

from __future__ import annotations

from bounds import generic as xp
from verify.parameters import Family, Real
from verify.statement import Statement, Terms
from verify.statements.fedbc.assumptions import HETEROGENEITY
from verify.statements.fedbc.common import open_claim, source
from verify.world import World

FREE = Family(
    {
        "start": Real(0, 4), "factor": Real(1 / 4, 4, log=True), "rounds": Real(1, 64, log=True),
        "more": Real(1, 64, log=True), "gamma": Real(0, 4, per=("N",)),
    },
    ({"N": 1}, {"N": 2}),
    about="any constants",
)  # fmt: skip


def _first(w: World) -> tuple[Terms, Terms]:
    """4 M_1^2 B_0/T: times T it does not depend on T."""
    later = w.rounds * w.more
    return {"later": w.factor * w.start / later * w.more}, {"now": w.factor * w.start / w.rounds}


def _last(w: World) -> tuple[Terms, Terms]:
    """mean gamma/T, whatever gamma_i > 0."""
    later = w.rounds * w.more
    return {"later": xp.mean(w.gamma) / later * w.more}, {"now": xp.mean(w.gamma) / w.rounds}


def _claim(name: str, title: str, latex: str, missing: str) -> Statement:
    return open_claim(f"theorem1.interp/{name}", "remark", "after Theorem 4.5", latex, title, missing)


STATEMENTS = (
    Statement(
        key="fedbc.theorem1.interp/a", source=source("after Theorem 4.5"), kind="remark",
        title="the first term falls like 1/T", relation="==", sides=_first, family=FREE,
        latex=r"\tfrac{B_0}{sT}s=\tfrac{B_0}T",
    ),
    _claim("b", "the second term depends on the worst local solution", r"\mathcal O(\epsilon)",
           "a consequence that could fail: epsilon is defined as that maximum"),
    *HETEROGENEITY[:2],
    _claim("d", "the fourth term depends on the step size", r"\mathcal O(\alpha)",
           "a consequence that could fail: the term is named after the step size"),
    Statement(
        key="fedbc.theorem1.interp/e", source=source("after Theorem 4.5"), kind="remark",
        title="the last term falls like 1/T", relation="==", sides=_last, family=FREE,
        latex=r"\tfrac{\bar\gamma}{sT}s=\tfrac{\bar\gamma}T",
    ),
    _claim("f", "gamma lets device models move away", r"\|x_i-z\|^2\le\gamma_i",
           "a measure of the effect"),
    _claim("g", "gamma = 0 is equivalent to FedPD and pFedMe", r"\gamma_i=0",
           "the results of the cited papers"),
    *HETEROGENEITY[2:],
    open_claim("abstract", "claim", "Abstract", r"\lim_T\|\nabla f(z^T)\|",
               "rates that match the state of the art up to a tolerance term",
               "which methods and which of their rates are compared"),
)  # fmt: skip
