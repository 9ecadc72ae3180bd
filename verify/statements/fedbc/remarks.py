"""What the paper reads off its theorem, sentence by sentence, and what its abstract does."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from bounds import generic as xp
from bounds.fedbc.convergence import stationarity_printed
from verify.claim import Array, Family, Instance, Real, Shape, Sides, numbers, statement
from verify.statements.fedbc import quantities as q
from verify.world.world import World

claim = q.Claims(r"""
after Theorem 4.5 :: remark
    theorem1.interp/c :: the third term is due to heterogeneity :: f_i=f_j\ \forall i,j\Rightarrow\delta=0
    theorem1.interp.refined/c :: the third term is due to heterogeneity and to the width of Lambda :: f_i=f_j\ \forall i,j\Rightarrow\delta=(\lambda_{\max}-\lambda_{\min})\max_{\mathcal X}\|\nabla f\|
""")

AFTER = "after Theorem 4.5"


def _term(w: World, term: str, rounds: Array) -> Array:
    """A term of (90) after so many rounds."""
    constants = (w.start, 0, 0, w.smoothness, w.lambda_max, 0, 0, w.gamma, 1)
    return stationarity_printed(rounds, *constants)[term]


def _falls(w: World, term: str) -> Sides:
    later = w.more * _term(w, term, w.rounds * w.more)
    return {"s T rounds": later}, {"T rounds": _term(w, term, w.rounds)}


first_term = statement(
    "fedbc.theorem1.interp/a",
    where=AFTER,
    kind="remark",
    relation="==",
    title="the first term falls like 1/T",
    latex=r"\tfrac{B_0}{sT}s=\tfrac{B_0}T",
    family=numbers(
        {
            "start": Real(0, 4),
            "rounds": Real(1, 64, log=True),
            "more": Real(1, 64, log=True),
            "gamma": Real(0, 4, per=("N",)),
            "smoothness": Real(1 / 4, 4, log=True, per=("N",)),
            "lambda_max": Real(0, 4),
        },
        *({"N": 1}, {"N": 2}),
        about="any constants",
    ),
    note="The term of (90) after s T rounds, times s, is the term after T rounds.",
)(partial(_falls, term="start"))
last_term = first_term.like(
    "fedbc.theorem1.interp/e",
    title="the last term falls like 1/T",
    latex=r"\tfrac{\bar\gamma}{sT}s=\tfrac{\bar\gamma}T",
    note=first_term.note,
)(partial(_falls, term="gamma"))

LISTED = q.listed(r"""
remark :: theorem1.interp/b :: after Theorem 4.5 :: \mathcal O(\epsilon) :: the second term depends on the worst local solution :: a consequence that could fail: epsilon is defined as that maximum
remark :: theorem1.interp/d :: after Theorem 4.5 :: \mathcal O(\alpha) :: the fourth term depends on the step size :: a consequence that could fail: the term is named after the step size
remark :: theorem1.interp/f :: after Theorem 4.5 :: \|x_i-z\|^2\le\gamma_i :: gamma lets device models move away :: a measure of the effect
remark :: theorem1.interp/g :: after Theorem 4.5 :: \gamma_i=0 :: gamma = 0 is equivalent to FedPD and pFedMe :: the results of the cited papers
claim :: abstract :: Abstract :: \lim_T\|\nabla f(z^T)\| :: rates that match the state of the art up to a tolerance term :: which methods and which of their rates are compared
""")

# -- the third term and heterogeneity --------------------------------------------------------------


def _twins(values: Mapping[str, Any], shape: Shape) -> Instance:
    """Two clients with one loss."""
    same = {k: values[k][:, :1] + 0 * values[k] for k in ("height", "centre")}
    return q.build_run("any", {**values, **same}, shape)


TWINS = Family(
    {**q.dual_box("any"), **q.STEP},
    (q.size(2, 2, **q.STEPPED),),
    _twins,
    "two clients with one double well",
)


@claim("theorem1.interp/c", relation="==", family=TWINS)
def vanishes(w: World) -> Sides:
    """f_1 = f_2 and a != b: delta is at least (lambda_max - lambda_min) |grad f| somewhere."""
    return {"delta": q.dissimilarity(w)}, {"0": 0 * w.lambda_min}


@claim("theorem1.interp.refined/c", like=vanishes)
def vanishes_refined(w: World) -> Sides:
    """delta = (lambda_max - lambda_min) max |grad f| for equal losses.

    Proof. |a - b| |grad f(x)| is largest at the corner with the ends of Lambda."""
    domain = q.domain_of(w)
    steepest = [xp.absolute(slope[..., 0]) for slope in q.slopes_over(w, domain)]
    span = w.lambda_max - w.lambda_min
    return {"delta": q.dissimilarity(w)}, {"span": span * xp.largest(xp.stack(steepest, -1))}
