"""The batched engine: every method, every replicate and every client in one tensor program.

Leading axes are free, typically ``(R,)`` or ``(B, R)``; the last of them is the replicate axis.
Dtype and device are those of the problem's tensors.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Protocol

import numpy as np
import torch

from algorithms.engine.chunks import (
    chunk_within,
    default_chunk,
    fits,
    for_each,
    hyper_rows,
    join,
    leading,
    met,
    problem_rows,
    reduced,
    without_first,
)
from algorithms.engine.launches import launched, launcher
from algorithms.engine.midway import Middle, goes_on, keep_now
from algorithms.engine.record import Run, note
from algorithms.engine.settings import as_alike, lengths, like_of, not_negative, recorded
from algorithms.engine.skipping import drawn, skipping
from algorithms.method import Hyper, Method, State
from bounds.numbers.validate import require, whole
from synthetic.noise.addressed import LANES
from synthetic.noise.sources import Noise, Silent

Tensor = torch.Tensor

__all__ = ["Keep", "Run", "run", "run_chunked"]

WARM = 2
"""Eager rounds before a graph: mostly every entry of the state has its lasting shape after them."""


class Keep(Protocol):
    """Finished chunks of replicates, wherever they are kept."""

    def find(self, rows: range) -> Run | None:
        """What was kept of these replicates."""

    def put(self, rows: range, part: Run) -> None:
        """Keep a finished chunk."""

    def inside(self, rows: range) -> Middle:
        """Where the middle of a chunk is kept."""


def run(
    method: Method,
    problem: Any,
    hyper: Hyper,
    noise: Noise | None,
    rounds: int,
    *,
    record: Collection[str] | None = None,
    last_only: bool = False,
    compile: bool | str = False,
    rounds_per_launch: int = 4,
    inside: Middle | None = None,
    signed: bool = False,
) -> Run:
    """Run a method for some rounds on a batch of noise outcomes (and instances).

    Parameters
    ----------
    method : Method
    problem : Problem holding torch tensors
        Free leading axes, e.g. (B, 1) for B instances under R outcomes each.
    hyper : mapping
        Hyper-parameters; arrays have leading axes that broadcast, then the trailing axes that
        ``method.axes`` names. Numbers, numpy arrays and tensors of any float dtype are taken.
    noise : source of draws, or None
        ``noise.draw(t)`` has shape (..., S, w); None draws zeros.
    rounds : int
        T, at least 0.
    record : names, optional
        Extras to keep; all by default. ``theta`` is always kept.
    last_only : bool
        Keep the last entry of every path instead of the whole path.
    compile : bool, or "trace"
        Draw and use the noise in one compiled graph, the same numbers up to rounding. Where no
        compiler is at hand, or where a round of the method is no graph, the run goes on eagerly
        and one line on stderr says so. With "trace" the graph is run operation by operation.
    rounds_per_launch : int
        Rounds in one graph, at most: more of them cost compile time and save overhead per launch;
        fewer are taken where a round's own arrays fill the caches.
    inside : Inside, optional
        Where the middle of the run is kept from time to time, and where it goes on from; see
        :func:`algorithms.sweeps.checkpoint.run_kept`. A method whose state changes beyond its
        tensors begins anew.
    signed : bool
        Whether step sizes below zero are taken too, as a search takes them that judges each
        instance by hypotheses of its own.

    Returns
    -------
    Run

    Raises
    ------
    InvalidInput
        On a problem without tensors, names of parameters or of records that the method does not
        have, parameters that are not finite or of the wrong shape, or draws of the wrong shape,
        dtype or device.
    """
    rounds = whole("rounds", rounds, 0)
    asked = compile in (False, True, "trace")
    require(asked, "compile", 'False, True or "trace"', compile, "pass one of them")
    rounds_per_launch = whole("rounds_per_launch", rounds_per_launch)
    like = like_of(problem)
    drawn_from = noise is None or hasattr(noise, "draw")
    kind, remedy = type(noise).__name__, "wrap an array in synthetic.noise.sources.Given"
    require(drawn_from, "noise", "a source of draws, or None", kind, remedy)
    hyper = as_alike(method, problem, hyper, like)
    if not signed:
        not_negative(hyper)
    ranks = lengths((*method.states.items(), *method.traces.items()))
    recorded(record, ranks)
    kept = {name for name in ranks if name == "theta" or record is None or name in record}
    hyper, noise = skipping(method, problem.clients, hyper, noise, kept, in_order=not compile)
    slots = drawn(method, problem.clients, hyper)
    paths: dict[str, list[Tensor]] = {name: [] for name in kept}

    def draws_of(t: int) -> Tensor:
        return _draws(noise, t, slots, problem, like)

    with torch.no_grad():
        start = state = method.start(problem, hyper)
        note(paths, method.states, state, last_only)
        t, begun = 0, not compile
        # the first rounds fill what is cached and show what the state is made of
        warm = min(rounds, WARM) if compile else 0
        found = None if inside is None else inside.find()
        if found is not None:
            for j in range(warm):
                state = method.step(j, state, problem, hyper, draws_of(j))
            t, state, paths = goes_on(found, state)

        def keep(t: int, state: State) -> None:
            if inside is not None and warm <= t < rounds:
                keep_now(inside, start, t, state, paths)

        while t < rounds:
            if t >= warm and not begun:
                begun = True
                if rounds - warm >= rounds_per_launch:
                    launch = launcher(
                        method,
                        problem,
                        hyper,
                        noise,
                        state,
                        paths,
                        rounds_per_launch,
                        compile,
                        last_only,
                        draws_of,
                    )
                    t, state = launched(launch, t, rounds, state, paths, method, last_only, keep)
                    if t == rounds:
                        break
            draws = draws_of(t)
            try:
                state = method.step(t, state, problem, hyper, draws)
            except RuntimeError:  # looked into once it has happened: a round costs nothing for it
                met("draws", tuple(draws.shape[:-2]), leading(method, problem, hyper))
                fits(draws, like)
                raise
            note(paths, method.states, state, last_only)
            note(paths, method.traces, state, last_only)
            t += 1
            keep(t, state)
        return _collect(paths, ranks)


def run_chunked(
    method: Method,
    problem: Any,
    hyper: Hyper,
    noise_of: Callable[[range], Noise | None],
    replicates: int,
    rounds: int,
    *,
    chunk: int | None = None,
    record: Collection[str] | None = None,
    last_only: bool = False,
    reduce: Callable[[Run], dict[str, Tensor]] | None = None,
    compile: bool | str = False,
    rounds_per_launch: int = 4,
    memory: int | None = None,
    keep: Keep | None = None,
    signed: bool = False,
) -> Run:
    """Run many replicates in chunks, so that working memory stays bounded.

    Parameters
    ----------
    noise_of : callable
        ``noise_of(rows)`` is the source for these replicates, its draws depending on each
        replicate's own number alone; None draws zeros.
    replicates : int
        R. Arrays of the problem and of ``hyper`` whose last leading axis has length R > 1 are
        cut along with the noise; all others are shared.
    chunk : int, optional
        Replicates per chunk; by default about 2^17 gradient entries per step on a CPU, 2^23 on
        other devices.
    reduce : callable, optional
        Maps the run of a chunk to tensors with the replicate axis last among the leading ones of
        a vector per replicate, shape (..., rows), so that long paths need not be kept; the result
        is then in ``Run.extras`` and ``Run.theta`` is the last iterate.
    memory : int, optional
        Bytes that a chunk may take, paths and every point of a grid included: chunks are made
        smaller where needed. What is returned is not counted, and a compiler takes its own.
    keep : Keep, optional
        Where finished chunks are kept and found again, see
        :func:`algorithms.sweeps.checkpoint.run_kept`.

    Other parameters as in :func:`run`.

    Returns
    -------
    Run
        The same, up to rounding, for every chunk size. It has an axis of R replicates even where
        nothing is drawn and all of them are alike.
    """
    replicates, rounds = whole("replicates", replicates), whole("rounds", rounds, 0)
    rounds_per_launch = whole("rounds_per_launch", rounds_per_launch)
    like = like_of(problem)
    kind, remedy = type(noise_of).__name__, "pass lambda rows: ..."
    require(callable(noise_of), "noise_of", "a function of the replicates", kind, remedy)
    hyper = as_alike(method, problem, hyper, like)
    if not signed:
        not_negative(hyper)
    ranks = lengths((*method.states.items(), *method.traces.items()))
    recorded(record, ranks)
    size = whole("chunk", default_chunk(method, problem, hyper, like) if chunk is None else chunk)
    largest = size + LANES
    if memory is not None:
        kept = 1 if last_only else rounds + 1
        launch = rounds_per_launch if compile and like.device.type != "cpu" else 1
        memory = whole("memory", memory)
        largest = chunk_within(memory, method, problem, hyper, like, record, kept, launch)
        size = min(size, largest)
    size = -(-replicates // -(-replicates // size))  # chunks of one size, as far as possible
    if compile and chunk is None:  # and of whole vectors
        size = min(-(-size // LANES) * LANES, max(largest, size), replicates)

    def trailing(name: str) -> int:
        return 0 if reduce else 1 + ranks[name]

    parts: list[Run] = []
    for first in range(0, replicates, size):
        rows = range(first, min(first + size, replicates))
        stored = None if keep is None else keep.find(rows)
        # a graph is compiled for one number of replicates: the last chunk overlaps the one before
        again = max(0, size - len(rows)) if compile and first else 0
        rows = range(rows.start - again, rows.stop)
        inside = None if keep is None else keep.inside(rows)
        if stored is not None:
            parts.append(stored)
            if inside is not None:  # of a run that was stopped between the two
                inside.forget()
            continue
        noise = noise_of(rows)
        part = run(
            method,
            problem_rows(problem, rows, replicates),
            hyper_rows(method, hyper, rows, replicates),
            noise,
            rounds,
            record=record,
            last_only=last_only,
            compile=compile,
            rounds_per_launch=rounds_per_launch,
            inside=inside,
            signed=signed,
        )
        silent = noise is None or isinstance(noise, Silent) or problem.law == "none"
        drew = not silent and rounds > 0 and method.slots(problem.clients, hyper) > 0
        part = for_each(part, len(rows), ranks, drew)
        if reduce is not None:
            part = Run(part.theta[..., -1:, :, :].clone(), reduced(reduce(part), len(rows)))
        parts.append(without_first(again, part, trailing))
        if keep is not None:
            keep.put(rows[again:], parts[-1])
        if inside is not None:
            inside.forget()
    extras = {
        name: join([p.extras[name] for p in parts], trailing(name)) for name in parts[0].extras
    }
    return Run(join([p.theta for p in parts], 3), extras)


def _draws(noise: Noise | None, t: int, slots: int, problem: Any, like: Tensor) -> Tensor:
    if noise is None or slots == 0:
        return like.new_zeros((slots, problem.noise_width))
    draws: Tensor = noise.draw(t)
    wanted = (slots, problem.noise_width)
    require(
        tuple(draws.shape[-2:]) == wanted,
        "draws",
        f"of shape (..., {slots}, {wanted[1]})",
        tuple(draws.shape),
        "make the noise with the method's slots and the problem's width",
    )
    return draws


def _collect(paths: dict[str, list[Tensor]], ranks: dict[str, int]) -> Run:
    leads = [v.shape[: v.ndim - ranks[n]] for n, path in paths.items() for v in path]
    lead = np.broadcast_shapes(*leads)
    out = {
        name: torch.stack(
            [v.expand(*lead, *v.shape[v.ndim - ranks[name] :]) for v in path], dim=len(lead)
        )
        for name, path in paths.items()
        if path
    }
    return Run(out.pop("theta"), out)
