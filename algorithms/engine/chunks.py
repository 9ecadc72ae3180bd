"""How a run is cut into chunks of replicates, and put together again."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from typing import Any

import numpy as np
import torch

from algorithms.engine.record import Run
from algorithms.method import Hyper, Method
from bounds.numbers.validate import require

Tensor = torch.Tensor


def default_chunk(method: Method, problem: Any, hyper: Hyper, like: Tensor) -> int:
    """Replicates that are computed at a time, as many as memory and caches bear."""
    instances = 1
    for n in problem.leading[:-1]:
        instances *= n
    draws = max(method.slots(problem.clients, hyper), problem.clients)
    numbers = draws * max(problem.dim, problem.noise_width)
    # a CPU is fastest while a step's arrays stay in its caches (three to four times in float64 at
    # N = 20, d = 10), an accelerator while it is filled; about a dozen such arrays, some of them d
    # times larger, are alive in a step
    budget = 2**17 if like.device.type == "cpu" else 2**23
    return int(max(1, budget // max(1, instances * numbers)))


def leading(method: Method, problem: Any, hyper: Hyper) -> tuple[int, ...]:
    """Free axes of a run before anything is drawn, from those of problem and hyper-parameters.

    Raises
    ------
    InvalidInput
        Where they do not broadcast.
    """
    found = tuple(problem.leading)
    for name, axes in method.axes.items():
        value = hyper.get(name)
        if value is None:
            continue
        own = tuple(value.shape[: value.ndim - len(axes.split())])
        found = met(name, own, found)
    steps = tuple(np.shape(hyper.get("local_steps", 1)))
    return met("local_steps", steps[:-1], found) if steps else found


def met(name: str, own: tuple[int, ...], others: tuple[int, ...]) -> tuple[int, ...]:
    """Leading axes of an array broadcast against those of what it meets."""
    try:
        return tuple(np.broadcast_shapes(own, others))
    except ValueError:
        remedy = "give a grid an axis of its own, shape (G, 1, ...), in front of the replicates"
        require(False, f"leading axes of {name}", f"those of the run, {others}, or 1", own, remedy)
        raise


def fits(draws: Tensor, like: Tensor) -> None:
    """Refuse draws that stand elsewhere than the problem, or in other numbers.

    Raises
    ------
    InvalidInput
    """
    for name in ("device", "dtype"):
        here, there = getattr(draws, name), getattr(like, name)
        remedy = "make the source with those of the problem, as source_of does"
        require(here == there, f"{name} of draws", f"{there}, as of the problem", here, remedy)


def chunk_within(
    memory: int,
    method: Method,
    problem: Any,
    hyper: Hyper,
    like: Tensor,
    record: Collection[str] | None,
    kept: int,
    launch: int = 1,
) -> int:
    """Replicates whose step and recorded path take no more than so many bytes.

    Hyper-parameters are tensors here: every point of a grid has arrays of its own. So many rounds
    are drawn by one ``launch``.
    """
    sizes = {"N": problem.clients, "F": problem.clients, "d": problem.dim}
    sizes["K"] = method.models(hyper)
    tables = {**method.states, **method.traces}
    path = sum(
        math.prod(sizes.get(axis, problem.clients) for axis in axes.split())
        for name, axes in tables.items()
        if record is None or name in record or name == "theta"
    )
    slots = method.slots(problem.clients, hyper)
    draws = max(slots, problem.clients * sizes["K"])
    # forty arrays of the step: three of 64 bits per word, their uniforms, and what the step makes
    step = 40 * draws * max(problem.dim, problem.noise_width)
    # eight of the samples of every gradient; exact solves draw nothing, and take six of Hessians
    step += 8 * draws * problem.sample_numbers(method.asks_truth(hyper))
    step += 6 * problem.clients * problem.dim**2 if slots == 0 else 0
    drawn = (launch - 1) * draws * problem.noise_width
    points = math.prod(leading(method, problem, hyper)[:-1])
    each = like.element_size() * ((step + 2 * kept * path) * points + drawn)
    require(
        each <= memory,
        "memory",
        f"enough for one replicate, {each} bytes",
        memory,
        "record less, pass last_only, or allow more",
    )
    return int(memory // each)


def without_first(again: int, part: Run, trailing: Callable[[str], int]) -> Run:
    """A chunk's run without its first replicates, which another chunk has as well."""
    if not again:
        return part

    def cut(x: Tensor, rank: int) -> Tensor:
        axis = x.ndim - rank - 1
        return x if axis < 0 or x.shape[axis] == 1 else x.narrow(axis, again, x.shape[axis] - again)

    return Run(cut(part.theta, 3), {k: cut(v, trailing(k)) for k, v in part.extras.items()})


def for_each(part: Run, count: int, ranks: Mapping[str, int], drew: bool) -> Run:
    """A chunk's run with its axis of replicates, which nothing makes where none has draws."""
    width = part.theta.shape[-4] if part.theta.ndim > 3 else 0
    if width == count:
        return part
    alike = not drew and width < 2
    require(alike, "draws", f"for {count} replicates", width, "check noise_of")

    def spread(x: Tensor, rank: int) -> Tensor:
        x = x if x.ndim > rank else x[None]
        return x.expand(*x.shape[: -rank - 1], count, *x.shape[x.ndim - rank :])

    return Run(spread(part.theta, 3), {k: spread(v, 1 + ranks[k]) for k, v in part.extras.items()})


def reduced(made: Mapping[str, Any], count: int) -> dict[str, Tensor]:
    """What a ``reduce`` has made of a chunk, in memory of its own: a view would keep every path."""
    for name, value in made.items():
        shape = tuple(value.shape) if isinstance(value, Tensor) else type(value).__name__
        fits = isinstance(value, Tensor) and value.ndim > 0 and value.shape[-1] == count
        require(
            fits,
            f"{name} of reduce",
            f"a tensor of shape (..., {count}), replicates last",
            shape,
            "reduce the trailing axes, or permute them to the front",
        )
    return {name: value.clone() for name, value in made.items()}


def hyper_rows(method: Method, hyper: Hyper, rows: range, replicates: int) -> dict[str, Any]:
    """Hyper-parameters of some replicates of a run."""
    # who takes the most steps says how many draws a round has: it is not for a chunk to say
    steps = tuple(np.shape(hyper.get("local_steps", 1)))
    shared = len(steps) < 2 or steps[-2] == 1 or len(rows) == replicates
    require(
        shared,
        "local_steps",
        "the same for all replicates of a run in chunks",
        f"shape {steps}",
        "pass chunk=replicates, or put a grid on an axis of its own, shape (G, 1, N)",
    )
    out = dict(hyper)
    for name, axes in method.axes.items():
        if out.get(name) is not None:
            out[name] = _rows(out[name], len(axes.split()), rows, replicates)
    return out


def problem_rows(problem: Any, rows: range, replicates: int) -> Any:
    """The problem of some replicates; itself where all share one."""
    if not problem.leading or problem.leading[-1] == 1:
        return problem
    return type(problem)(
        {
            name: _rows(value, problem.fields[name].rank, rows, replicates)
            if name in problem.fields
            else value
            for name, value in problem.data.items()
        }
    )


def _rows(value: Tensor, rank: int, rows: range, replicates: int) -> Tensor:
    """Cut the last leading axis where it is the replicate axis."""
    axis = value.ndim - rank - 1
    if axis < 0 or value.shape[axis] == 1:
        return value
    require(
        value.shape[axis] == replicates,
        "replicate axis",
        f"of length {replicates} or 1",
        value.shape[axis],
        "make the last leading axis the replicates",
    )
    return value.narrow(axis, rows.start, len(rows))


def join(parts: list[Tensor], trailing: int) -> Tensor:
    """Results of chunks along the replicate axis, before so many trailing axes."""
    axis = parts[0].ndim - trailing - 1
    return parts[0] if len(parts) == 1 or axis < 0 else torch.cat(parts, dim=axis)
