"""How a world fills its replicate axis: with all outcomes, with samples, or with none."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class AllOutcomes:
    """Every outcome of a finitely supported law with its probability: expectations are exact.

    ``cap`` limits the number of outcomes of one instance.
    """

    cap: int = 4096


@dataclass(frozen=True)
class Samples:
    """Independent samples of weight 1/R from addressed noise.

    ``key`` is the run key; replicates ``first .. first + replicates - 1`` are drawn.
    """

    key: int
    replicates: int
    first: int = 0
    device: str = "cpu"


NoisePlan = AllOutcomes | Samples


class NotAvailable(Exception):
    """The asked-for value has no exact form in this world; carries the reason for the ledger."""
