"""Federated worst cases as a table: ``python -m tests.verify.worst_case.measure_federated``.

Losses of curvature between 1/10 and 1, K local steps of size 1/(2 K), the start within distance one
of the minimiser, mean squared gradient there at most 1: the largest squared distance after a round.
"""

from __future__ import annotations

import sys
import time
from fractions import Fraction
from pathlib import Path

from verify.worst_case import ClassProblem, SmoothStronglyConvex, worst
from verify.worst_case.federated import all_for_one, fedavg, fedbc, fedprox, scaffold

F = Fraction
HERE = Path(__file__).parent / "federated.md"
LOSSES = SmoothStronglyConvex(F(1, 10), 1)


def rows() -> dict[str, ClassProblem]:
    """Problems by what stands in the first column."""
    made: dict[str, ClassProblem] = {}
    for K in (1, 2, 3):
        plan = {"step": F(1, 2 * K), "local_steps": K}
        for spread in (0, 1, 4):
            made[f"FedAvg, K = {K}, heterogeneity {spread}, any N"] = fedavg(
                LOSSES, spread=spread, **plan
            )
        for N in (2, 10, 100):
            made[f"FedAvg, K = {K}, heterogeneity 1, noise 1, N = {N}"] = fedavg(
                LOSSES, variance=1, number=N, **plan
            )
        made[f"FedBC, multiplier 1/2, K = {K}, heterogeneity 1, any N"] = fedbc(
            LOSSES, multiplier=F(1, 2), **plan
        )
        made[f"SCAFFOLD, potential with weight 1/4, K = {K}, any N"] = scaffold(
            LOSSES, weight=F(1, 4), **plan
        )
    for spread in (0, 1, 4):
        made[f"FedProx, parameter 1/2, heterogeneity {spread}, any N"] = fedprox(
            LOSSES, step=F(1, 2), spread=spread
        )
    for own in (F(1), F(3, 4), F(1, 2)):
        made[f"All-for-one, own weight {own}, others' mean gradient 1, any N"] = all_for_one(
            LOSSES, step=F(1, 2), own=own
        )
    return made


def main() -> int:
    lines = []
    for name, problem in rows().items():
        started = time.process_time()
        found = worst(problem)
        seconds = time.process_time() - started
        bounds = ["-" if b is None else f"{float(b):.7f}" for b in (found.upper, found.lower)]
        note = "" if found.tight else "upper bound"
        cells = [name, f"{found.value:.7f}", *bounds, f"{seconds:.2f}", note]
        lines.append("| " + " | ".join(cells) + " |")
    head = (
        "| round | value | at most | at least | CPU-s | |\n| --- | --- | --- | --- | --- | --- |\n"
    )
    text = f"# Federated worst cases\n\n{str(__doc__).strip()}\n\n{head}"
    HERE.write_text(text + "\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
