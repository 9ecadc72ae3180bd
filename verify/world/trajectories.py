"""Runs as statements see them: by the batched engine in floats, by the serial twin in fractions.

Either way the arrays come back with the leading axes (B, R) of a world, and the world's outcome
weights are set to those of the noise that was enumerated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bounds import generic as xp
from bounds.numbers.shapes import Array
from bounds.numbers.validate import InvalidInput, unchecked
from synthetic.outcomes import enumerate_outcomes
from verify.world.noise_plan import AllOutcomes, NoisePlan, NotAvailable, Samples, sure

if TYPE_CHECKING:
    from verify.world.world import World

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
            raise AttributeError(name)
        return self.extras[name]


def trajectory(
    world: World, name: str, rounds: int, hyper: Mapping[str, Array], plan: NoisePlan
) -> Trajectory:
    """Run a method in a world; see :meth:`verify.world.world.World.run`."""
    from algorithms.registry import load_method

    method = load_method(name)
    settings = {**_settings(world, method), **hyper, "focus": [0]}
    slots = method.slots(world.problem.clients, settings)
    if isinstance(plan, Samples):
        return _sampled(world, method, settings, rounds, slots, plan)
    draws, weights = _outcomes(world, rounds, slots, plan)
    known = world.outcome_weights
    if known is None or known.size == 1:
        world.outcome_weights = weights
    elif weights.size > 1 and not np.array_equal(xp.to_float(weights), xp.to_float(known)):
        raise NotAvailable("two runs of one claim draw different gradients")
    if world.number == "exact":
        return _serial(world, name, settings, rounds, draws)
    return _batched(world, method, settings, rounds, draws)


def _settings(world: World, method: Any) -> dict[str, Any]:
    """The method's hyper-parameters among the symbols of the world, and all constants."""
    constants = {
        k: v for k, v in world.instance.params.items() if not isinstance(v, np.ndarray)
    }
    known = [*method.axes, *method.units]
    found = {k: world.original(k) for k in known if world.given(k) and k not in constants}
    return {k: v for k, v in {**constants, **found}.items() if k != "rounds"}


def _outcomes(world: World, rounds: int, slots: int, plan: AllOutcomes) -> tuple[Array, Array]:
    """Draws (B or 1, R, T, S, w) and weights (B or 1, R) of every outcome."""
    problem = world.problem
    if problem.law == "none" or slots == 0:
        zero = 0 * problem.noise_variance[..., :1, None]  # (B, 1, 1, 1)
        draws = np.broadcast_to(zero[:1, :, None], (1, 1, rounds, slots, problem.noise_width))
        return draws, sure(world.number)
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
    world: World, method: Any, hyper: Mapping[str, Any], rounds: int, draws: Any
) -> Trajectory:
    from algorithms.engine import run
    from synthetic.noise import Given

    problem = world.problem.map(_tensor)
    noise = Given(_tensor(draws))
    with unchecked():
        made = run(method, problem, hyper, noise, rounds)
    extras = {k: _focus(k, v.numpy()) for k, v in made.extras.items()}
    return Trajectory(made.theta[..., 0, :].numpy(), extras)


def _serial(
    world: World, name: str, hyper: Mapping[str, Any], rounds: int, draws: Any
) -> Trajectory:
    from algorithms.reference.run import reference_run

    problem = world.problem.map(lambda x: x[0, 0])
    plain = {k: v[0, 0] if isinstance(v, np.ndarray) else v for k, v in hyper.items()}
    runs = [reference_run(name, problem, plain, draws[0, r], rounds) for r in range(draws.shape[1])]
    arrays = {key: _stack([run[key] for run in runs]) for key in runs[0]}
    theta = arrays.pop("theta")
    return Trajectory(theta[..., 0, :], {k: _focus(k, v) for k, v in arrays.items()})


def _sampled(
    world: World, method: Any, hyper: Mapping[str, Any], rounds: int, slots: int, plan: Samples
) -> Trajectory:
    import torch

    from algorithms.engine import run_chunked
    from synthetic.noise import source_of

    device = torch.device(plan.device)
    problem = world.problem.map(lambda x: _tensor(x).to(device))
    one = problem.map(lambda x: x[0, 0])

    def noise(rows: range) -> Any:
        shifted = range(plan.first + rows.start, plan.first + rows.stop)
        return source_of(one, plan.key, shifted, slots, device=device)

    with unchecked():
        made = run_chunked(
            method, problem, hyper, noise, plan.replicates, rounds, chunk=plan.chunk
        )
    world.outcome_weights = np.full((1, plan.replicates), 1 / plan.replicates)
    extras = {k: _focus(k, v.cpu().numpy()) for k, v in made.extras.items()}
    return Trajectory(made.theta[..., 0, :].cpu().numpy(), extras)


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
