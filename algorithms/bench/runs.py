"""How the jobs of ``fedassay bench`` are run, and how a run of the engine is made a job.

A run is timed beside a serial loop of the same work and beside the draws of its own noise, and its
models are held against the exact recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from algorithms.bench.exact import agrees, paths_agree
from algorithms.bench.measure import BenchLine, rates, with_peak
from algorithms.engine.chunks import default_chunk
from algorithms.engine.collapse import Collapsed
from algorithms.engine.compiler import lacking
from algorithms.engine.graph import compiled_draws, fallbacks, notice
from algorithms.engine.run import run_chunked
from algorithms.engine.settings import like_of
from algorithms.engine.trees import Unfit
from algorithms.method import Method
from synthetic.exact.moments import AffineMap
from synthetic.noise.philox import run_key
from synthetic.noise.sources import Addressed, source_of

LAUNCH = 8
"""Rounds in one graph; runs are two eager rounds and whole launches."""
CHECKED = 2 + LAUNCH
"""Rounds of a run that is made to be checked: both kinds, once."""
MANY, SEVERAL = 20_000, 4_000
"""Replicates of a check of one model, and of many models at once: a covariance that is wrong by 5 %
is sixteen standard errors away in the sum over ten coordinates, and fewer will do for twenty."""

Array = np.ndarray[Any, Any]


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


@dataclass(frozen=True)
class KnownMoments:
    """Moments that a run must have: those of an affine map, after some rounds from some start."""

    problem: Any
    exact: AffineMap
    start: Array
    rounds: int
    replicates: int


@dataclass(frozen=True)
class EngineJob:
    """A run of the engine to be timed and checked.

    Attributes
    ----------
    name, method, problem, hyper
    replicates, rounds : int
        Rounds are two, and whole launches.
    steps : int
        Client gradients of a round of one replicate.
    loop : (call, steps per call), optional
        The same work in plain numpy.
    moments : AffineMap, optional
        What the timed run itself is held against, if its rounds are affine.
    known : sequence of Known
        What is run besides, to be held against exact moments.
    """

    name: str
    method: Method
    problem: Any
    hyper: dict[str, Any]
    replicates: int
    rounds: int
    steps: int
    loop: tuple[Callable[[], object], float] | None = None
    moments: AffineMap | None = None
    known: Sequence[KnownMoments] = ()

    @classmethod
    def affine(
        cls,
        name: str,
        method: Method,
        problem: Any,
        hyper: dict[str, Any],
        replicates: int,
        rounds: int,
        steps: int,
        **more: Any,
    ) -> EngineJob:
        """A job with affine rounds: checked as it is timed, and shorter with more replicates."""
        exact = more.pop("moments", None)
        if exact is None:
            inner = method.inner if isinstance(method, Collapsed) else method
            exact = inner.affine_map(problem, hyper)
        enough = SEVERAL if exact.matrix.ndim > 2 else MANY
        known = KnownMoments(problem, exact, hyper["start"], min(rounds, CHECKED), enough)
        return cls(
            name,
            method,
            problem,
            hyper,
            replicates,
            rounds,
            steps,
            moments=exact,
            known=[known],
            **more,
        )


def measure(bench: Bench, job: EngineJob) -> list[BenchLine]:
    """Eager and compiled beside the serial loop, each checked, its noise drawn alone as well."""
    variants: dict[str, tuple[Callable[[], object], float]] = {}
    slots = job.method.slots(job.problem.clients, job.hyper)
    source = source_of(_tensors(job.problem, bench), run_key(1), range(job.replicates), slots)
    peaks, fine, done = {}, {}, float(job.replicates) * job.steps
    eager = None
    for way in bench.ways():
        call = engine_run(bench, job, way)
        before = fallbacks()
        models = call()
        if fallbacks() > before:  # eager under another name; a line has said why
            continue
        eager = models if eager is None else eager
        fine[way] = paths_agree(models, eager)
        if job.moments is not None:
            fine[way] &= agrees(models, job.moments, job.hyper["start"], job.rounds)
        fine[way] &= all(meets(bench, job, known, way) for known in job.known)
        _, peaks[way] = with_peak(call, bench.place)
        variants[way] = (call, done * job.rounds)
        draws = generator(source, way, 4)
        if draws is not None:
            variants[f"{way} draws"] = (draws, 4 * done)
    if job.loop is not None:
        variants["serial"] = job.loop
    found = rates(variants, bench.seconds, bench.place)
    base = found.get("serial")
    lines = [BenchLine(job.name, "serial numpy loop", base, 1.0)] if base else []
    for way in fine:
        bound = found.get(f"{way} draws")
        lines.append(
            BenchLine(
                job.name,
                f"{way}, float32",
                found[way],
                found[way] / base if base else None,
                found[way] / bound if bound else None,
                peaks[way],
                fine[way],
            )
        )
    return lines


def meets(bench: Bench, job: EngineJob, known: KnownMoments, way: str, seed: int = 1) -> bool:
    """Whether a run by the job's own means has the moments that are known."""
    return agrees(checked_run(bench, job, known, way, seed), known.exact, known.start, known.rounds)


def checked_run(bench: Bench, job: EngineJob, known: KnownMoments, way: str, seed: int = 1) -> Any:
    """The models to be held against known moments, in the chunks of the timed run."""
    many = max(job.replicates, known.replicates)
    hyper = {name: value for name, value in job.hyper.items() if name != "start"}
    hyper["starts" if known.start.ndim > 1 else "start"] = known.start
    tensors = _tensors(known.problem, bench)
    usual = default_chunk(job.method, tensors, hyper, like_of(tensors))
    shown = EngineJob(job.name, job.method, known.problem, hyper, many, known.rounds, job.steps)
    chunk = job.replicates if job.replicates <= usual else None
    return engine_run(bench, shown, way, seed=seed, chunk=chunk)()


def engine_run(
    bench: Bench,
    job: EngineJob,
    way: str,
    *,
    memory: int | None = None,
    seed: int = 1,
    chunk: int | None = None,
) -> Callable[[], torch.Tensor]:
    """A run of the engine that returns its last models, (R, F, d), where they were made.

    Of a method with one model at a server there is one, not a copy for everybody.
    """
    tensors = _tensors(job.problem, bench)
    settings = {
        k: torch.as_tensor(v, dtype=torch.float32, device=bench.place) if np.ndim(v) else v
        for k, v in job.hyper.items()
    }
    slots, key = job.method.slots(job.problem.clients, job.hyper), run_key(seed)
    inner = job.method.inner if isinstance(job.method, Collapsed) else job.method
    if "server" in inner.states:
        settings["focus"] = [0]

    def noise(rows: range) -> Addressed:
        return source_of(tensors, key, rows, slots)

    def call() -> torch.Tensor:
        made = run_chunked(
            job.method,
            tensors,
            settings,
            noise,
            job.replicates,
            job.rounds,
            record=(),
            last_only=True,
            compile=way == "compiled",
            rounds_per_launch=LAUNCH,
            memory=memory,
            chunk=chunk,
        )
        return made.theta[:, 0]

    return call


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
