"""Sums over an index of what holds at each: differences of neighbours telescope."""

from verify.proof.schemas.schema import Closed, Schema, put

__all__ = ["SCHEMA"]


def _close(step: str, index: str, rounds: str, of: str) -> Closed:
    rest = f"({step}) - ({of}) + ({put(of, index, f'{index} + 1')})"
    ends = f"({put(of, index, '0')}) - ({put(of, index, rounds)})"
    return Closed([(f"Sum({rest}, ({index}, 0, {rounds} - 1)) + {ends}", False)], free=[rounds])


SCHEMA = Schema(
    "telescoped",
    {"step": "step", "index": "index", "rounds": "count", "of": "formula"},
    _close,
    "add {step} over {index} = 0, ..., {rounds} - 1; the differences of {of} telescope",
    "telescoped",
)
