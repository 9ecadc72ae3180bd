"""One epoch of one client, any local steps and from any models: Equation 37."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from verify.outlines.exact import fractions
from verify.outlines.registry import proof_of
from verify.outlines.setting import ANY, Guaranteed, OutlineSetting, Quantity, Term
from verify.proof.bridge import ExactRun
from verify.statements.hcct import descent
from verify.statements.hcct.proofs.paths import ClientPaths, numbered, over_time
from verify.statements.hcct.quantities.training import run_of

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline


def measured(world: Any) -> tuple[ExactRun, Mapping[str, int]]:
    """The epoch of client 0 as outlines see it."""
    paths = ClientPaths(world)
    value, slope = paths.losses
    drawn = [g + n for g, n in zip(paths.groups, paths.noises, strict=True)]
    return ExactRun(
        paths.chances,
        numbers=numbered({n: fractions(world.original(s))[0] for n, s in NUMBERS.items()}),
        vectors={"w": over_time(paths.models, 0), "u": over_time(drawn, 0)},
        functions={"J": (lambda _, x: value(0, x), lambda _, x: slope(0, x))},
    ), {"t": paths.epochs}


NUMBERS = {"L": "smoothness", "eta": "step_size"}
ONE_CLIENT = OutlineSetting(
    "one epoch of one client, from any models",
    (descent.smooth.family, *descent.smooth.also),
    (
        Quantity("t", "index", "epoch, from 0", "t"),
        Quantity("L", "positive", "smoothness of its loss", "L"),
        Quantity("eta", "positive", "step size", r"\eta^t"),
        Quantity("J", "function", "its loss", "J_i"),
        Quantity("w[t]", "vector", "its model", r"\mathbf w_i^t", known="t"),
        Quantity("u[t]", "vector", "mean update", r"\sum_ja_j\mathbf g_j", known="t + 1"),
    ),
    (
        Term("L", lambda w: w.smoothness),
        Term("eta", lambda w: w.step_size),
        Term("J(w[0])", lambda w: run_of(w).losses(0)[..., 0]),
        Term("J(w[1])", lambda w: run_of(w).losses(1)[..., 0], random=True),
        Term("grad(J, w[0])*(w[1] - w[0])", lambda w: descent.smooth(w)[1]["slope"], random=True),
        Term("(w[1] - w[0])**2", lambda w: descent.squared_move(w)[0]["square"], random=True),
        Term("u[0]**2", lambda w: run_of(w).updates[0][..., 0] ** 2, random=True),
    ),
    {"smooth": Guaranteed("smooth", {"f": "J", "L": "L", "at": ANY, "to": ANY})},
    measured,
)
"""Whatever the way to the next model."""

OWN_MODEL = replace(
    ONE_CLIENT,
    name="one epoch of one client that keeps its own model",
    facts={
        **ONE_CLIENT.facts,
        "rule": Guaranteed(
            "method",
            {"entry": "w[t + 1]", "is_": "w[t] - eta*u[t]"},
            scope="steps along the mean update of the group",
        ),
    },
)


@proof_of(descent.smooth, ONE_CLIENT)
@proof_of(descent.ALGORITHM[1], ONE_CLIENT)
def smooth(o: StatementOutline) -> None:
    """Its loss lies below its parabola."""
    o.uses("smooth", at="w[0]", to="w[1]")
    o.step("descent", f"{o.left} <= {o.right}", "smooth")


@proof_of(descent.squared_move, OWN_MODEL)
def squared_move(o: StatementOutline) -> None:
    """The move is the step along the update."""
    o.uses("rule")
    o.step("move", f"{o.left} == {o.right}")
