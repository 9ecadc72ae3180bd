"""Two clients that meet after epochs in any groups: Equation 39.

Client i has the model w and client j the model v; they are together in epoch T, and before it in
one group or in two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from verify.outlines.exact import fractions
from verify.outlines.setting import ANY, Guaranteed, OutlineSetting, Quantity, Term
from verify.proof.bridge import ExactRun
from verify.proof.entries import declared
from verify.proof.term import names_in
from verify.statements.hcct import drift
from verify.statements.hcct.proofs.paths import ClientPaths, numbered, over_time
from verify.statements.hcct.quantities.training import run_of

__all__ = ["GROUPS_OF_BOTH", "MEETING", "OWN_MODELS"]

QUANTITIES = (
    Quantity("t", "index", "epoch, from 0", "s"),
    Quantity("T", "positive integer", "epochs before both are in one group", "t"),
    Quantity("L", "positive", "smoothness of every loss", "L"),
    Quantity("eta", "positive", "step size", r"\eta^s"),
    Quantity("sigma", "positive", "noise of a gradient, its root mean square at most", r"\sigma"),
    Quantity("K", "nonnegative", "dissimilarity of both", r"\kappa_{i,j}^2"),
    Quantity("J", "function", "loss of client i", "J_i"),
    Quantity("w[t]", "vector", "model of client i", r"\mathbf w_i^s", known="t"),
    Quantity("v[t]", "vector", "model of client j", r"\mathbf w_j^s", known="t"),
    Quantity("g[t]", "vector", "mean update of the group of i", r"\sum_{\mathcal C_i^s}a\mathbf g", known="t + 1"),
    Quantity("u[t]", "vector", "mean update of the group of j", r"\sum_{\mathcal C_j^s}a\mathbf g", known="t + 1"),
    Quantity("x[t]", "vector", "the start and what steps of i and j differ in so far", r"\mathbf w^0+\sum_{r<s}\eta^r(\sum_{\mathcal C_j^r}a\mathbf g-\sum_{\mathcal C_i^r}a\mathbf g)", known="t"),
    Quantity("h[t]", "vector", "mean gradient of the group of i", r"\sum_{\mathcal C_i^s}a_z\nabla J_z(\mathbf w_z)", known="t"),
    Quantity("k[t]", "vector", "mean gradient of the group of j", r"\sum_{\mathcal C_j^s}a_z\nabla J_z(\mathbf w_z)", known="t"),
    Quantity("n[t]", "vector", "mean noise of the group of i", r"\sum_{\mathcal C_i^s}a_z(\mathbf g_z-\nabla J_z)", known="t + 1"),
    Quantity("m[t]", "vector", "mean noise of the group of j", r"\sum_{\mathcal C_j^s}a_z(\mathbf g_z-\nabla J_z)", known="t + 1"),
    Quantity("p[t]", "vector", "mean gradient of i over the group of i", r"\sum_{\mathcal C_i^s}a_z\nabla J_i(\mathbf w_z)", known="t"),
    Quantity("q[t]", "vector", "mean gradient of j over the group of i", r"\sum_{\mathcal C_i^s}a_z\nabla J_j(\mathbf w_z)", known="t"),
)  # fmt: skip


def _only(terms: Mapping[str, Any]) -> Any:
    (found,) = terms.values()
    return found


TERMS = (
    Term("L", lambda w: w.curvature),
    Term("eta", lambda w: w.step_size),
    Term("sigma", lambda w: w.sigma),
    Term("T", lambda w: run_of(w).last),
    Term(
        "(grad(J, w[T]) - grad(J, v[T]))**2", lambda w: _only(drift.smooth_now(w)[0]), random=True
    ),
    Term("(w[T] - v[T])**2", lambda w: _only(drift.unrolled(w)[0]), random=True),
    Term("(x[T] - w[0])**2", lambda w: _only(drift.unrolled(w)[1]), random=True),
    Term(
        "T*L**2*Sum(eta**2*(g[t] - u[t])**2, (t, 0, T - 1))",
        lambda w: _only(drift.independence_repaired(w)[1]),
        random=True,
    ),
    Term(
        "L**2*Sum(eta**2*(h[t] + n[t] - k[t] - m[t])**2, (t, 0, T - 1))",
        lambda w: _only(drift.variance_repaired(w)[0]),
        random=True,
    ),
    Term(
        "L**2*Sum(eta**2*(h[t] - k[t])**2, (t, 0, T - 1))",
        lambda w: drift.variance_repaired(w)[1]["gradients"],
        random=True,
    ),
    Term(
        "eta**2*L**2*Sum((p[t] - q[t])**2, (t, 0, T - 1))",
        lambda w: _only(drift.similarity_repaired(w)[0]),
        random=True,
    ),
    Term("eta**2*L**2*T*K", lambda w: _only(drift.similarity_repaired(w)[1])),
)
FACTS = {
    "smooth": Guaranteed("smooth gradients", {"f": "J", "L": "L", "at": ANY, "to": ANY}),
    "rule of i": Guaranteed(
        "method",
        {"entry": "w[t + 1]", "is_": "w[t] - eta*g[t]"},
        scope="steps along the mean update of the group",
    ),
    "rule of j": Guaranteed(
        "method",
        {"entry": "v[t + 1]", "is_": "v[t] - eta*u[t]"},
        scope="steps along the mean update of the group",
    ),
    "start": Guaranteed("definition", {"entry": "v[0]", "is_": "w[0]"}, scope="a common start"),
    "no step": Guaranteed("definition", {"entry": "x[0]", "is_": "w[0]"}),
    "steps": Guaranteed("definition", {"entry": "x[t + 1]", "is_": "x[t] - eta*(g[t] - u[t])"}),
    "unbiased of i": Guaranteed("unbiased", {"noise": "n[t]", "given": "t"}),
    "unbiased of j": Guaranteed("unbiased", {"noise": "m[t]", "given": "t"}),
    "noise of i": Guaranteed("variance", {"noise": "n[t]", "sigma2": "sigma**2"}),
    "noise of j": Guaranteed("variance", {"noise": "m[t]", "sigma2": "sigma**2"}),
    "together or apart": Guaranteed(
        "relation",
        {"less": "0", "more": "n[t]*m[t]"},
        scope="groups that are one, or have no member in common and independent noises",
    ),
    "similar": Guaranteed(
        "close",
        {"one": "p[t]", "other": "q[t]", "at_most": "K"},
        scope="clients similar up to kappa_ij",
    ),
}


def measured(world: Any) -> tuple[ExactRun, Mapping[str, int]]:
    """The run of clients 0 and 1 as outlines see it."""
    paths = ClientPaths(world)
    run, before = paths.run, paths.run.last
    value, slope = paths.losses
    updates = [g + n for g, n in zip(paths.groups, paths.noises, strict=True)]
    eta = fractions(world.step_size)[0]
    turns = [eta * (d[:, 1:2] - d[:, :1]) for d in updates]
    own, other = (
        [paths.each(run.in_group(t, run.crossed(t)[..., c : c + 1, :])) for t in range(before)]
        for c in (0, 1)
    )
    numbers = {
        "L": fractions(world.curvature)[0],
        "eta": eta,
        "sigma": fractions(world.sigma)[0],
        "T": before,
        "K": fractions(world.kappa2[..., 0, 1])[0],
    }
    of_i = {"w": paths.models, "g": updates, "h": paths.groups, "n": paths.noises}
    of_j = {"v": paths.models, "u": updates, "k": paths.groups, "m": paths.noises}
    of_both = {"p": own, "q": other}
    of_both["x"] = [sum(turns[:t], paths.models[0][:, :1]) for t in range(before + 1)]
    return ExactRun(
        paths.chances,
        numbers=numbered(numbers),
        vectors={
            name: over_time(rows, client)
            for client, several in ((0, of_i | of_both), (1, of_j))
            for name, rows in several.items()
        },
        functions={"J": (lambda _, x: value(0, x), lambda _, x: slope(0, x))},
    ), {"t": before}


def _setting(name: str, words: str, facts: Sequence[str]) -> OutlineSetting:
    """With the quantities of these letters alone: the fewer there are, the faster is a check."""
    letters = {*words.split()}
    return OutlineSetting(
        name,
        (drift.smooth_next.family,),
        tuple(q for q in QUANTITIES if declared(q.name)[0] in letters),
        tuple(x for x in TERMS if names_in(x.formula) <= {*letters, "Sum", "grad"}),
        {name: FACTS[name] for name in facts},
        measured,
    )


MEETING = _setting(
    "two clients that meet after epochs in any groups", "t T L eta sigma J w v", ("smooth",)
)
"""Whatever the way of their models."""

OWN_MODELS = _setting(
    "two clients that keep their own models and meet after epochs in any groups",
    "t T L eta sigma w v g u x",
    ("rule of i", "rule of j", "start", "no step", "steps"),
)
"""Both begin at one model."""

GROUPS_OF_BOTH = _setting(
    "the groups of two clients before they meet",
    "t T L eta sigma K h k n m p q",
    (
        "unbiased of i",
        "unbiased of j",
        "noise of i",
        "noise of j",
        "together or apart",
        "similar",
    ),
)
"""What they compute, epoch by epoch."""
