"""What the paper reads off its theorem, sentence by sentence, and what its abstract does."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from bounds import generic as xp
from bounds.fedbc.convergence import stationarity_printed
from verify.claim import Array, Family, Instance, Real, Shape, Sides, numbers, open_claim, statement
from verify.statements.fedbc.quantities import (
    STEP,
    STEPPED,
    build_run,
    dissimilarity,
    domain_of,
    dual_box,
    everywhere,
    size,
    slopes,
)
from verify.world.world import World

AFTER = "after Theorem 4.5"


def _falls(w: World, term: str) -> Sides:
    def at(rounds: Array) -> Array:
        return stationarity_printed(
            rounds, w.start, 0, 0, w.smoothness, w.lambda_max, 0, 0, w.gamma, 1
        )[term]

    return {"s T rounds": w.more * at(w.rounds * w.more)}, {"T rounds": at(w.rounds)}


FALLS = tuple(
    statement(
        f"fedbc.theorem1.interp/{part}",
        where=AFTER,
        kind="remark",
        relation="==",
        title=f"the {place} term falls like 1/T",
        latex=latex,
        family=numbers(
            {
                "start": Real(0, 4),
                "rounds": Real(1, 64, log=True),
                "more": Real(1, 64, log=True),
                "gamma": Real(0, 4, per=("N",)),
                "smoothness": Real(1 / 4, 4, log=True, per=("N",)),
                "lambda_max": Real(0, 4),
            },
            {"N": 1},
            {"N": 2},
            about="any constants",
        ),
        note="The term of (90) after s T rounds, times s, is the term after T rounds.",
    )(partial(_falls, term=term))
    for part, place, term, latex in (
        ("a", "first", "start", r"\tfrac{B_0}{sT}s=\tfrac{B_0}T"),
        ("e", "last", "gamma", r"\tfrac{\bar\gamma}{sT}s=\tfrac{\bar\gamma}T"),
    )
)

OPEN = tuple(
    open_claim(f"fedbc.{name}", kind, where, latex, title, missing)
    for name, kind, where, latex, title, missing in (
        (
            "theorem1.interp/b",
            "remark",
            AFTER,
            r"\mathcal O(\epsilon)",
            "the second term depends on the worst local solution",
            "a consequence that could fail: epsilon is defined as that maximum",
        ),
        (
            "theorem1.interp/d",
            "remark",
            AFTER,
            r"\mathcal O(\alpha)",
            "the fourth term depends on the step size",
            "a consequence that could fail: the term is named after the step size",
        ),
        (
            "theorem1.interp/f",
            "remark",
            AFTER,
            r"\|x_i-z\|^2\le\gamma_i",
            "gamma lets device models move away",
            "a measure of the effect",
        ),
        (
            "theorem1.interp/g",
            "remark",
            AFTER,
            r"\gamma_i=0",
            "gamma = 0 is equivalent to FedPD and pFedMe",
            "the results of the cited papers",
        ),
        (
            "abstract",
            "claim",
            "Abstract",
            r"\lim_T\|\nabla f(z^T)\|",
            "rates that match the state of the art up to a tolerance term",
            "which methods and which of their rates are compared",
        ),
    )
)

# -- the third term and heterogeneity --------------------------------------------------------------


def _twins(values: Mapping[str, Any], shape: Shape) -> Instance:
    """Two clients with one loss."""
    same = {k: values[k][:, :1] + 0 * values[k] for k in ("height", "centre")}
    return build_run("any", {**values, **same}, shape)


TWINS = Family(
    {**dual_box("any"), **STEP},
    (size(2, 2, **STEPPED),),
    _twins,
    "two clients with one double well",
)


@statement(
    "fedbc.theorem1.interp/c",
    where=AFTER,
    kind="remark",
    relation="==",
    title="the third term is due to heterogeneity",
    family=TWINS,
    latex=r"f_i=f_j\ \forall i,j\Rightarrow\delta=0",
    note="f_1 = f_2 and a != b: delta is at least (lambda_max - lambda_min) |grad f| somewhere.",
)
def vanishes(w: World) -> Sides:
    return {"delta": dissimilarity(w)}, {"0": 0 * w.lambda_min}


@vanishes.like(
    "fedbc.theorem1.interp.refined/c",
    title="the third term is due to heterogeneity and to the width of Lambda",
    latex=r"f_i=f_j\ \forall i,j\Rightarrow\delta=(\lambda_{\max}-\lambda_{\min})\max_{\mathcal X}\|\nabla f\|",
    note="delta = (lambda_max - lambda_min) max |grad f| for equal losses.",
    proof="|a - b| |grad f(x)| is largest at the corner with the ends of Lambda.",
)
def vanishes_refined(w: World) -> Sides:
    domain = domain_of(w)
    largest = [
        xp.absolute(slopes(w, everywhere(domain.grid[..., k], w.multipliers))[..., 0])
        for k in range(domain.grid.shape[-1])
    ]
    span = w.lambda_max - w.lambda_min
    return {"delta": dissimilarity(w)}, {"span": span * xp.largest(xp.stack(largest, -1))}
