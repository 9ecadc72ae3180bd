"""Held-out runs: whether the precisions are reached within the rounds that were predicted.

The runs take step sizes, groups and weights of the forecast, which saw the first half of the rows,
and draw their mini-batches from the second half; excess losses are those of the second half's mean
losses. Nobody's second half is used for anything else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from algorithms.collaboration.forecast import FACTOR, Forecast
from algorithms.collaboration.tables import Array, ClientTables
from algorithms.engine.run import Run, run_chunked
from algorithms.registry import load_method
from bounds.numbers.validate import require
from bounds.rates import decreasing_shift, decreasing_step_size
from synthetic.noise.philox import run_key
from synthetic.noise.sources import source_of

__all__ = ["METHODS", "TimesToPrecision", "held_out_trial"]

METHODS = ("alone", "all for one", "group", "all for all")
FIRST = 128
"""Rounds of the first attempt; each further one has four times as many."""
BLOCK = 256
"""Rounds whose excess losses are computed at a time."""


@dataclass(frozen=True)
class TimesToPrecision:
    """When the runs reach the precisions; N entries per precision, one for all-for-all.

    Attributes
    ----------
    reached : dict
        Method -> array (P, N, R): first round with an excess loss of at most eps (for all-for-all
        the mean over the clients), infinite where no round looked at has one.
    crossing : dict
        Method -> array (P, N): first round at which the mean over the runs is at most eps.
    rounds : dict
        Method -> array (P, N): rounds that count, the smaller of the prediction and the cap; zero
        where nothing is predicted.
    start_excess : array, (N,)
        Of the held-out losses at zero.
    """

    reached: Mapping[str, Array]
    crossing: Mapping[str, Array]
    rounds: Mapping[str, Array]
    start_excess: Array

    def missed(self, method: str, precision: int, client: int) -> Array:
        """Ones for the runs that did not reach the precision within the rounds that count, (R,)."""
        first = self.reached[method][precision, client]
        return np.asarray((first > self.rounds[method][precision, client]).astype(float))


def held_out_trial(
    forecast: Forecast,
    held_out: ClientTables,
    *,
    batch: int = 1,
    runs: int = 64,
    most_rounds: int = 4000,
    seed: int = 0,
) -> TimesToPrecision:
    """Run every method for every client on the held-out halves.

    Parameters
    ----------
    forecast : Forecast
        From the other halves.
    held_out : ClientTables
    batch : int
        That of the forecast.
    runs : int
        R, replicates of each.
    most_rounds : int
        Cap; beyond it a prediction is tried only so far.
    seed : int

    Returns
    -------
    Trial
    """
    require(runs >= 1, "runs", "at least 1", runs, "raise it")
    require(most_rounds >= 1, "rounds", "at least 1", most_rounds, "raise it")
    made = _Runs(forecast, held_out, batch, runs, seed)
    n = held_out.clients
    needed = {
        "alone": forecast.alone,
        "all for one": forecast.all_for_one,
        "group": forecast.grouped,
        "all for all": forecast.together[:, None],
    }
    rounds = {
        method: np.where(np.isfinite(t), np.minimum(t, most_rounds), 0.0)
        for method, t in needed.items()
    }
    found = {
        "alone": [made.own("alone", i, rounds["alone"][:, i], i) for i in range(n)],
        "all for one": [
            made.own("all for one", i, rounds["all for one"][:, i], n + i) for i in range(n)
        ],
        "group": made.grouped(rounds["group"], 2 * n),
        "all for all": [made.together(rounds["all for all"], 3 * n)],
    }
    reached = {m: np.stack([hit for hit, _ in pairs], axis=1) for m, pairs in found.items()}
    crossing = {m: np.stack([mean for _, mean in pairs], axis=1) for m, pairs in found.items()}
    return TimesToPrecision(reached, crossing, rounds, np.asarray(made.problem.excess(made.zero)))


Found = tuple[Array, Array]
"""First rounds of every run (P, R), and of their mean (P,)."""


class _Runs:
    """The held-out federation and how it is run."""

    def __init__(
        self, forecast: Forecast, tables: ClientTables, batch: int, runs: int, seed: int
    ) -> None:
        self.forecast, self.count, self.seed = forecast, runs, seed
        # a rule weighs by the variances that the forecast knows
        claimed = forecast.constants.sigma2
        self.problem: Any = tables.problem(batch, claimed).map(torch.as_tensor)
        self.zero = torch.zeros(tables.dim, dtype=torch.float64)
        self.clients = tables.clients

    def own(self, method: str, i: int, rounds: Array, stream: int) -> Found:
        """Client i alone or with All-for-one."""
        forecast = self.forecast
        ratio = forecast.step_ratio[i] if method == "all for one" else 1.0
        hyper: dict[str, Any] = {"focus": [i]}
        if method == "alone":
            hyper |= {"weights": "fixed", "weight_matrix": np.eye(self.clients)}
        else:
            hyper |= {"weights": "true", "phi": forecast.rule.phi}
            if forecast.rule.threshold is not None:
                hyper["threshold"] = forecast.rule.threshold

        def steps(length: int) -> dict[str, Any]:
            mu = forecast.constants.mu[i]
            return {"step_sizes": _steps(mu, forecast.shift(i, ratio), length)}

        (found,) = self.watch("all_for_one", hyper, steps, rounds, stream, [i])
        return found

    def grouped(self, rounds: Array, stream: int) -> list[Found]:
        """Every client under its group's model."""
        out: dict[int, Found] = {}
        for number, group in enumerate(self.forecast.groups):
            members = [int(k) for k in np.flatnonzero(group.shares)]
            # all members hold the group's model: that of the first one stands for it
            hyper = {
                "weights": "fixed",
                "focus": members[:1],
                "weight_matrix": np.tile(group.shares, (self.clients, 1)),
            }
            shift = float(decreasing_shift(FACTOR, group.mu, group.smoothness))

            def steps(length: int, mu: float = group.mu, shift: float = shift) -> dict[str, Any]:
                return {"step_sizes": _steps(mu, shift, length)}

            found = self.watch(
                "all_for_one", hyper, steps, rounds[:, members], stream + number, members
            )
            out.update(zip(members, found, strict=True))
        return [out[k] for k in range(self.clients)]

    def together(self, rounds: Array, stream: int) -> Found:
        """The mean over the clients under all-for-all, whose matrix depends on the precision."""
        hits, means = [], []
        for p in range(len(rounds)):
            hyper = {"mixing": self.forecast.mixing[p], "step_size": self.forecast.mixing_step[p]}
            everybody = list(range(self.clients))
            found = self.watch(
                "all_for_all", hyper, lambda _: {}, rounds[p], stream + p, everybody, True
            )
            hits.append(found[0][0][p])
            means.append(found[0][1][p])
        return np.stack(hits), np.array(means)

    def watch(
        self,
        name: str,
        hyper: dict[str, Any],
        steps: Callable[[int], dict[str, Any]],
        rounds: Array,
        stream: int,
        clients: list[int],
        mean: bool = False,
    ) -> list[Found]:
        """Run until everything is reached, or to the end.

        Draws have addresses, so that a longer run begins as the shorter one did.
        """
        most, length = max(int(rounds.max()), 1), FIRST
        while True:
            length = min(length, most)
            excess = self.excess(name, {**hyper, **steps(length)}, length, stream, clients)
            if mean:
                excess = excess.mean(0, keepdims=True)
            found = [_first(path, self.forecast.precisions) for path in excess]
            missing = any(np.isinf(x).any() for pair in found for x in pair)
            if length == most or not missing:
                return found
            length *= 4

    def excess(
        self, name: str, hyper: dict[str, Any], rounds: int, stream: int, clients: list[int]
    ) -> Array:
        """Excess losses of these clients at the models that are recorded, (clients, T + 1, R)."""
        method = load_method(name)
        settings = {"start": self.zero, **hyper}
        slots = method.slots(self.clients, settings)
        key = run_key(self.seed, stream)
        wide = self.problem.select(clients).expand(2)

        def reduce(done: Run) -> dict[str, Any]:
            theta = done.theta  # (R, T + 1, F, d)
            parts = [
                # one model for all of these clients, or one each
                wide.own_excess(part.expand(*part.shape[:-2], len(clients), part.shape[-1]))
                for part in torch.split(theta, BLOCK, dim=-3)
            ]
            return {"excess": torch.cat(parts, 1).permute(2, 1, 0).flatten(0, 1)}

        done = run_chunked(
            method,
            self.problem.expand(1),
            settings,
            lambda rows: source_of(self.problem, key, rows, slots),
            self.count,
            rounds,
            record=(),
            reduce=reduce,
        )
        return np.asarray(done.extras["excess"]).reshape(len(clients), -1, self.count)


def _first(paths: Array, precisions: Array) -> Found:
    """First rounds (P, R) and (P,) at which paths (T + 1, R) and their mean are small enough."""

    def when(path: Array) -> Array:
        small = path <= np.expand_dims(precisions, tuple(range(1, path.ndim + 1)))
        return np.where(small.any(1), small.argmax(1), np.inf)

    return when(paths), when(paths.mean(1))


def _steps(mu: float, shift: float, rounds: int) -> Array:
    """C/(mu (gamma + t)) for t = 1, ..., T."""
    t = np.arange(1.0, max(rounds, 1) + 1)
    return np.asarray(decreasing_step_size(FACTOR, mu, shift, t))
