"""The jobs of ``fedassay bench`` that need nothing but the engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any

import numpy as np
import torch

from algorithms.bench import dense, serial
from algorithms.bench.exact import agrees
from algorithms.bench.measure import BenchLine, rates, timed, with_peak
from algorithms.bench.partition import partition
from algorithms.bench.runs import (
    CHECKED,
    SEVERAL,
    Bench,
    EngineJob,
    KnownMoments,
    engine_run,
    generator,
    measure,
)
from algorithms.engine.collapse import Collapsed
from algorithms.grouping.oracle import cluster_weights
from algorithms.registry import load_method
from synthetic.exact.moments import moments
from synthetic.noise.philox import run_key
from synthetic.noise.sources import Addressed
from synthetic.quadratic import Quadratic
from synthetic.tables.least_squares import LeastSquares
from synthetic.tables.streaming import StreamingLeastSquares, two_clusters
from synthetic.tables.user_loss import UserLoss

CLIENTS, DIM, REPLICATES, STEP = 20, 10, 200, 0.01
LARGE = (100, 50, 1_000)
"""Clients, dimension and replicates of a large federation."""
GIB = 1 << 30

Array = np.ndarray[Any, Any]
Job = Callable[[Bench], list[BenchLine]]


def yardstick(bench: Bench) -> list[EngineJob]:
    """FedAvg with one local step on streaming least squares: N = 20, d = 10, batch 1."""
    problem, method = two_clusters(DIM, CLIENTS, seed=0, batch=1), load_method("fedavg")
    hyper = {"step_size": STEP, "start": np.zeros(DIM)}
    counts = (REPLICATES,) if bench.place.type == "cpu" else (REPLICATES, 10_000, 1_000_000)
    return [
        EngineJob.affine(
            f"yardstick, {replicates} replicates",
            method,
            problem,
            hyper,
            replicates,
            rounds=402,
            steps=CLIENTS,
            loop=_yardstick_loop(problem),
        )
        for replicates in counts
    ]


def all_for_one(_: Bench) -> list[EngineJob]:
    """All N^2 gradients with true ratios, one sample per client and round shared by all.

    Ratios that move have no closed recursion, but from a fixed start those of one round are
    numbers, and with them its moments: at the job's own start, and where a run is later. Those of
    equal clients are one throughout, so that some rounds of theirs are known as well.
    """
    problem, method = quadratics(), load_method("all_for_one")
    start = np.ones(DIM)
    hyper = {"step_size": STEP, "start": start, "samples": "shared"}
    form, optimum = problem.form.astype(np.float32), problem.optimum.astype(np.float32)

    def loop() -> object:
        return serial.all_for_one(form, optimum, 1.0, STEP, rounds=2)

    def known(of: Quadratic, starts: Array, rounds: int, replicates: int) -> KnownMoments:
        fixed = {**hyper, "weights": "fixed", "weight_matrix": ratio_weights(of, starts)}
        return KnownMoments(of, method.affine_map(of, fixed), starts, rounds, replicates)

    later = serial.all_for_one(problem.form, problem.optimum, 0.0, STEP, rounds=20)
    return [
        EngineJob(
            "all_for_one, all pairs",
            method,
            problem,
            hyper,
            REPLICATES,
            rounds=34,
            steps=CLIENTS**2,
            loop=(loop, 2.0 * CLIENTS**2),
            known=[
                known(problem, start, 1, SEVERAL),
                known(problem, later, 1, SEVERAL),
                known(quadratics(equal=True), start, CHECKED, SEVERAL),
            ],
        )
    ]


def collapsed(_: Bench) -> list[EngineJob]:
    """Fixed weights and additive noise, with N^2 draws a round and with N of the same law."""
    problem, method = quadratics(), load_method("all_for_one")
    weights = np.full((CLIENTS, CLIENTS), 1 / CLIENTS)
    hyper = {
        "step_size": STEP,
        "start": np.ones(DIM),
        "weights": "fixed",
        "weight_matrix": weights,
    }
    return [
        EngineJob.affine(
            f"additive noise, {name}",
            way,
            problem,
            hyper,
            REPLICATES,
            rounds=4,
            steps=CLIENTS**2,
        )
        for name, way in (("every draw", method), ("collapsed", Collapsed(method)))
    ]


def skipped(_: Bench) -> list[EngineJob]:
    """Fixed weights on all clients, and on a fifth of them: pairs of zero weight cost nothing.

    The generator draws for every pair, so that a run that skips some can be faster.
    """
    problem, method = quadratics(), load_method("all_for_one")
    clusters = cluster_weights(np.arange(CLIENTS) % 5)
    hyper = {"step_size": STEP, "start": np.ones(DIM), "weights": "fixed"}
    return [
        EngineJob.affine(
            f"fixed weights, {name}",
            method,
            problem,
            {**hyper, "weight_matrix": weights},
            REPLICATES,
            rounds=34,
            steps=CLIENTS**2,
        )
        for name, weights in (
            ("all pairs", np.full_like(clusters, 1 / CLIENTS)),
            ("a fifth of the pairs", clusters),
        )
    ]


def user_loss(_: Bench) -> list[EngineJob]:
    """A loss written in plain torch beside the family that spells the same one out by hand."""
    rng = np.random.default_rng(0)
    table = rng.normal(size=(CLIENTS, 50, DIM + 1))
    by_hand = LeastSquares({"X": table[..., :-1], "y": table[..., -1]})
    written = UserLoss({"samples": table, "dim": DIM, "loss": _squared})
    method, hyper = load_method("fedavg"), {"step_size": STEP, "start": np.zeros(DIM)}
    exact = method.affine_map(by_hand, hyper)
    return [
        EngineJob.affine(
            f"least squares, {name}",
            method,
            problem,
            hyper,
            REPLICATES,
            rounds=42,
            steps=CLIENTS,
            moments=exact,
        )
        for name, problem in (("by hand", by_hand), ("torch.func", written))
    ]


def recursion(bench: Bench) -> list[BenchLine]:
    """The exact recursion of mean and covariance: N = 20, d = 10, 1,000 rounds."""
    problem, method = two_clusters(DIM, CLIENTS, seed=0, batch=1), load_method("fedavg")
    hyper = {"step_size": STEP, "start": np.zeros(DIM)}

    def job() -> Any:
        return moments(method.affine_map(problem, hyper), np.zeros(DIM), 1000)

    path, peak = with_peak(job, torch.device("cpu"))
    rate = rates({"": (job, 1.0)}, bench.seconds, torch.device("cpu"))[""]
    same = dense.agrees(path, problem.data["targets"], STEP)
    return [
        BenchLine("exact recursion", "recursions of 1,000 rounds", rate, None, None, peak, same)
    ]


def large(bench: Bench) -> list[BenchLine]:
    """N = 100, d = 50, 1,000 replicates under a cap of 2 GiB; 1,000 rounds with --full."""
    clients, dim, replicates = LARGE
    problem, method = two_clusters(dim, clients, seed=0, batch=1), load_method("fedavg")
    hyper, rounds = {"step_size": 0.002, "start": np.zeros(dim)}, 1000 if bench.full else 10
    way, name = bench.ways()[-1], f"N = {clients}, d = {dim}"
    job = EngineJob.affine(name, method, problem, hyper, replicates, rounds, steps=clients)
    call = engine_run(bench, job, way, memory=GIB)
    made, peak = with_peak(call, bench.place)
    assert job.moments is not None
    fine = agrees(made, job.moments, np.zeros(dim), rounds)
    fine &= peak is None or peak < 2 * GIB
    rate = float(replicates * clients) * rounds / timed(call, 1, bench.place)
    return [BenchLine(job.name, f"{way}, {rounds} rounds", rate, None, None, peak, fine)]


def machine(bench: Bench) -> list[BenchLine]:
    """What bounds everything else: raw draws, memory bandwidth, products of matrices."""
    big = torch.zeros(1 << 24, device=bench.place)
    a = torch.ones(512, 512, device=bench.place)
    copy = torch.empty_like(big)
    found = rates(
        {
            "bytes read and written": (lambda: copy.copy_(big), 2.0 * 4 * big.numel()),
            "multiply-adds, float32": (lambda: a @ a, 512.0**3),
        },
        bench.seconds,
        bench.place,
    )
    lines = [BenchLine("machine", name, rate) for name, rate in found.items()]
    source = Addressed(
        "gaussian", run_key(0), range(REPLICATES), CLIENTS, DIM, bench.place, torch.float32
    )
    made = {way: generator(source, way, 8) for way in bench.ways()}
    drawn = {
        way: (draws, 8.0 * REPLICATES * CLIENTS) for way, draws in made.items() if draws is not None
    }
    here = Addressed("gaussian", run_key(0), range(REPLICATES), CLIENTS, DIM)
    same = torch.equal(source.words(3, 12).cpu(), here.words(3, 12))
    for way, rate in rates(drawn, bench.seconds, bench.place).items():
        lines.append(BenchLine("generator", f"{way}, draws of {DIM}", rate, agrees_with_exact=same))
    return lines


def measured(make: Callable[[Bench], list[EngineJob]], eager: bool = False) -> Job:
    """A job of the command from runs of the engine."""

    @wraps(make)
    def job(bench: Bench) -> list[BenchLine]:
        how = replace(bench, compiled=False) if eager else bench
        return [line for one in make(how) for line in measure(how, one)]

    return job


ENGINE_JOBS = (yardstick, all_for_one, collapsed, skipped, user_loss)
JOBS: dict[str, Job] = {
    "machine": machine,
    # too few rounds for a graph
    **{make.__name__: measured(make, eager=make is collapsed) for make in ENGINE_JOBS},
    "recursion": recursion,
    "large": large,
    "partition": partition,
}


def quadratics(equal: bool = False) -> Quadratic:
    """Random well-conditioned quadratics with unit Gaussian noise."""
    rng = np.random.default_rng(0)
    root = rng.normal(size=(CLIENTS, DIM, DIM)) / np.sqrt(DIM)
    xi = rng.normal(size=(CLIENTS, DIM))
    if equal:
        root, xi = (np.broadcast_to(x[:1], x.shape) for x in (root, xi))
    form = root @ root.swapaxes(-1, -2) + np.eye(DIM)
    return Quadratic({"A": form, "xi": xi, "noise_scale": np.ones(CLIENTS), "law": "gaussian"})


def ratio_weights(problem: Quadratic, starts: Array) -> Array:
    """Weights of true ratios (N, N) at a model for each, (N, d), or for all, (d,).

    Written out, for clients of equal variances.
    """
    starts = np.broadcast_to(starts, problem.optimum.shape)
    pulls = 2 * np.einsum("kde,ike->ikd", problem.form, starts[:, None] - problem.optimum)
    own = pulls[range(len(starts)), range(len(starts))]
    gap = ((pulls - own[:, None]) ** 2).sum(-1)
    ratio = np.maximum(0.0, 1 - gap / (own**2).sum(-1)[:, None])
    found: Array = ratio / (ratio**2).sum(-1, keepdims=True)
    return found


def _squared(theta: torch.Tensor, sample: torch.Tensor) -> torch.Tensor:
    return ((theta * sample[:-1]).sum() - sample[-1]) ** 2


def _yardstick_loop(problem: StreamingLeastSquares) -> tuple[Callable[[], object], float]:
    targets = problem.data["targets"].astype(np.float32)
    return lambda: serial.fedavg(targets, STEP, 2, 20), 2.0 * 20 * CLIENTS
