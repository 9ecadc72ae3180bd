r"""A run round by round: step, gradients, weights and models, each with its arithmetic.

Every line is computed again from the line before it; where a run does something that the rule
written here does not give, its models are listed and no rule is claimed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from verify.report.by_hand.notation import OUTCOMES, Notation
from verify.report.by_hand.record import Part, Row
from verify.report.by_hand.told import NamedWorld
from verify.report.by_hand.writing import equation, in_words, number

__all__ = ["RULES", "rounds"]

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
    "fedbc": (
        r"x_{i}^{+} = \mathrm{argmin}_{x}\ f_{i}(x) + \lambda_{i} \cdot |x - z|^{2}",
        "FedBC: a sampled device solves its Lagrangian, moves its multiplier, and the server takes "
        "the mean of the sampled models, weighted by the multipliers",
    ),
}
"""Rule of each method: a formula and what it means."""

MOST_ROUNDS = 8
MOST_OUTCOMES = 4
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
            path = _Path(world, table, method, own, made, number_of, outcome)
            rows += list(path.rows(len(shown) > 1))
        name = f"run {place + 1}" if many > 1 else "run"
        if rows:
            yield Part(f"The {name}, round by round", tuple(rows))


class _Path:
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
            if all((p[:, r] == p[:, self.outcome]).all() for p in paths)
        ]
        return sum(alike[1:], start=alike[0])

    def _at(self, name: str, *index: int) -> tuple[str, Any]:
        """TeX and value of an entry of a trace on this outcome."""
        path = self.made.theta if name == "theta" else self.made.extras[name]
        at = (0, min(self.outcome, path.shape[1] - 1), *index)
        return self.world.tex_of(name, path, at), path[at]

    def _step(self, t: int) -> Any:
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

    def _slope(self, k: int, place: Any) -> Any:
        import numpy as np

        point = np.empty((1, 1, 1), dtype=object)
        point[...] = place
        return self.world.problem.gradients(point)[0, 0, k, 0]

    def _all_for_one(self, t: int) -> Iterator[Row]:
        before, after = self._at("theta", t, 0), self._at("theta", t + 1, 0)
        if t == 0:
            yield Row(f"{before[0]} {equation(before[1])}", "the start")
        eta, count = self._step(t), self.world.problem.clients
        weights = [self._at("weights", t, k) for k in range(count)]
        slopes = [self._slope(k, before[1]) for k in range(count)]
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
        noise = -drift / eta if eta else 0
        terms = " + ".join(
            rf"{_braced(w[1])} \cdot {_braced(s)}"
            for w, s in zip(weights, slopes, strict=True)
            if w[1]
        )
        words = ""
        if noise:
            terms += f" + {_braced(noise)}"
            words = f"the weighted noise is {in_words(noise)}"
        yield Row(
            rf"{after[0]} = {number(before[1])} - {_braced(eta)} \cdot \left({terms or '0'}\right)"
            f" {equation(after[1])}",
            words,
        )

    def _aggregation(self, t: int) -> Iterator[Row]:
        count = self.world.problem.clients
        eta = self._step(t)
        before = [self._at("models", t, k, 0) for k in range(count)]
        after = [self._at("models", t + 1, k, 0) for k in range(count)]
        if t == 0:
            for tex, value in before:
                yield Row(f"{tex} {equation(value)}", "the start")
        local = []
        for k in range(count):
            slope = self._slope(k, before[k][1])
            local.append(None if eta is None else before[k][1] - eta * slope)
            yield Row(f"{self.table.loss}_{{{k + 1}}}'({before[k][0]}) {equation(slope)}")
            if eta is None or local[k] != after[k][1]:
                continue
            yield Row(
                rf"{after[k][0]} = {number(before[k][1])} - {_braced(eta)} \cdot "
                rf"{_braced(slope)} {equation(after[k][1])}"
            )
        weights = [self._at("alpha", t, k) for k in range(count)]
        mean = self._at("theta", t + 1, 0)
        if all(v is not None for v in local):
            virtual = sum(w[1] * v for w, v in zip(weights, local, strict=True))
            if virtual == mean[1]:
                terms = " + ".join(
                    rf"{_braced(w[1])} \cdot {_braced(v)}"
                    for w, v in zip(weights, local, strict=True)
                )
                yield Row(f"{mean[0]} = {terms} {equation(mean[1])}", "the weighted mean")
        joined = [k for k in range(count) if local[k] != after[k][1] and after[k][1] == mean[1]]
        if joined:
            yield Row("", "here all models become the mean")
            for k in joined:
                yield Row(f"{after[k][0]} {equation(after[k][1])}")

    def _fedbc(self, t: int) -> Iterator[Row]:
        count = self.world.problem.clients
        server = self._at("server", t, 0)
        if t == 0:
            yield Row(f"{server[0]} {equation(server[1])}", "the start of the server")
        for k in range(count):
            model = self._at("local_models", t, k, 0)
            multiplier = self._at("multipliers", t, k)
            slope = self._slope(k, model[1])
            yield Row(f"{multiplier[0]} {equation(multiplier[1])}")
            rest = slope + 2 * multiplier[1] * (model[1] - server[1])
            words = f"device {k + 1} solves its Lagrangian exactly"
            if rest != 0:
                words = f"device {k + 1} waits"
            yield Row(f"{model[0]} {equation(model[1])}", words)
            yield Row(
                rf"f_{{{k + 1}}}'({model[0]}) + 2 \cdot {multiplier[0]} \cdot \left({model[0]} - "
                rf"{server[0]}\right) = {number(slope)} + 2 \cdot {_braced(multiplier[1])} \cdot "
                rf"\left({number(model[1])} - {_braced(server[1])}\right) {equation(rest)}"
            )
        after = self._at("server", t + 1, 0)
        yield Row(f"{after[0]} {equation(after[1])}", "the server")

    def _models(self, t: int) -> Iterator[Row]:
        if t == 0:
            tex, value = self._at("theta", 0, 0)
            yield Row(f"{tex} {equation(value)}", "the start")
        tex, value = self._at("theta", t + 1, 0)
        yield Row(f"{tex} {equation(value)}")


def _different(made: Any, count: int) -> list[int]:
    """The first of each kind of outcomes that give the same models."""
    kept: list[int] = []
    paths = [p for p in (made.theta, *made.extras.values()) if p.shape[1] > 1]
    for r in range(count):
        if not any(all((p[:, r] == p[:, s]).all() for p in paths) for s in kept):
            kept.append(r)
        if len(kept) > MOST_OUTCOMES:
            break
    return kept


def _braced(value: Any) -> str:
    text = number(value)
    return rf"\left({text}\right)" if text.startswith("-") else text
