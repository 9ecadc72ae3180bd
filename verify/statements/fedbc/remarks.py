"""What the paper reads off its theorem, one sentence after the other, and what its abstract does."""

from __future__ import annotations

from bounds.fedbc import stationarity_printed
from verify.claim.parameters import Family, Real
from verify.claim.statement import Rule, Statement, Terms
from verify.statements.fedbc.assumptions import HETEROGENEITY
from verify.statements.fedbc.common import Array, open_claim, source
from verify.world.world import World

FREE = Family(
    {
        "start": Real(0, 4), "rounds": Real(1, 64, log=True), "more": Real(1, 64, log=True),
        "gamma": Real(0, 4, per=("N",)), "smoothness": Real(1 / 4, 4, log=True, per=("N",)),
        "lambda_max": Real(0, 4),
    },
    ({"N": 1}, {"N": 2}),
    about="any constants",
)  # fmt: skip


def _falls(term: str) -> Rule:
    """Rule that compare a term of (90) after T and after s T rounds."""

    def sides(w: World) -> tuple[Terms, Terms]:
        """The term of (90) after s T rounds, times s, is the term after T rounds."""

        def at(rounds: Array) -> Array:
            return stationarity_printed(
                rounds, w.start, 0, 0, w.smoothness, w.lambda_max, 0, 0, w.gamma, 1
            )[term]

        return {"s T rounds": w.more * at(w.rounds * w.more)}, {"T rounds": at(w.rounds)}

    return sides


def _claim(name: str, title: str, latex: str, missing: str) -> Statement:
    return open_claim(f"theorem1.interp/{name}", "remark", "after Theorem 4.5", latex, title, missing)


STATEMENTS = (
    Statement(
        key="fedbc.theorem1.interp/a", source=source("after Theorem 4.5"), kind="remark",
        title="the first term falls like 1/T", relation="==", sides=_falls("start"), family=FREE,
        latex=r"\tfrac{B_0}{sT}s=\tfrac{B_0}T",
    ),
    _claim("b", "the second term depends on the worst local solution", r"\mathcal O(\epsilon)",
           "a consequence that could fail: epsilon is defined as that maximum"),
    *HETEROGENEITY[:2],
    _claim("d", "the fourth term depends on the step size", r"\mathcal O(\alpha)",
           "a consequence that could fail: the term is named after the step size"),
    Statement(
        key="fedbc.theorem1.interp/e", source=source("after Theorem 4.5"), kind="remark",
        title="the last term falls like 1/T", relation="==", sides=_falls("gamma"), family=FREE,
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
