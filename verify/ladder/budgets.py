"""Budgets of a run: what each profile may spend on a leaf."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Profile:
    """Budgets of a run, in evaluations so that a ledger is the same everywhere.

    ``seconds`` per leaf is only a safety net; a leaf that meets it is inconclusive. ``chunk`` is
    the number of replicates simulated at a time; no result depends on it.
    """

    name: str
    evaluations: int
    population: int
    replicates: int
    seconds: float
    referees: int = 48
    chunk: int | None = None


PROFILES = {
    "quick": Profile("quick", 12_000, 64, 2_000, 60),
    "default": Profile("default", 80_000, 96, 20_000, 300),
    "thorough": Profile("thorough", 4_000_000, 128, 1_000_000, 7_200),
}
