"""Planted falsehoods: each is one slip away from a truth, and the ladder must find it.

The kind of slip is the first part of the key.  Restrictions are hypotheses, as everywhere: the box
only says where to look.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from bounds import generic as xp
from tests.qa.calibration.record import false_statement as _false
from tests.qa.calibration.textbook.falsehoods_conditions import CONDITIONS, forgotten_rounds
from tests.qa.calibration.textbook.falsehoods_formulas import FORMULAS
from tests.qa.calibration.worlds import (
    ANY,
    UNIT,
    gaussian_run,
    numbers,
    sgd,
)
from tests.verify.cases import assume
from verify.claim.parameters import Real
from verify.claim.statement import Statement
from verify.world.world import World

# -- empty hypotheses ----------------------------------------------------------------------------


# no step size is above 3/beta and below 1/beta
def _empty_step(w: World) -> Any:
    f1 = w.beta * ((1 - w.eta * w.beta) * w.x) ** 2 / 2
    return {"f1": f1}, {"f0/100": w.beta * w.x**2 / 200}


_impossible_step: dict[str, Any] = {
    "eta >= 3/beta": lambda w: w.eta - 3 / w.beta,
    "eta <= 1/beta": lambda w: 1 / w.beta - w.eta,
}


# weights that sum to one cannot all stay below 1/(N + 1)
def _empty_weights(w: World) -> Any:
    return {"sum of squares": xp.total(w.alpha**2)}, {"half": w.half}


_small_weights: dict[str, Any] = {
    "alpha <= mean/2": lambda w: (xp.mean(w.alpha) / 2)[..., None] - w.alpha,
    "sum": lambda w: xp.total(w.alpha) - 1,
}


def _contradiction(w: World) -> Any:
    return {"1": 1}, {"0": 0}


def _empty(statement: Statement, **fields: Any) -> Statement:
    """The record that the hypotheses of a statement contradict each other."""
    return _false(
        f"{statement.key.removeprefix('false.')}.empty",
        form="empty",
        empties=statement.key,
        family=statement.family,
        given=statement.given,
        sides=_contradiction,
        defines={},
        lift=lambda w: {name: w.symbol(name) for name in statement.family.box},
        **fields,
    )


FALSEHOODS: tuple[Statement, ...] = (
    *FORMULAS,
    *CONDITIONS,
    _false(
        "empty.step",
        sides=_empty_step,
        given=assume(_impossible_step),
        defines={},
        family=numbers(
            beta=Real(1 / 8, 8, (1, -2), log=True),
            eta=Real(1 / 8, 8, (-1, 2), log=True),
            x=Real(-2, 2, (0, 1)),
        ),
    ),
    _false(
        "empty.weights",
        sides=_empty_weights,
        given=assume(_small_weights),
        defines={},
        family=numbers({"N": 2}, {"N": 3}, alpha=Real(0, 1, per=("N",)), half=UNIT),
    ),
)

SIMULATED: tuple[Statement, ...] = (
    # the noise of earlier rounds is forgotten: true for the one round that is searched
    _false(
        "rounds.simulated",
        family=sgd(),
        sides=forgotten_rounds,
        over="mean",
        simulate=(partial(gaussian_run, 20, 1.0),),
    ),
)
"""Falsehoods that only samples can tell."""

EMPTY: tuple[Statement, ...] = tuple(_empty(s) for s in FALSEHOODS if ".empty." in s.key)
"""Proofs that hypotheses are empty, one for each falsehood of that kind."""

CONTROLS: tuple[Statement, ...] = (
    # no real number does; the claim of existence must not be proved
    _false(
        "some.number",
        family=numbers(x=ANY),
        sides=lambda w: ({"x^2 + 1": w.x**2 + 1}, {"x": w.x}),
        quantifier="some",
        defines={},
    ),
)
"""False claims of existence: without a witness they stay inconclusive."""
