"""The jobs of ``fedassay bench`` that need nothing but the engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from algorithms.bench import serial
from algorithms.bench.exact import agrees
from algorithms.bench.measure import Result, rates, timed, with_peak
from algorithms.bench.partition import partition
from algorithms.bench.runs import Bench, engine_job, engine_run, generator
from algorithms.collapse import Collapsed
from algorithms.oracle import cluster_weights
from algorithms.registry import load_method
from bounds.similarity import collaboration_weights
from synthetic.least_squares import LeastSquares
from synthetic.moments import moments, step
from synthetic.noise import Addressed
from synthetic.philox import run_key
from synthetic.quadratic import Quadratic
from synthetic.streaming import StreamingLeastSquares, two_clusters
from synthetic.user_loss import UserLoss

CLIENTS, DIM, REPLICATES, STEP = 20, 10, 200, 0.01
GIB = 1 << 30


def yardstick(bench: Bench) -> list[Result]:
    """FedAvg with one local step on streaming least squares: N = 20, d = 10, batch 1."""
    problem, method = two_clusters(DIM, CLIENTS, seed=0, batch=1), load_method("fedavg")
    hyper = {"step_size": STEP, "start": np.zeros(DIM)}
    counts = (REPLICATES,) if bench.place.type == "cpu" else (REPLICATES, 10_000, 1_000_000)
    return [
        line
        for replicates in counts
        for line in engine_job(
            bench, f"yardstick, {replicates} replicates", method, problem, hyper, replicates,
            rounds=402, steps=CLIENTS, loop=_yardstick_loop(problem),
        )
    ]  # fmt: skip


def all_for_one(bench: Bench) -> list[Result]:
    """All N^2 gradients with true ratios, one sample per client and round shared by all."""
    problem = quadratics()
    hyper = {"step_size": STEP, "start": np.ones(DIM), "samples": "shared"}
    form, optimum = problem.form.astype(np.float32), problem.optimum.astype(np.float32)

    def loop() -> object:
        return serial.all_for_one(form, optimum, 1.0, STEP, rounds=2)

    # ratios that move have no closed recursion; those of equal clients are one throughout, so
    # that weights and map are known
    equal = quadratics(equal=True)
    one = np.ones(CLIENTS)
    weights = np.tile(collaboration_weights(one, one, equal.noise_variance), (CLIENTS, 1))
    fixed = {**hyper, "weights": "fixed", "weight_matrix": weights}
    exact = load_method("all_for_one").affine_map(equal, fixed)
    return engine_job(
        bench, "all_for_one, all pairs", load_method("all_for_one"), problem, hyper, REPLICATES,
        rounds=34, steps=CLIENTS**2, loop=(loop, 2.0 * CLIENTS**2), checked=(equal, exact),
    )  # fmt: skip


def collapsed(bench: Bench) -> list[Result]:
    """Fixed weights and additive noise, with N^2 draws a round and with N of the same law."""
    problem, method = quadratics(), load_method("all_for_one")
    weights = np.full((CLIENTS, CLIENTS), 1 / CLIENTS)
    hyper = {
        "step_size": STEP, "start": np.ones(DIM), "weights": "fixed", "weight_matrix": weights,
    }  # fmt: skip
    eager = Bench(bench.seconds, bench.device, compiled=False)
    found = []
    for name, way in (("every draw", method), ("collapsed", Collapsed(method))):
        found += engine_job(
            eager, f"additive noise, {name}", way, problem, hyper, REPLICATES, rounds=4,
            steps=CLIENTS**2,
        )  # fmt: skip
    return found


def skipped(bench: Bench) -> list[Result]:
    """Fixed weights on all clients, and on a fifth of them: pairs of zero weight cost nothing.

    The generator draws for every pair, so that a run that skips some can be faster.
    """
    problem, method = quadratics(), load_method("all_for_one")
    clusters = cluster_weights(np.arange(CLIENTS) % 5)
    hyper = {"step_size": STEP, "start": np.ones(DIM), "weights": "fixed"}
    return [
        line
        for name, weights in (("all pairs", np.full_like(clusters, 1 / CLIENTS)),
                              ("a fifth of the pairs", clusters))
        for line in engine_job(
            bench, f"fixed weights, {name}", method, problem, {**hyper, "weight_matrix": weights},
            REPLICATES, rounds=34, steps=CLIENTS**2,
        )
    ]  # fmt: skip


def user_loss(bench: Bench) -> list[Result]:
    """A loss written in plain torch beside the family that spells the same one out by hand."""
    rng = np.random.default_rng(0)
    table = rng.normal(size=(CLIENTS, 50, DIM + 1))
    by_hand = LeastSquares({"X": table[..., :-1], "y": table[..., -1]})
    written = UserLoss({"samples": table, "dim": DIM, "loss": _squared})
    method, hyper = load_method("fedavg"), {"step_size": STEP, "start": np.zeros(DIM)}
    exact = method.affine_map(by_hand, hyper)
    return [
        line
        for name, problem in (("by hand", by_hand), ("torch.func", written))
        for line in engine_job(
            bench, f"least squares, {name}", method, problem, hyper, REPLICATES, rounds=42,
            steps=CLIENTS, checked=(problem, exact),
        )
    ]  # fmt: skip


def recursion(bench: Bench) -> list[Result]:
    """The exact recursion of mean and covariance: N = 20, d = 10, 1,000 rounds."""
    problem, method = two_clusters(DIM, CLIENTS, seed=0, batch=1), load_method("fedavg")
    hyper = {"step_size": STEP, "start": np.zeros(DIM)}

    def job() -> Any:
        return moments(method.affine_map(problem, hyper), np.zeros(DIM), 1000)

    path, peak = with_peak(job, torch.device("cpu"))
    rate = rates({"": (job, 1.0)}, bench.seconds, torch.device("cpu"))[""]
    one, mean, covariance = method.affine_map(problem, hyper), np.zeros(DIM), np.zeros((DIM, DIM))
    same = True
    for t in range(1000):
        mean, covariance = step(one, mean, covariance)
        found = path.covariance[t + 1]
        same &= np.allclose(found, covariance, rtol=1e-10, atol=1e-12 * abs(covariance).max())
    variant = "recursions of 1,000 rounds"
    return [Result("exact recursion", variant, rate, None, None, peak, bool(same))]


def large(bench: Bench) -> list[Result]:
    """N = 100, d = 50, 1,000 replicates under a cap of 2 GiB; 1,000 rounds with --full."""
    problem, method = two_clusters(50, 100, seed=0, batch=1), load_method("fedavg")
    hyper, rounds = {"step_size": 0.002, "start": np.zeros(50)}, 1000 if bench.full else 10
    way = bench.ways()[-1]
    job = engine_run(bench, method, problem, hyper, 1000, rounds, way, memory=GIB)
    made, peak = with_peak(job, bench.place)
    exact = method.affine_map(problem, hyper)
    fine = agrees(made[:, :1], exact, np.zeros(50), rounds)
    fine &= peak is None or peak < 2 * GIB
    rate = 1000.0 * 100 * rounds / timed(job, 1, bench.place)
    return [Result("N = 100, d = 50", f"{way}, {rounds} rounds", rate, None, None, peak, fine)]


def machine(bench: Bench) -> list[Result]:
    """What bounds everything else: raw draws, memory bandwidth, products of matrices."""
    big = torch.zeros(1 << 24, device=bench.place)
    a = torch.ones(512, 512, device=bench.place)
    copy = torch.empty_like(big)
    found = rates(
        {"bytes read and written": (lambda: copy.copy_(big), 2.0 * 4 * big.numel()),
         "multiply-adds, float32": (lambda: a @ a, 512.0**3)},
        bench.seconds, bench.place,
    )  # fmt: skip
    lines = [Result("machine", name, rate) for name, rate in found.items()]
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
        lines.append(Result("generator", f"{way}, draws of {DIM}", rate, agrees_with_exact=same))
    return lines


JOBS: dict[str, Callable[[Bench], list[Result]]] = {
    "machine": machine,
    "yardstick": yardstick,
    "all_for_one": all_for_one,
    "collapsed": collapsed,
    "skipped": skipped,
    "user_loss": user_loss,
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


def _squared(theta: torch.Tensor, sample: torch.Tensor) -> torch.Tensor:
    return ((theta * sample[:-1]).sum() - sample[-1]) ** 2


def _yardstick_loop(problem: StreamingLeastSquares) -> tuple[Callable[[], object], float]:
    targets = problem.data["targets"].astype(np.float32)
    return lambda: serial.fedavg(targets, STEP, 2, 20), 2.0 * 20 * CLIENTS
