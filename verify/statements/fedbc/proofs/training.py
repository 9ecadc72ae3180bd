"""FedBC from a common start over all of its rounds: notation, and what every run guarantees.

A client that waits has the exact solution of its problem for its model, on which no later round
depends.  Where a statement does not speak of the last multipliers they are taken to stay in the
last round, on which no later one depends either.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bounds import generic as xp
from bounds.fedbc import convergence as closed
from verify.claim.statement import Statement
from verify.outlines.setting import Guaranteed, OutlineSetting, Quantity, Term
from verify.statements.fedbc import quantities as q
from verify.statements.fedbc import theorem, theorem_gradient
from verify.statements.fedbc.proofs import formulas as of
from verify.statements.fedbc.proofs.run import measured_with
from verify.statements.fedbc.proofs.setting import (
    CONSENSUS_FACTS,
    DELTA,
    NEAR,
    NUMBERS,
    PARAMETERS,
    QUANTITIES,
    ROUND,
    Taken,
    families,
)

MEAN = Quantity(
    "mean[s, t]",
    "vector",
    "gradient of the mean loss at the server's model",
    r"\nabla f(z^t)",
    known="0",
)
WHOLE = (
    Quantity("first", "real", "mean loss at the start", "f(z^0)"),
    Quantity("best", "real", "its least value on what holds the models", r"f(z^\star)"),
    Quantity("G", "nonnegative", "largest gradient of a client", "G"),
    Quantity("tol", "nonnegative", "mean of the tolerances", r"\bar\gamma"),
)
"""What the fall of the Lagrangians over all rounds is bounded by."""

_ABOVE = q.ABOVE[1].name
_TOGETHER = (q.common_start.name,)
FACTS = {
    **CONSENSUS_FACTS,
    "common start": Guaranteed(
        "definition", {"entry": "x[s, i, 0]", "is_": "z[s, 0]"}, _TOGETHER, "x_i^0 = z^0"
    ),
    "mean gradient": Guaranteed(
        "relation",
        {"less": "N*mean[s, t]**2", "more": of.each("grad(F, e[i] + z[s, t])**2")},
        scope="",
    ),
    "above half": Guaranteed("strict condition", {"less": "top", "more": "2*low"}, (_ABOVE,), ""),
}
WHOLE_FACTS = {
    **FACTS,
    "start": Guaranteed(
        "relation", {"less": of.each("F(e[i] + z[s, 0])"), "more": "N*first"}, scope=""
    ),
    "best": Guaranteed(
        "relation",
        {"less": "N*best", "more": of.each("F(e[i] + z[s, T])")},
        scope="losses with a least value on X",
    ),
    "steep": Guaranteed(
        "Lipschitz",
        {"f": "F", "G": "G", "at": "e[i] + x[s, i, T]"},
        scope="gradients no longer than G",
    ),
    "tolerances": Guaranteed("relation", {"less": of.each("gam[i]"), "more": "N*tol"}, scope=""),
}
AVERAGE = Term(f"{of.runs(of.when('mean[s, t]**2'))}/(K*T)", q.average_gradient)


def _largest(w: Any) -> Any:
    return xp.largest(q.stiffness(w))


def _summed(
    name: str, statements: tuple[Statement, ...], taken: dict[str, Taken], *more: Quantity
) -> OutlineSetting:
    """A setting of sums over the rounds, in which the fall of the Lagrangians is left."""
    return replace(
        ROUND,
        name=name,
        families=families(*statements),
        quantities=(*QUANTITIES, MEAN, *more),
        terms=(
            *PARAMETERS,
            Term("top", _largest),
            Term("T", lambda w: w.rounds),
            Term("dual", NUMBERS["dual"]),
            Term(of.fallen("T"), q.total_fall),
            NEAR,
            AVERAGE,
            *(Term(n, f) for n, f in taken.items()),
        ),
        facts=FACTS,
        measured=measured_with({**NUMBERS, **taken}),
    )


SUMMED = _summed("FedBC over all rounds, every client sampled", (theorem_gradient.eq76_traced,), {})
SUMMED_ABOVE = _summed(
    "FedBC over all rounds, every client computing",
    (theorem_gradient.sum_repaired, theorem_gradient.sum_repaired77),
    {"delta": q.hull_dissimilarity, "root": NUMBERS["root"]},
    DELTA,
)


def _whole(
    name: str, statement: Statement, taken: dict[str, Taken], reach: Taken
) -> OutlineSetting:
    """A setting in which the fall of the Lagrangians is bounded too."""
    taken = {
        **taken,
        "root": NUMBERS["root"],
        "best": q.hull_best_loss,
        "dual": lambda w: closed.dual_change_upper(reach(w), w.gamma),
        "tol": lambda w: xp.mean(w.gamma),
    }
    first = {"first": lambda w: q.mean_loss(w, w.start[..., 0])}
    return replace(
        ROUND,
        name=name,
        families=families(statement),
        quantities=(*QUANTITIES, MEAN, DELTA, *WHOLE),
        terms=(
            *PARAMETERS,
            Term("top", _largest),
            Term("T", q.length),
            Term(
                "first - best + G**2*half",
                lambda w: q.start_of(w, taken["G"](w), q.hull_best_loss(w)),
            ),
            AVERAGE,
            *(Term(n, f) for n, f in taken.items()),
        ),
        facts=WHOLE_FACTS,
        measured=measured_with({**NUMBERS, **taken, **first, "R": reach}, solved=True, kept=True),
    )


TRAINING = _whole(
    "FedBC over all rounds",
    theorem.explicit,
    {"delta": q.solved_dissimilarity, "G": q.steepest},
    lambda w: q.solved_hull_of(w).diameter,
)
TRAINING_ABOVE = _whole(
    "FedBC over all rounds, every client computing, multipliers above L",
    theorem.repaired,
    {"delta": q.hull_dissimilarity, "G": q.gradient_bound},
    lambda w: q.hull_of(w).diameter,
)
