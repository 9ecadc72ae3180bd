"""Exact runs of All-for-one as its outlines see them, with numbers of each outcome and round."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from verify.proof.bridge import ExactRun
from verify.statements.adaptive.proofs.run import MeasuredPlace, MeasuredRun, entry, slope

__all__ = ["first_round", "measured"]


def measured(added: str = "", level: str = "") -> Callable[[Any], Any]:
    """The run of a world as outlines see it.

    Parameters
    ----------
    added : str
        The number of each outcome of which D sums the means; empty where there is no D.
    level : str
        ``excess`` where the level of Definition 2 is twice mu times the excess loss, ``own`` where
        it is the squared gradient; empty where there is none.
    """

    def of(world: Any) -> tuple[ExactRun, Mapping[str, int]]:
        run = MeasuredRun(world)
        every = [[run.place(t, o) for t in range(run.rounds)] for o in range(run.outcomes)]
        numbers = _plain(run) | _numbers(run, every)
        if level:
            numbers |= _leveled(run, every, level)
        if added or level == "excess":
            numbers["mu"] = run.one("mu")
        if added:
            numbers["D"] = _damped(run, numbers, added)
        known, zero = run.known_points(), tuple(Fraction(0) for _ in run.model(0, 0))
        return ExactRun(
            run.chances,
            numbers={name: entry(value) for name, value in numbers.items()},
            vectors={
                "w": lambda _, o, i, t: run.model(t, o) if t <= run.rounds else zero,
                "told": lambda _, o, i, t: run.told(t, o) if t < run.rounds else zero,
                "n": lambda _, o, i, t: run.noise(t, o) if t < run.rounds else zero,
            },
            functions={
                "F": (
                    lambda i, x: known.get(x, (Fraction(0), zero))[0],
                    lambda i, x: known.get(x, (Fraction(0), zero))[1],
                )
            },
        ), {"t": run.rounds, "k": run.clients, "o": run.outcomes}

    return of


def first_round(world: Any) -> tuple[ExactRun, Mapping[str, int]]:
    """The same of one round, with the numbers at the model before it."""
    made, ranges = measured()(world)
    at = MeasuredRun(world).place(0, 0)
    numbers = {"eff": at.effective, "noise": at.noise, "r": at.ratio, "phi": at.phi}
    named = {name: entry(value) for name, value in numbers.items()}
    return replace(made, numbers={**made.numbers, **named}), ranges


def _plain(run: MeasuredRun) -> dict[str, Any]:
    return {
        "beta": run.one("beta"),
        "eta": run.steps[0],
        "T": run.rounds,
        "N": run.clients,
        "R": run.outcomes,
        "chance": list(run.chances),
        "i2": [1 / s for s in run.sigma2],
        "u": [run.squares(t) for t in range(run.rounds)],
        "b2": run.bias,
        "c": run.slope,
    }


def _numbers(run: MeasuredRun, every: list[list[MeasuredPlace]]) -> dict[str, Any]:
    """Definition 1 at every outcome and round."""
    return {
        "own": [[at.own for at in row] for row in every],
        "eff": [[at.effective for at in row] for row in every],
        "noise": [[at.noise for at in row] for row in every],
        "gap": _by_client(run, [[at.gap for at in row] for row in every]),
        "r": _by_client(run, [[at.ratio for at in row] for row in every]),
        "phi": _by_client(run, [[at.phi for at in row] for row in every]),
    }


def _leveled(run: MeasuredRun, every: list[list[MeasuredPlace]], level: str) -> dict[str, Any]:
    """Definition 2 at a level of every outcome and round."""
    levels = [
        [
            at.own if level == "own" else 2 * run.one("mu") * run.excess[t][o]
            for t, at in enumerate(row)
        ]
        for o, row in enumerate(every)
    ]
    found = [[run.sufficient(x) for x in row] for row in levels]
    slopes = [
        [
            list(map(slope, there[0], at.ratio, there[1], at.phi))
            for there, at in zip(*pair, strict=True)
        ]
        for pair in zip(found, every, strict=True)
    ]
    return {
        "level": levels,
        "suf": [[there[2] for there in row] for row in found],
        "rs": _by_client(run, [[there[0] for there in row] for row in found]),
        "phis": _by_client(run, [[there[1] for there in row] for row in found]),
        "q": _by_client(run, slopes),
    }


def _by_client(run: MeasuredRun, rows: list[list[Any]]) -> Any:
    """By outcome, client and round, from outcome, round and client."""
    return [[[at[k] for at in row] for k in range(run.clients)] for row in rows]


def _damped(run: MeasuredRun, numbers: Mapping[str, Any], added: str) -> list[Fraction]:
    found = [Fraction(0)]
    for t in range(run.rounds):
        more = run.mean([row[t] for row in numbers[added]])
        found.append((1 - numbers["eta"] * numbers["mu"]) * found[-1] + more)
    return found
