"""The smallest of finitely many values is at most their weighted mean, the largest at least."""

from verify.proof.schemas.schema import Closed, Schema

__all__ = ["LARGEST", "SMALLEST"]


def _smallest(of: str, weight: str, index: str, rounds: str) -> Closed:
    edge = f"({index}, 0, {rounds} - 1)"
    sums = f"Sum(({weight})*({of}), {edge}) - Min({of}, {edge})*Sum({weight}, {edge})"
    return Closed([(sums, False)], needs=[(weight, False)], free=[rounds])


def _largest(of: str, weight: str, index: str, rounds: str) -> Closed:
    edge = f"({index}, 0, {rounds} - 1)"
    sums = f"Max({of}, {edge})*Sum({weight}, {edge}) - Sum(({weight})*({of}), {edge})"
    return Closed([(sums, False)], needs=[(weight, False)], free=[rounds])


TAKES = {"of": "formula", "weight": "formula", "index": "index", "rounds": "count"}
SMALLEST = Schema(
    "smallest",
    TAKES,
    _smallest,
    "the smallest {of} over {index} < {rounds} is at most the mean with weights {weight}",
    "smallest",
)
LARGEST = Schema(
    "largest",
    TAKES,
    _largest,
    "the largest {of} over {index} < {rounds} is at least the mean with weights {weight}",
    "largest",
)
