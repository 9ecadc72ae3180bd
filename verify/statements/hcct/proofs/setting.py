"""Clients in groups, one local step, each with its own model: notation, and what runs guarantee.

Client i keeps w_i^t and moves by the mean of its group's noisy gradients, w_i^{t+1} = w_i^t -
eta^t (h_i^t + n_i^t), where h_i^t = sum_j a_ij grad J_j(w_j^t) and c_i^t = sum_j a_ij grad
J_i(w_j^t) are means over the members.  Scalars are means over the clients.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from bounds import generic as xp
from verify.outlines.exact import fractions
from verify.outlines.setting import ANY, Guaranteed, OutlineSetting, Quantity, Term
from verify.proof.bridge import ExactRun
from verify.statements.hcct import convergence, descent
from verify.statements.hcct.proofs.paths import ClientPaths, numbered, over_time
from verify.statements.hcct.quantities import training
from verify.statements.hcct.quantities.training import run_of

QUANTITIES = (
    Quantity("t", "index", "epoch, from 0", "t"),
    Quantity("L", "positive", "smoothness of every loss", "L"),
    Quantity("eta[t]", "positive", "step size", r"\eta^t"),
    Quantity("eta0", "positive", "the largest step size", r"\max_t\eta^t"),
    Quantity("sigma", "nonnegative", "noise of a gradient, its root mean square at most", r"\sigma"),
    Quantity("K[t]", "nonnegative", "dissimilarity of members", r"\sum_{i,j}a_{ij}^t\kappa_{ij}^2"),
    Quantity("D[t]", "nonnegative", "disagreement of members", r"\sum_{i,j}a_{ij}^t\mathbb E\|\mathbf w_i^t-\mathbf w_j^t\|^2"),
    Quantity("M[t]", "nonnegative", "how far gradients move between members", r"\sum_{i,j}a_{ij}^t\mathbb E\|\nabla J_i(\mathbf w_i^t)-\nabla J_i(\mathbf w_j^t)\|^2"),
    Quantity("T", "positive integer", "number of epochs", "T"),
    Quantity("N", "positive integer", "number of clients", "N"),
    Quantity("J", "function", "loss of a client above its least value", "J_i", own=True),
    Quantity("w[t]", "vector", "model of a client", r"\mathbf w_i^t", known="t", shared=False),
    Quantity("h[t]", "vector", "mean gradient of its group", r"h_i^t", known="t", shared=False),
    Quantity("c[t]", "vector", "mean of its own gradient over the members' models", r"c_i^t", known="t", shared=False),
    Quantity("n[t]", "vector", "mean noise of its group", r"n_i^t", known="t + 1", shared=False),
)  # fmt: skip
FACTS = {
    "rule": Guaranteed("method", {"entry": "w[t + 1]", "is_": "w[t] - eta[t]*(h[t] + n[t])"}),
    "steps": Guaranteed("condition", {"less": "eta[t]", "more": "eta0"}, scope=""),
    "equal steps": Guaranteed("definition", {"entry": "eta[t]", "is_": "eta0"}),
    "unbiased": Guaranteed("unbiased", {"noise": "n[t]", "given": "t"}),
    "noise": Guaranteed("variance", {"noise": "n[t]", "sigma2": "sigma**2"}),
    "smooth": Guaranteed("smooth", {"f": "J", "L": "L", "at": ANY, "to": ANY}),
    "similar": Guaranteed(
        "close",
        {"one": "c[t]", "other": "h[t]", "at_most": "K[t]/N"},
        scope="members similar up to kappa_ij",
    ),
    "moved": Guaranteed(
        "close",
        {"one": "grad(J, w[t])", "other": "c[t]", "at_most": "L**2*D[t]/N"},
        scope="smooth losses of members apart",
    ),
    "moved gradients": Guaranteed(
        "close", {"one": "grad(J, w[t])", "other": "c[t]", "at_most": "M[t]/N"}, scope=""
    ),
    "below": Guaranteed("bounded below", {"f": "J", "low": "0", "at": ANY}, scope=""),
}


def _slopes(w: Any) -> Any:
    return run_of(w).gradients(run_of(w).last) ** 2


def _group_slopes(w: Any) -> Any:
    return run_of(w).group_gradients(run_of(w).last) ** 2


def _moved(w: Any) -> Any:
    run, t = run_of(w), run_of(w).last
    return xp.total(run.in_group(t, (run.gradients(t)[..., :, None] - run.crossed(t)) ** 2))


def _along(w: Any) -> Any:
    return run_of(w).gradients(0) * run_of(w).group_gradients(0)


TERMS = (
    Term("eta[t]", training.steps, per="t"),
    Term("eta0", lambda w: w.step_size),
    Term("L", lambda w: w.curvature),
    Term("sigma", lambda w: w.sigma),
    Term("K[t]", lambda w: w.dissimilarity, per="t"),
    Term(
        "2*L**2*Sum(eta[t]*D[t], (t, 0, T - 1))/Sum(eta[t], (t, 0, T - 1))",
        lambda w: convergence.theorem2_with_drift(w)[1]["drift"],
    ),
    Term("N", lambda w: run_of(w).clients),
    Term("M[T - 1]", _moved, random=True),
    Term("K[T - 1]", lambda w: w.dissimilarity[..., run_of(w).last]),
    Term("J(w[T - 1])", lambda w: run_of(w).losses(run_of(w).last), per="clients", random=True),
    # the statements add a truth value: whether the loss is the one after the epoch
    Term("J(w[T])", lambda w: run_of(w).losses(run_of(w).last + True), per="clients", random=True),
    Term("grad(J, w[T - 1])**2", _slopes, per="clients", random=True),
    Term("h[T - 1]**2", _group_slopes, per="clients", random=True),
    Term("J(w[0])", lambda w: run_of(w).losses(0), per="clients"),
    Term(
        "Sum(eta[t]*N*grad(J, w[t])**2, (t, 0, T - 1))",
        lambda w: convergence.averages(w)[1],
        random=True,
    ),
)


def measured(world: Any) -> tuple[ExactRun, Mapping[str, int]]:
    """The run of a world as outlines see it."""
    paths = ClientPaths(world)
    run, epochs = paths.run, range(paths.epochs)
    crossed = [paths.each(run.in_group(t, run.crossed(t))) for t in epochs]
    apart: list[Fraction] = []
    moved: list[Fraction] = []
    for t in epochs:
        models, slopes = run.models[t], run.gradients(t)
        gaps = (models[..., :, None] - models[..., None, :]) ** 2
        turns = (slopes[..., :, None] - run.crossed(t)) ** 2
        for found, squares in ((apart, gaps), (moved, turns)):
            found.append(paths.mean(paths.each(run.in_group(t, squares)).sum(-1)))
    numbers: dict[str, Any] = {
        "L": fractions(world.original("smoothness" if world.has("smoothness") else "curvature"))[0],
        "sigma": fractions(world.original("sigma"))[0],
        "eta0": fractions(world.original("step_size"))[0],
        "N": run.clients,
        "T": paths.epochs,
        "eta": fractions(training.steps(world)),
        "M": moved,
        "D": apart,
    }
    if world.has("kappa2"):
        numbers["K"] = fractions(training.dissimilarity(world))
    vectors = {"w": paths.models, "h": paths.groups, "c": crossed, "n": paths.noises}
    return ExactRun(
        paths.chances,
        [Fraction(1, run.clients)] * run.clients,
        numbers=numbered(numbers),
        vectors={name: over_time(rows) for name, rows in vectors.items()},
        functions={"J": paths.losses},
    ), {"t": paths.epochs}


GROUPS = OutlineSetting(
    "training in groups",
    (training.FIXED, training.CHANGING, training.SHORT),
    QUANTITIES,
    TERMS,
    FACTS,
    measured,
    {"t": "T", "clients": "N"},
    ("N", "equal"),
)
"""Any groups."""

FIXED_GROUPS = replace(
    GROUPS,
    name="training in groups that never change",
    families=(training.FIXED,),
    facts={
        **FACTS,
        "together": Guaranteed(
            "close",
            {"one": "grad(J, w[t])", "other": "c[t]", "at_most": "0"},
            scope="members that start together",
        ),
    },
)
"""Members start together, and have one model for ever."""

ONE_EPOCH = replace(
    GROUPS,
    name="one epoch of training in groups, from any models",
    families=(descent.repaired.family,),
    quantities=tuple(q for q in QUANTITIES if q.name[0] not in "KDM"),
    terms=(
        *(term for term in TERMS if term.formula in ("eta0", "sigma", "N", "J(w[0])")),
        Term("L", lambda w: w.smoothness),
        Term("J(w[1])", lambda w: run_of(w).losses(1), per="clients", random=True),
        Term("h[0]**2", lambda w: run_of(w).group_gradients(0) ** 2, per="clients"),
        Term("grad(J, w[0])*h[0]", _along, per="clients"),
    ),
    facts={n: FACTS[n] for n in ("rule", "equal steps", "unbiased", "noise", "smooth")},
)
"""Losses of any sign, of which no least value is known."""
