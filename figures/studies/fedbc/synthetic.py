"""FedBC against four methods on Synthetic(0.5, 0.5): Table 1 and what its figures show.

Multinomial logistic regression with mini-batches, ten devices drawn per round. Steps are chosen
once, at E = 5 on the first seed, by final accuracy on the training rows, and then kept for every E,
every seed and every number of devices.

Source: fedbc, Section 5 and Appendix E, Table 1, Figures 3, 4, 7 to 12.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

import numpy as np
import torch

from algorithms.engine.run import Run
from algorithms.registry import load_method
from algorithms.sweeps.long_runs import long_run
from bounds.numbers.shapes import Array
from figures.studies.fedbc.setup import (
    CHOSEN,
    METHODS,
    QUICK,
    SERVER,
    THOROUGH,
    TUNED_AT,
    Setup,
    hyper_parameters,
    printed,
    sampled_sets,
)
from figures.studies.keep import keep_option, kept_at
from synthetic.tables.softmax_devices import SoftmaxDevices, whole


@dataclass(frozen=True)
class Trained:
    """What R runs of one method left; T rounds, N devices.

    Attributes
    ----------
    loss : array, shape (R, P)
        Training loss over all rows, at round 0, `every`, 2 `every`, ...
    accuracy : array, shape (R, T + 1)
        Share of all test rows that the server's model labels rightly.
    by_device : array, shape (R, T + 1, N)
        The same on each device's test rows.
    local : array, shape (R, N)
        That of each device's own last model, x_i with FedBC and z with the others, on its own test
        rows.
    shares : array, shape (R, T, N)
        Coefficients of the server's average; 0 for devices that are not sampled.
    multipliers : array, shape (R, T + 1, N)
        Those of FedBC; an empty one, shape (0,), of the other methods.
    """

    loss: Array
    accuracy: Array
    by_device: Array
    local: Array
    shares: Array
    multipliers: Array


@dataclass(frozen=True)
class FedBCStudy:
    """Every method and E on one set of choices.

    Attributes
    ----------
    setup : Setup
    sizes : array, shape (R, N)
        Training rows of each device.
    sampled : array, shape (R, T, N)
        0/1 rows of the sampled devices.
    chosen : mapping
        Method -> hyper-parameters.
    runs : mapping
        (method, E) -> Trained.
    cpu_seconds : float
    """

    setup: Setup
    sizes: Array
    sampled: Array
    chosen: Mapping[str, Mapping[str, float]]
    runs: Mapping[tuple[str, int], Trained]
    cpu_seconds: float

    def final(self, method: str, steps: int) -> Array:
        """Global test accuracy after the last round in per cent, (R,)."""
        values: Array = 100 * self.runs[method, steps].accuracy[:, -1]
        return values

    def rows(self) -> list[str]:
        """Lines of a table: mean, half a 95 % interval over the runs, and the printed mean."""
        out = [f"{'':13}" + "".join(f"{f'E={steps}':>22}" for steps in self.setup.epochs)]
        for method in METHODS:
            cells = []
            for steps in self.setup.epochs:
                mean, half = interval(self.final(method, steps))
                cell = f"{mean:.2f} +- {half:.2f} ({printed(method, steps):.2f})"
                cells.append(f"{cell:>22}")
            out.append(f"{method:13}" + "".join(cells))
        return out


def interval(values: Array) -> tuple[float, float]:
    """Mean and half of a 95 % interval by Student's law, from at least two numbers."""
    from scipy.stats import t

    n = len(values)
    return float(np.mean(values)), float(t.ppf(0.975, n - 1) * np.std(values, ddof=1) / n**0.5)


@lru_cache(maxsize=8)
def study(setup: Setup = QUICK, tuning: Setup | None = None) -> FedBCStudy:
    """Choose the steps, then run every method and E.

    Parameters
    ----------
    setup : Setup
    tuning : Setup, optional
        Where the steps are chosen; by default the same. The choice of `QUICK` is a recorded one.

    Returns
    -------
    Study
    """
    begin = time.process_time()
    tuned = tuning or setup
    chosen = CHOSEN if tuned == QUICK else choose(tuned)
    problem = SoftmaxDevices(setup.federations(), setup.batch)
    runs = {
        (method, steps): train(method, problem, chosen[method], steps, setup)
        for method, steps in product(METHODS, setup.epochs)
    }
    sizes = problem.train.sizes.numpy()
    sampled = sampled_sets(setup).numpy()
    return FedBCStudy(setup, sizes, sampled, chosen, runs, time.process_time() - begin)


@lru_cache(maxsize=8)
def choose(setup: Setup) -> Mapping[str, Mapping[str, float]]:
    """Of every method's grid the point of best training accuracy, at E = 5 on the first seed."""
    found = {method: scores(setup, method) for method in METHODS}
    return {method: max(points, key=lambda pair: pair[1])[0] for method, points in found.items()}


def scores(setup: Setup, method: str) -> list[tuple[dict[str, float], float]]:
    """Points of a method's grid, each with its training accuracy at E = 5 on the first seed."""
    first = replace(setup, seeds=(setup.seeds[0],) * 2, one_data_set=True)
    problem = SoftmaxDevices(first.federations()[:1], setup.batch)
    grid = setup.grid(method)
    points = [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]
    return [(point, _training_accuracy(method, problem, point, first)) for point in points]


def train(
    method: str, problem: SoftmaxDevices, chosen: Mapping[str, float], steps: int, setup: Setup
) -> Trained:
    """Run a method and measure its path."""
    made = _path(method, problem, chosen, steps, setup)
    servers, multipliers = made.extras["server"], made.extras.get("multipliers")
    by_device = torch.stack([problem.accuracies(z) for z in servers.unbind(1)], 1)
    losses = [problem.losses(z) for z in servers[:, :: setup.every].unbind(1)]
    inside = sampled_sets(setup)
    if multipliers is not None:
        weights = torch.where(inside * multipliers[:, 1:] > 0, multipliers[:, 1:], 0.0)
        weights = torch.where(weights.sum(-1, keepdim=True) > 0, weights, inside)
    else:
        equal = method in ("scaffold", "q_fedavg")
        weights = inside * (1 if equal else problem.train.sizes[:, None])
    return Trained(
        torch.stack([whole(x, problem.train.sizes) for x in losses], 1).numpy(),
        whole(by_device, problem.test.sizes[:, None]).numpy(),
        by_device.numpy(),
        problem.own_accuracies(_every(made.theta[:, -1], problem.clients)).numpy(),
        (weights / weights.sum(-1, keepdim=True)).numpy(),
        np.empty(0) if multipliers is None else multipliers.numpy(),
    )


def _path(
    method: str,
    problem: SoftmaxDevices,
    chosen: Mapping[str, float],
    steps: int,
    setup: Setup,
    last_only: bool = False,
) -> Run:
    """Server's models (R, T + 1, 610) and, of FedBC, multipliers (R, T + 1, N)."""
    rule = load_method("fedbc" if method == SERVER else method)
    hyper = hyper_parameters(method, chosen, steps, setup, problem.train.sizes)
    hyper["participation"] = hyper["participation"][: problem.leading[0]]
    hyper["start"] = torch.zeros(problem.dim)
    draws = problem.draws(setup.seeds[0], rule.slots(problem.clients, hyper))
    made = long_run(
        rule,
        problem,
        hyper,
        draws,
        setup.rounds,
        _tensors,
        what=repr(setup),
        record=[name for name in ("server", "multipliers") if name in rule.states],
        last_only=last_only,
    )
    return Run(made.pop("theta"), made)


def _tensors(_: SoftmaxDevices, made: Run) -> dict[str, torch.Tensor]:
    return {**made.extras, "theta": made.theta}


def _every(models: torch.Tensor, clients: int) -> torch.Tensor:
    """A model for each device, (R, N, 610): followed ones, or the server's for all."""
    return models.expand(len(models), clients, models.shape[-1])


def _training_accuracy(
    method: str, problem: SoftmaxDevices, chosen: Mapping[str, float], setup: Setup
) -> float:
    made = _path(method, problem, chosen, TUNED_AT, setup, last_only=True)
    right = problem.accuracies(made.extras["server"][:, -1], problem.train)
    return float(whole(right, problem.train.sizes).nan_to_num().mean())


def main(arguments: Sequence[str] | None = None) -> None:
    """Print Table 1 in several readings."""
    parser = argparse.ArgumentParser(description="Table 1 of FedBC on Synthetic(0.5, 0.5).")
    parser.add_argument("--profile", choices=("quick", "thorough"), default="quick")
    keep_option(parser)
    given = parser.parse_args(arguments)
    base = QUICK if given.profile == "quick" else THOROUGH
    readings = {
        "data of its own for every run, K_i = E": base,
        "one data set for all runs, K_i = E": replace(base, one_data_set=True),
        "70 devices": replace(base, clients=70, epochs=(TUNED_AT,)),
        "100 devices": replace(base, clients=100, epochs=(TUNED_AT,)),
    }
    if base is THOROUGH:
        passes = replace(base, local_steps="epochs", epochs=(1,), most=3000)
        readings["E passes over the rows, sizes up to 3000"] = passes
    for name, setup in readings.items():
        with kept_at(given.keep):
            found = study(setup, base)
        lines = "\n".join(found.rows())
        sys.stdout.write(f"{name}\n{lines}\n{found.cpu_seconds:.0f} s of CPU time\n\n")
    with kept_at(given.keep):
        chosen = choose(base)
    for method, point in chosen.items():
        values = ", ".join(f"{key} {value:g}" for key, value in point.items())
        sys.stdout.write(f"chosen for {method}: {values}\n")


if __name__ == "__main__":
    main()
