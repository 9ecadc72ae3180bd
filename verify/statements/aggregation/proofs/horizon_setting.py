"""Many iterations with the steps 1/(mu (t + 4 L/mu)): notation, and what is known of the steps.

A run that never leaves its start has any number of iterations, of which the first is run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bounds import generic as xp
from verify.claim import Statement
from verify.claim.readings import Readings
from verify.outlines.exact import fractions
from verify.outlines.setting import Guaranteed, OutlineSetting, Quantity, Term
from verify.proof.bridge import ExactRun
from verify.statements.aggregation import chain, corollary
from verify.statements.aggregation import quantities as q
from verify.statements.aggregation.proofs.run import LocalRun
from verify.statements.aggregation.proofs.setting import (
    A2,
    A4,
    CONSTANTS,
    FACTS,
    ONE,
    QUANTITIES,
    constants,
    in_mean,
    of_numbers,
)

_MORE = (
    Quantity("low", "positive", "at most every rho(t, w_t)", r"\overline\rho"),
    Quantity("H", "nonnegative", "time at the end, in iterations or rounds", "T"),
    Quantity("b[t]", "nonnegative integer", "the iteration with which its round began", "r"),
)
FALLING = {
    "steps": Guaranteed(
        "definition", {"entry": "eta[t]", "is_": "1/(mu*t + 4*L)"}, scope="steps 1/(mu t + 4 L)"
    ),
    "first step": of_numbers("top[t]*(mu*b[t] + 4*L)", "1"),
    "time": of_numbers("t", "b[t] + P[t] + 1"),
    "few": of_numbers("P[t] + 1", "E"),
    "counted": of_numbers("H", "A + 1"),
    "steep": in_mean("mu**2*(c[t] - o[t])**2", "k[t]**2", A2),
    "bounded": in_mean("k[t]**2", "G2", A4),
    "steep before": in_mean("mu**2*(s[t] - o[t])**2", "g[t]**2", A2),
    "bounded before": in_mean("g[t]**2", "G2", A4),
}


def _reached(horizon: str) -> tuple[Term, ...]:
    return (
        Term("rise[A + 1]", lambda w: q.reached(w, horizon)[0], random=True),
        Term("H", lambda w: q.reached(w, horizon)[1]),
        Term("4*L/mu", lambda w: w.delay),
        Term("4*L/mu", q.delay),
        Term("(w[0] - star)**2", lambda w: w.distance0),
    )


def _numbers(world: Any) -> dict[str, Any]:
    found = constants(world)
    if world.has("least_ratio"):
        ratios = {"low": "least_ratio", "high": "largest_ratio"}
        found |= {n: fractions(world.original(s))[0] for n, s in ratios.items()}
    share = fractions(world.client_weights)
    return found | {"N": len(share), "m": min(share)}


def _measured(world: Any, last: int, count: Any) -> tuple[ExactRun, Mapping[str, int]]:
    return LocalRun(world, last).whole({**_numbers(world), "H": fractions(count)[0]})


def iterations(world: Any) -> tuple[ExactRun, Mapping[str, int]]:
    """The run of a world until after the iteration that is looked at."""
    return _measured(world, int(world.at), q.reached(world, "iterations")[1])


def rounds(world: Any) -> tuple[ExactRun, Mapping[str, int]]:
    """The run of a world until its end."""
    return _measured(world, int(world.rounds) - 1, q.reached(world, "rounds")[1])


HORIZON = replace(
    ONE,
    name="generalised FedAvg, any number of iterations",
    families=(corollary.repaired.family, *corollary.repaired.also),
    quantities=(*(x for x in QUANTITIES if x.name != "low"), *_MORE),
    terms=(
        *CONSTANTS,
        *_reached("iterations"),
        Term("high/low", lambda w: xp.divide(w.high, w.low)),
    ),
    facts={**FACTS, **FALLING},
    measured=iterations,
)

OF_ROUNDS = replace(
    HORIZON,
    name="generalised FedAvg, any number of rounds",
    terms=(*CONSTANTS, *_reached("rounds")),
    measured=rounds,
)

_BOUNDED = {
    "rho-bar": in_mean("low*(rise[t] + gam)", "here[t]", "weights of at least pi times the shares"),
    "rho-tilde": in_mean("ideal[t]", "high*gam", "weights of at most Pi times the shares"),
    "ratios": of_numbers("low", "high"),
    "least ratio": of_numbers("low", "1"),
    "constants": of_numbers("mu", "L"),
    "largest ratio": of_numbers("high*m", "1 - (N - 1)*low*m", "shares of at least min p"),
}


def run_leaves(claim: Readings) -> list[Statement]:
    """The leaves of a claim that are about the gradients along a run."""
    return [leaf for leaf in claim if "@run+" in leaf.key]


def _of_weights(horizon: str, at_end: bool) -> OutlineSetting:
    both = (*run_leaves(chain.eq17), *run_leaves(chain.eq19))
    leaves = [leaf for leaf in both if leaf.key.endswith(horizon)]
    families = {id(f): f for leaf in leaves for f in (leaf.family, *leaf.also)}
    return replace(
        HORIZON,
        name=f"generalised FedAvg under weights near the shares, any number of {horizon}",
        families=tuple(families.values()),
        quantities=(
            *HORIZON.quantities,
            Quantity("m", "positive", "smallest share", r"\min p_i"),
            Quantity("N", "positive integer", "number of clients", "N"),
        ),
        terms=(
            *(term for term in CONSTANTS if term.formula not in ("low", "high")),
            *_reached(horizon),
            Term("low", lambda w: w.least_ratio),
            Term("high/low", lambda w: xp.divide(w.largest_ratio, w.least_ratio)),
            Term(
                "(1 - (N - 1)*low*m)/m/low", lambda w: xp.divide(chain.largest_of(w), w.least_ratio)
            ),
        ),
        facts={**HORIZON.facts, **_BOUNDED},
        measured=rounds if at_end else iterations,
    )


OF_WEIGHTS = {"iterations": _of_weights("iterations", False), "rounds": _of_weights("rounds", True)}
