"""Jobs of ``fedassay bench`` that need the ladder: a certificate, leaves, and simulation."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import sympy
import torch

from algorithms.bench.exact import sample_agrees
from algorithms.bench.measure import BenchLine, rates, timed, with_peak
from bounds.similarity import collaboration_weights, similarity_ratio
from synthetic.exact.moments import averaged_gradient_map, expected_excess, moments
from synthetic.quadratic import Quadratic
from verify.certify.prover.prove import certify
from verify.world.noise_plan import Samples
from verify.world.score import score

if TYPE_CHECKING:
    from algorithms.bench.runs import Bench
    from verify.claim.instance import Instance
    from verify.claim.statement import Statement
    from verify.ledger.ledger import Finding

CPU = torch.device("cpu")

DECIDED = ("proved", "violated", "vacuous")
"""Words after which no further rung is asked."""


def certificate(bench: Bench) -> list[BenchLine]:
    """Young's inequality with a weight, proved in symbols, and refused where it is false."""
    a, b = sympy.symbols("a b", real=True)
    s = sympy.Symbol("s", positive=True)
    right = s * a**2 + b**2 / s

    def job() -> object:
        return certify(2 * a * b, right, "<=")

    proved, peak = with_peak(job, CPU)
    fine = proved is not None and certify(sympy.Rational(21, 10) * a * b, right, "<=") is None
    rate = rates({"": (job, 1.0)}, bench.seconds, CPU)[""]
    return [BenchLine("certificate", "proofs", rate, None, None, peak, fine)]


def leaves(_: Bench) -> list[BenchLine]:
    """One leaf for each rung of the ladder, at quick, per CPU second; what it found is redone."""
    from algorithms.bench.leaves import TIMED
    from verify.catalogue.library import library

    return [_leaf([library().leaf(key) for key in keys], rung) for rung, keys in TIMED.items()]


def _leaf(statements: Sequence[Statement], rung: str) -> BenchLine:
    """Time the first of the leaves on which the rung speaks, the faster of two times.

    The first time loads what it needs.  Where the rung speaks on none of them, because each is
    decided before its turn, the line says so and agrees with nothing.
    """
    from verify.run.tasks import Settings, Task, examine

    for statement in statements:
        task = Task(statement.key, Settings("quick"))

        def job(task: Task = task) -> Finding:
            return examine(task.statement(), task.settings, parent=task.parent())

        found, peak = with_peak(job, CPU)
        if speaks(found, rung) or not decided_before(found, rung):
            break
    spent = min(timed(job, 1, CPU) for _ in range(2))
    text = f"{rung}: {statement.key}, {found.leaf['verdict']} by {found.leaf['rung']}"
    fine: bool | None = redone(statement, found)
    if not speaks(found, rung):
        early = decided_before(found, rung)
        text, fine = f"{text}, {rung} not asked", None if early and fine else False
    return BenchLine("leaf", text, 1 / spent, peak_bytes=peak, agrees_with_exact=fine)


def speaks(found: Finding, rung: str) -> bool:
    """Whether a rung has found something, or reports what it has looked at."""
    evidence = [one for one in found.leaf["evidence"] if one["rung"] == rung]
    return any(one["status"] in ("decided", "reported") for one in evidence)


def decided_before(found: Finding, rung: str) -> bool:
    """Whether the word rests on another rung, so that this one need not have been asked."""
    return found.leaf["verdict"] in DECIDED and found.leaf["rung"] != rung


def redone(statement: Statement, found: Finding) -> bool:
    """Whether witness and proofs stand when they are looked at again.

    A witness is computed again by the referee in exact numbers, a proof is checked by itself.
    """
    from verify.ladder import recheck
    from verify.ledger.witness import recomputed

    proofs = [one["proof"] for one in found.leaf["evidence"] if one.get("proof")]
    return all(recheck(statement, proof) for proof in proofs) and (
        found.witness is None or recomputed(statement, found.witness).confirmed
    )


def simulation(_: Bench) -> list[BenchLine]:
    """A leaf with larger instances to simulate: replicates per CPU second, at quick.

    One round from a fixed start on quadratics: the mean of what is simulated is known.
    """
    from algorithms.bench.leaves import SIMULATED
    from verify.catalogue.library import library
    from verify.ladder import PROFILES, simulate

    statement = library().leaf(SIMULATED)
    replicates = PROFILES["quick"].replicates
    begin = time.process_time()
    found, peak = with_peak(lambda: list(simulate(statement, replicates, 0, "cpu")), CPU)
    done = sum(piece.tried for piece in found) * replicates
    rate = done / max(time.process_time() - begin, 1e-9)
    same = done > 0 and all(
        mean_agrees(statement, make(), replicates, key)
        for key, make in enumerate(statement.simulate)
    )
    text = f"{statement.key}, {', '.join(sorted({piece.status for piece in found}))}"
    return [BenchLine("simulation", text, rate, peak_bytes=peak, agrees_with_exact=same)]


def mean_agrees(
    statement: Statement, instance: Instance, replicates: int, key: int, exact: float | None = None
) -> bool:
    """Whether the random term of (S2), drawn as the rung draws it, has its exact mean.

    It is the asking client's excess after one round of All-for-one with the weights of
    Definition 1: from a fixed start they are numbers, and the round is an affine map.
    """
    pathwise, noise = replace(statement, over="path"), Samples(key, replicates)
    sides = score(pathwise, instance.batched(), noise=noise)
    step_size = float(np.ravel(sides.world.step_size)[0])
    mean = excess_after(instance, step_size) if exact is None else exact
    found = sides.terms[0]["excess after"]  # (B = 1, R)
    return sample_agrees(np.asarray(found, dtype=float)[0], np.asarray(mean))


def excess_after(instance: Instance, step_size: float) -> float:
    """Expected excess of client 0 after its first round, from the moments of its map."""
    quadratic, start = Quadratic(instance.data), np.asarray(instance.params["start"])
    at = quadratic.own_gradients(np.broadcast_to(start, quadratic.optimum.shape))
    ratio = similarity_ratio(at)
    weights = collaboration_weights(ratio, ratio, quadratic.noise_variance)
    one = averaged_gradient_map(quadratic, weights, step_size)
    return float(expected_excess(quadratic, moments(one, start, 1))[-1, 0])


LADDER_JOBS: dict[str, Callable[[Bench], list[BenchLine]]] = {
    "certificate": certificate,
    "leaves": leaves,
    "simulation": simulation,
}
