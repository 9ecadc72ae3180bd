"""Jobs of ``fedassay bench`` that need the ladder: a certificate, leaves, and simulation."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import sympy
import torch

from algorithms.bench.measure import Result, rates, with_peak
from verify.certify.prove import certify

if TYPE_CHECKING:
    from algorithms.bench.jobs import Bench
    from verify.claim.statement import Statement

CPU = torch.device("cpu")


def certificate(bench: Bench) -> list[Result]:
    """Young's inequality with a weight, proved in symbols, and refused where it is false."""
    a, b = sympy.symbols("a b", real=True)
    s = sympy.Symbol("s", positive=True)
    right = s * a**2 + b**2 / s

    def job() -> object:
        return certify(2 * a * b, right, "<=")

    proved, peak = with_peak(job, CPU)
    fine = proved is not None and certify(sympy.Rational(21, 10) * a * b, right, "<=") is None
    rate = rates({"": (job, 1.0)}, bench.seconds, CPU)[""]
    return [Result("certificate", "proofs", rate, None, None, peak, fine)]


def leaves(bench: Bench) -> list[Result]:
    """The first leaf of each paper that can be checked, at quick, per CPU second."""
    from verify.catalogue.library import library
    from verify.ladder.assay import assay
    from verify.ladder.budgets import PROFILES

    first: dict[str, Statement] = {}
    for entry in library():
        for claim in entry.claims:
            if not claim.missing:
                first.setdefault(entry.paper, claim)
    found = []
    for statement in first.values():
        begin = time.process_time()
        leaf, peak = with_peak(partial(assay, statement, profile=PROFILES["quick"]), CPU)
        rate = 1 / max(time.process_time() - begin, 1e-9)
        text = f"{statement.key}, decided by {leaf.rung}"
        found.append(Result("leaf", text, rate, peak_bytes=peak))
    return found


def simulation(bench: Bench) -> list[Result]:
    """The first leaf with larger instances to simulate: replicates per CPU second, at quick."""
    from verify.catalogue.library import library
    from verify.ladder.budgets import PROFILES
    from verify.ladder.rung_simulation import simulate

    claims = (claim for entry in library() for claim in entry.claims)
    statement = next(claim for claim in claims if claim.simulate and not claim.missing)
    replicates = PROFILES["quick"].replicates
    begin = time.process_time()
    found, peak = with_peak(lambda: list(simulate(statement, replicates, 0, "cpu")), CPU)
    done = sum(piece.tried for piece in found) * replicates
    rate = done / max(time.process_time() - begin, 1e-9)
    text = f"{statement.key}, {', '.join(sorted({piece.status for piece in found}))}"
    return [Result("simulation", text, rate, peak_bytes=peak)]


LADDER_JOBS: dict[str, Callable[[Bench], list[Result]]] = {
    "certificate": certificate,
    "leaves": leaves,
    "simulation": simulation,
}
