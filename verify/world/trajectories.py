"""Runs as statements see them: by the batched engine in floats, by the serial twin in fractions.

Either way the arrays come back with the leading axes (B, R) of a world, together with the weights
of the outcomes that were drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bounds.numbers.shapes import Array
from bounds.numbers.validate import InvalidInput, unchecked
from synthetic.noise.outcomes import enumerate_outcomes
from verify.world.noise_plan import AllOutcomes, NoisePlan, NotAvailable, Samples, sure

if TYPE_CHECKING:
    from algorithms.method import Method
    from synthetic.problem import Problem

FINITE = ("two_point", "finite", "samples")


@dataclass(frozen=True, eq=False)
class Trajectory:
    """What a method did in every instance under every outcome.

    Attributes
    ----------
    theta : array, shape (B, R, T + 1, d)
        Models of the followed client 0.
    extras : dict of arrays, shape (B, R, T or T + 1, ...)
        ``weights`` and ``ratio`` of client 0 (B, R, T, N), ``server`` (B, R, T + 1, d), ...
    """

    theta: Array
    extras: Mapping[str, Array]

    def __getattr__(self, name: str) -> Array:
        if name.startswith("_") or name not in self.extras:
            known = ", ".join(["theta", *sorted(self.__dict__.get("extras", ()))])
            raise AttributeError(f"a run has no {name!r}: it has {known}")
        return self.extras[name]

    @property
    def diverged(self) -> np.ndarray[Any, Any]:
        """Whether a model is no longer finite at the end, (B,); of fractions none ever is."""
        end = self.theta[:, :, -1]
        if end.dtype == object:
            return np.zeros(len(end), dtype=bool)
        finite = np.isfinite(end).reshape(len(end), -1)
        return np.asarray(~finite.all(axis=1))

    def apart(self) -> list[Trajectory]:
        """The run under each outcome alone; paths that no outcome changes stay as they are."""
        extras = dict(self.extras)
        count = max(path.shape[1] for path in (self.theta, *extras.values()))

        def one(path: Array, number: int) -> Array:
            return path[:, number : number + 1] if path.shape[1] == count else path

        return [
            Trajectory(one(self.theta, n), {k: one(v, n) for k, v in extras.items()})
            for n in range(count)
        ]


class Focused(Mapping[str, Array]):
    """Paths of a run beside ``theta``, of client 0 alone where they are per followed client."""

    def __init__(self, paths: Mapping[str, Array]) -> None:
        self._paths = paths

    def __getitem__(self, name: str) -> Array:
        if name == "theta":
            raise KeyError(name)
        return _focus(name, self._paths[name])

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._paths if name != "theta")

    def __len__(self) -> int:
        return len(self._paths) - 1


SMALL = 2**14
"""Numbers in the models of a round up to which a call of torch costs more than its arithmetic."""

MOST_GRADIENTS = 10**7
"""Gradients of one run; a run in fractions takes hours long before that."""


def trajectory(
    method: Method,
    problem: Problem,
    settings: Mapping[str, Any],
    rounds: int,
    plan: NoisePlan,
    number: str,
) -> tuple[Trajectory, Array]:
    """Run a method and follow client 0; see :meth:`verify.world.world.World.run`.

    Parameters
    ----------
    method : Method
    problem : Problem
        Its data with leading axes (B, 1).
    settings : mapping
        Hyper-parameters, with the same leading axes, and constants.
    rounds : int
    plan : AllOutcomes or Samples
    number : {"float64", "exact", "symbolic"}

    Returns
    -------
    trajectory : Trajectory
    weights : ndarray, shape (B or 1, R)
        Probabilities of the outcomes, or 1/R each.

    Raises
    ------
    NotAvailable
        If the outcomes cannot be listed.
    """
    settings = {**settings, "focus": [0]}
    slots = method.slots(problem.clients, settings)
    if rounds * max(slots, 1) > MOST_GRADIENTS:  # here, since scores switch input checks off
        raise InvalidInput(
            f"run must ask for at most {MOST_GRADIENTS} gradients, got {rounds} rounds of {slots}: "
            "take fewer rounds or local steps"
        )
    if isinstance(plan, Samples):
        return _sampled(method, problem, settings, rounds, slots, plan)
    draws, weights = _outcomes(problem, rounds, slots, plan, number)
    engine = _serial if number == "exact" else _batched
    return engine(method, problem, settings, rounds, draws), weights


def _outcomes(
    problem: Problem, rounds: int, slots: int, plan: AllOutcomes, number: str
) -> tuple[Array, Array]:
    """Draws (B or 1, R, T, S, w) and weights (B or 1, R) of every outcome."""
    if problem.law == "none" or slots == 0:
        zero = 0 * problem.noise_variance[..., :1, None]  # (B, 1, 1, 1)
        draws = np.broadcast_to(zero[:1, :, None], (1, 1, rounds, slots, problem.noise_width))
        return draws, sure(number)
    if problem.law not in FINITE:
        raise NotAvailable(f"the {problem.law} law has infinitely many outcomes")
    # (B, N, support); a method that asks client 0 alone draws for it alone
    asked = min(slots, problem.clients)
    values, chances = (x[:, 0, :asked] for x in problem.noise_support())
    words = rounds * slots * problem.noise_width
    if values.shape[-1] ** words > plan.cap:  # here, since scores switch input checks off
        raise NotAvailable(f"the law has {values.shape[-1]}^{words} outcomes, above {plan.cap}")
    try:
        return enumerate_outcomes(
            (values, chances), rounds, slots, plan.cap, width=problem.noise_width
        )
    except InvalidInput as error:
        raise NotAvailable(str(error)) from error


def _batched(
    method: Method, problem: Problem, settings: Mapping[str, Any], rounds: int, draws: Array
) -> Trajectory:
    from algorithms.engine.small import run_small

    if method.plain and _models(problem, draws) <= SMALL:
        with unchecked():
            paths = run_small(method, problem, settings, draws, rounds)
        return Trajectory(paths["theta"][..., 0, :], Focused(paths))
    from algorithms.engine.run import run  # with torch, which takes seconds
    from synthetic.noise.sources import Given

    with unchecked():
        made = run(
            method, problem.map(_tensor), settings, Given(_tensor(draws)), rounds, signed=True
        )
    extras = {k: _focus(k, v.numpy()) for k, v in made.extras.items()}
    return Trajectory(made.theta[..., 0, :].numpy(), extras)


def _models(problem: Problem, draws: Array) -> int:
    """Numbers that the models of all clients hold in one round."""
    free = draws.shape[:-3]
    batch: int = max(problem.leading[0], free[0]) * free[1]
    return batch * problem.clients * problem.dim


def _serial(
    method: Method, problem: Problem, settings: Mapping[str, Any], rounds: int, draws: Array
) -> Trajectory:
    from algorithms.reference.run import reference_run

    one = problem.map(lambda x: x[0, 0])
    plain = {k: v[0, 0] if isinstance(v, np.ndarray) else v for k, v in settings.items()}
    runs = [
        reference_run(method.name, one, plain, draws[0, r], rounds) for r in range(draws.shape[1])
    ]
    arrays = {key: _stack([run[key] for run in runs]) for key in runs[0]}
    theta = arrays.pop("theta")
    return Trajectory(theta[..., 0, :], {k: _focus(k, v) for k, v in arrays.items()})


def _sampled(
    method: Method,
    problem: Problem,
    settings: Mapping[str, Any],
    rounds: int,
    slots: int,
    plan: Samples,
) -> tuple[Trajectory, Array]:
    import torch

    from algorithms.engine.run import run_chunked
    from synthetic.noise.sources import source_of

    device = torch.device(plan.device)
    problem = problem.map(lambda x: _tensor(x).to(device))

    def noise(rows: range) -> Any:
        shifted = range(plan.first + rows.start, plan.first + rows.stop)
        return source_of(problem, plan.key, shifted, slots, device=device)

    with unchecked():
        made = run_chunked(
            method,
            problem,
            settings,
            noise,
            plan.replicates,
            rounds,
            chunk=plan.chunk,
            record=plan.record,
            signed=True,
        )
    extras = {k: _focus(k, v.cpu().numpy()) for k, v in made.extras.items()}
    weights = np.full((1, plan.replicates), 1 / plan.replicates)
    return Trajectory(made.theta[..., 0, :].cpu().numpy(), extras), weights


def _tensor(value: Array) -> Any:
    """A tensor of its own memory: broadcast arrays cannot be shared with torch."""
    import torch

    return torch.from_numpy(np.array(value))


def _focus(name: str, value: Array) -> Array:
    """Traces per followed client lose that axis: only client 0 is followed."""
    return value[..., 0, :] if name in ("weights", "ratio") else value


def _stack(values: list[Any]) -> Array:
    """Nested lists of exact numbers, one per outcome, as an object array (1, R, ...)."""
    lengths: list[int] = []
    inner: Any = values
    while isinstance(inner, list):
        lengths.append(len(inner))
        if not inner:
            break
        inner = inner[0]
    out = np.empty(lengths, dtype=object)
    for index in np.ndindex(*lengths):
        item: Any = values
        for j in index:
            item = item[j]
        out[index] = item
    return out[None]
