"""How the jobs of ``fedassay bench`` are run, and how a run of the engine is made a job.

A run is timed beside a serial loop of the same work and beside the draws of its own noise, and its
models are held against the exact recursion.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from algorithms.bench.exact import agrees
from algorithms.bench.measure import Result, rates, with_peak
from algorithms.collapse import Collapsed
from algorithms.compiler import lacking
from algorithms.engine import run_chunked
from algorithms.graph import compiled_draws, fallbacks, notice
from algorithms.method import Method
from algorithms.trees import Unfit
from synthetic.noise import Addressed, source_of
from synthetic.philox import run_key

LAUNCH = 8
"""Rounds in one graph; runs are two eager rounds and whole launches."""


@dataclass(frozen=True)
class Bench:
    """How the jobs are run.

    Attributes
    ----------
    seconds : float
        Time of each variant.
    device : str
    compiled : bool
        Also with compiled graphs, where a compiler is at hand.
    full : bool
        Long jobs at their full length.
    """

    seconds: float = 2.0
    device: str = "cpu"
    compiled: bool = True
    full: bool = False

    @property
    def place(self) -> torch.device:
        """The device."""
        return torch.device(self.device)

    def ways(self) -> list[str]:
        """Eager, and compiled where that is possible; one line says why where it is not."""
        reason = lacking(self.place) if self.compiled else None
        if reason is not None:
            notice(reason)
        return ["eager", "compiled"] if self.compiled and reason is None else ["eager"]


def engine_job(
    bench: Bench, name: str, method: Method, problem: Any, hyper: dict[str, Any], replicates: int,
    *, rounds: int, steps: int, loop: tuple[Callable[[], object], float] | None = None,
    checked: tuple[Any, Any] | None = None,
) -> list[Result]:  # fmt: skip
    """Eager and compiled beside the serial loop, each checked, its noise drawn alone as well.

    Parameters
    ----------
    rounds : int
        Two, and whole launches.
    steps : int
        Client gradients of a round of one replicate.
    loop : (call, steps per call), optional
        The same work in plain numpy.
    checked : (problem, affine map), optional
        What is run to be held against the exact recursion, where the job's own has none.
    """
    variants: dict[str, tuple[Callable[[], object], float]] = {}
    slots = method.slots(problem.clients, hyper)
    source = source_of(_tensors(problem, bench), run_key(1), range(replicates), slots)
    peaks, fine, done = {}, {}, float(replicates) * steps
    target, exact = checked or (problem, None)
    if exact is None:
        inner = method.inner if isinstance(method, Collapsed) else method
        exact = inner.affine_map(problem, hyper)
    for way in bench.ways():
        job = engine_run(bench, method, problem, hyper, replicates, rounds, way)
        test = job if target is problem else engine_run(
            bench, method, target, hyper, replicates, rounds, way
        )  # fmt: skip
        before = fallbacks()
        sample, _ = with_peak(test, bench.place)
        if fallbacks() > before:  # eager under another name; a line has said why
            continue
        start = np.asarray(hyper["start"])
        models = sample if exact.matrix.ndim == 3 else sample[:, :1]
        fine[way] = agrees(models, exact, start, rounds)
        _, peaks[way] = with_peak(job, bench.place)
        variants[way] = (job, done * rounds)
        draws = generator(source, way, 4)
        if draws is not None:
            variants[f"{way} draws"] = (draws, 4 * done)
    if loop is not None:
        variants["serial"] = loop
    found = rates(variants, bench.seconds, bench.place)
    base = found.get("serial")
    lines = [Result(name, "serial numpy loop", base, 1.0)] if base else []
    for way in fine:
        bound = found.get(f"{way} draws")
        lines.append(
            Result(
                name, f"{way}, float32", found[way], found[way] / base if base else None,
                found[way] / bound if bound else None, peaks[way], fine[way],
            )
        )
    return lines


def engine_run(
    bench: Bench, method: Method, problem: Any, hyper: dict[str, Any], replicates: int,
    rounds: int, way: str, memory: int | None = None,
) -> Callable[[], np.ndarray[Any, Any]]:  # fmt: skip
    """A run of the engine that returns its last models, (R, F, d)."""
    tensors = _tensors(problem, bench)
    settings = {
        k: torch.as_tensor(v, dtype=torch.float32, device=bench.place) if np.ndim(v) else v
        for k, v in hyper.items()
    }
    slots, seed = method.slots(problem.clients, hyper), run_key(1)

    def noise(rows: range) -> Addressed:
        return source_of(tensors, seed, rows, slots)

    def job() -> np.ndarray[Any, Any]:
        made = run_chunked(
            method, tensors, settings, noise, replicates, rounds, record=(), last_only=True,
            compile=way == "compiled", rounds_per_launch=LAUNCH, memory=memory,
        )  # fmt: skip
        return made.theta[:, 0].cpu().numpy()

    return job


def generator(source: Addressed, way: str, rounds: int) -> Callable[[], object] | None:
    """Draws of some rounds and nothing else, by the means of a run; None if they do not compile."""
    if way == "eager":
        return lambda: [source.draw(t) for t in range(rounds)]
    device = torch.device(source.device)
    draw = compiled_draws(source)
    try:
        draw(torch.arange(rounds, device=device))
    except Unfit as reason:
        notice(str(reason))
        return None
    return lambda: draw(torch.arange(rounds, device=device))


def _tensors(problem: Any, bench: Bench) -> Any:
    """The federation in float32 on the device."""
    return problem.map(lambda x: torch.as_tensor(x, dtype=torch.float32, device=bench.place))
