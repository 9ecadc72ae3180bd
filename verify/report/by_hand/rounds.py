r"""A run round by round: step, gradients, weights and models, each with its arithmetic.

Every line is computed again from the line before it; where a run does something that the rule
written here does not give, its models are listed and no rule is claimed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from bounds.numbers import Ball
from verify.report.by_hand.fedbc_rounds import fedbc_round, fedbc_rules
from verify.report.by_hand.notation import OUTCOMES, Notation
from verify.report.by_hand.record import Part, Row
from verify.report.by_hand.shown import same
from verify.report.by_hand.told import NamedWorld
from verify.report.by_hand.writing import braced, equation, in_words, number
from verify.world.world import World

__all__ = ["RunPath", "rounds", "rules"]

RULES = {
    "all_for_one": (
        r"\theta_{i}^{t} = \theta_{i}^{t-1} - \eta \cdot \sum_{k} \alpha_{k} \cdot g_{k}",
        "All-for-one: client i asks everybody for a stochastic gradient at its own model; client 1 "
        "is followed",
    ),
    "aggregation": (
        r"w_{t+1}^{i} = w_{t}^{i} - \eta_{t} \cdot g_{i}",
        "every client steps from its own model; every E iterations all models become their mean "
        "with the weights of the round",
    ),
}
"""Rule of each method whose rule has no choices: a formula and what it means."""

MOST_ROUNDS = 8
MOST_OUTCOMES = 8
"""More are not written out."""


def rounds(world: NamedWorld, table: Notation, outcome: int | None) -> Iterator[Part]:
    """Parts for every run that the sides have asked for.

    Parameters
    ----------
    world : NamedWorld
        After its sides were evaluated.
    table : Notation
    outcome : int or None
        The outcome that is compared; None where all count.
    """
    many = len(world.runs_made)
    for place, (method, _, own, made) in enumerate(world.runs_made):
        count = max(v.shape[1] for v in (made.theta, *made.extras.values()))
        shown = _different(made, count)
        if len(shown) > MOST_OUTCOMES or made.theta.shape[-1] > 1:
            continue
        rows: list[Row] = []
        for number_of in shown:
            path = RunPath(world, table, method, own, made, number_of, outcome)
            rows += list(path.rows(len(shown) > 1))
        name = f"run {place + 1}" if many > 1 else "run"
        if rows:
            yield Part(f"The {name}, round by round", tuple(rows))


def rules(world: World) -> Iterator[Row]:
    """The rule of the method as it was run, choices and all."""
    method = world.instance.method
    if method == "fedbc":
        yield from fedbc_rules(world)
    elif method in RULES:
        yield Row(*RULES[method])


class RunPath:
    """One run on one outcome."""

    def __init__(
        self,
        world: NamedWorld,
        table: Notation,
        method: str,
        own: Any,
        made: Any,
        outcome: int,
        worst: int | None,
    ) -> None:
        self.world, self.table = world, table
        self.method, self.own, self.made = method, own, made
        self.outcome, self.worst = outcome, worst

    def value(self, name: str, *index: int) -> tuple[str, Any] | None:
        """TeX and value of what was given to the run; None where nothing was."""
        found = self.own.get(name)
        if found is None and self.world.given(name):
            found = self.world.original(name)
        if found is None:
            return None
        array = np.asarray(found, dtype=object)
        if array.ndim < 2:
            return self.table.entry(name, (0,), (1,)), array.reshape(-1)[0]
        at = (0, 0, *index[: array.ndim - 2])
        tex = self.world.tex_of(name, array, at)
        self.world.names.named(tex, array[at])
        return tex, array[at]

    def rows(self, several: bool) -> Iterator[Row]:
        """The start, then each round."""
        if several:
            chance = self.chance
            compared = "; this one is compared" if self.outcome == self.worst else ""
            yield Row(
                "", f"outcome {OUTCOMES[self.outcome]}, of chance {in_words(chance)}{compared}"
            )
        total = self.made.theta.shape[2] - 1
        tell = getattr(self, f"_{self.method}", None)
        if ("theta" not in self.world.fields.values() and self.method != "fedbc") or tell is None:
            tell = self._models
        for t in range(min(total, MOST_ROUNDS)):
            yield from tell(t)
        if total > MOST_ROUNDS:
            yield Row("", f"and so on for {total} rounds")

    @property
    def chance(self) -> Any:
        """Of all outcomes that give the models of this one."""
        paths = [p for p in (self.made.theta, *self.made.extras.values()) if p.shape[1] > 1]
        weights = self.world.weights[0]
        alike = [
            weights[r]
            for r in range(len(weights))
            if all(_agree(p, r, self.outcome) for p in paths)
        ]
        return sum(alike[1:], start=alike[0])

    def at(self, name: str, *index: int) -> tuple[str, Any]:
        """TeX and value of an entry of a trace on this outcome."""
        path = self.made.theta if name == "theta" else self.made.extras[name]
        at = (0, min(self.outcome, path.shape[1] - 1), *index)
        return self.world.tex_of(name, path, at), path[at]

    def step(self, t: int) -> Any:
        """The step size of a round; None where the run has none."""
        value = self.own.get("step_size")
        if value is None:
            for name in ("step_size", "step_sizes"):
                if self.world.given(name):
                    value = self.world.original(name)
                    break
        if value is None:
            return None
        flat = value[0, 0] if getattr(value, "ndim", 0) > 1 else value.reshape(-1)
        return flat[t] if getattr(flat, "ndim", 0) else getattr(flat, "item", lambda: flat)()

    def slope(self, k: int, place: Any) -> Any:
        """The derivative of a client's loss."""
        point = np.empty((1, 1, 1), dtype=object)
        point[...] = place
        return self.world.problem.gradients(point)[0, 0, k, 0]

    def _all_for_one(self, t: int) -> Iterator[Row]:
        before, after = self.at("theta", t, 0), self.at("theta", t + 1, 0)
        if t == 0:
            yield Row(f"{before[0]} {equation(before[1])}", "the start")
        eta, count = self.step(t), self.world.problem.clients
        weights = [self.at("weights", t, k) for k in range(count)]
        slopes = [self.slope(k, before[1]) for k in range(count)]
        for k, slope in enumerate(slopes):
            if weights[k][1] or count <= 3:
                yield Row(f"{self.table.loss}_{{{k + 1}}}'({before[0]}) {equation(slope)}")
        for tex, value in weights:
            yield Row(f"{tex} {equation(value)}", "" if value else "a weight of zero")
        if eta is None:
            yield Row(f"{after[0]} {equation(after[1])}")
            return
        mixed = sum(w[1] * s for w, s in zip(weights, slopes, strict=True))
        drift = after[1] - (before[1] - eta * mixed)
        noise = 0 if _may_be_zero(eta) else -drift / eta
        terms = " + ".join(
            rf"{braced(w[1])} \cdot {braced(s)}"
            for w, s in zip(weights, slopes, strict=True)
            if w[1]
        )
        words = ""
        if not _may_be_zero(noise):
            terms += f" + {braced(noise)}"
            words = f"the weighted noise is {in_words(noise)}"
        yield Row(
            rf"{after[0]} = {number(before[1])} - {braced(eta)} \cdot \left({terms or '0'}\right)"
            f" {equation(after[1])}",
            words,
        )

    def _aggregation(self, t: int) -> Iterator[Row]:
        count = self.world.problem.clients
        eta = self.step(t)
        before = [self.at("models", t, k, 0) for k in range(count)]
        after = [self.at("models", t + 1, k, 0) for k in range(count)]
        if t == 0:
            for tex, value in before:
                yield Row(f"{tex} {equation(value)}", "the start")
        local = []
        for k in range(count):
            slope = self.slope(k, before[k][1])
            local.append(None if eta is None else before[k][1] - eta * slope)
            yield Row(f"{self.table.loss}_{{{k + 1}}}'({before[k][0]}) {equation(slope)}")
            if eta is None or local[k] != after[k][1]:
                continue
            yield Row(
                rf"{after[k][0]} = {number(before[k][1])} - {braced(eta)} \cdot "
                rf"{braced(slope)} {equation(after[k][1])}"
            )
        weights = [self.at("alpha", t, k) for k in range(count)]
        mean = self.at("theta", t + 1, 0)
        if all(v is not None for v in local):
            virtual = sum(w[1] * v for w, v in zip(weights, local, strict=True))
            if virtual == mean[1]:
                terms = " + ".join(
                    rf"{braced(w[1])} \cdot {braced(v)}"
                    for w, v in zip(weights, local, strict=True)
                )
                yield Row(f"{mean[0]} = {terms} {equation(mean[1])}", "the weighted mean")
        joined = [k for k in range(count) if local[k] != after[k][1] and after[k][1] == mean[1]]
        if joined:
            yield Row("", "here all models become the mean")
            for k in joined:
                yield Row(f"{after[k][0]} {equation(after[k][1])}")

    def _fedbc(self, t: int) -> Iterator[Row]:
        yield from fedbc_round(self, t)

    def _models(self, t: int) -> Iterator[Row]:
        if t == 0:
            tex, value = self.at("theta", 0, 0)
            yield Row(f"{tex} {equation(value)}", "the start")
        tex, value = self.at("theta", t + 1, 0)
        yield Row(f"{tex} {equation(value)}")


def _different(made: Any, count: int) -> list[int]:
    """The first of each kind of outcomes that give the same models."""
    kept: list[int] = []
    paths = [p for p in (made.theta, *made.extras.values()) if p.shape[1] > 1]
    for r in range(count):
        if not any(all(_agree(p, r, s) for p in paths) for s in kept):
            kept.append(r)
        if len(kept) > MOST_OUTCOMES:
            break
    return kept


def _agree(path: Any, one: int, other: int) -> bool:
    """Whether a path is the same on two outcomes."""
    return all(map(same, path[:, one].flat, path[:, other].flat))


def _may_be_zero(value: Any) -> bool:
    """Whether a number is zero; of a ball, whether it holds zero."""
    return bool(value.lo <= 0 <= value.hi if isinstance(value, Ball) else value == 0)
