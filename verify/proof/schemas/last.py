"""The last of values that do not grow is at most their mean."""

from verify.proof.schemas.schema import Closed, Schema, put

__all__ = ["SCHEMA"]


def _close(step: str, index: str, rounds: str, of: str) -> Closed:
    after = put(of, index, f"{index} + 1")
    last = f"({rounds})*({put(of, index, rounds)})"
    return Closed(
        [(f"Sum({after}, ({index}, 0, {rounds} - 1)) - {last}", False)],
        same=[(step, f"({of}) - ({after})")],
        free=[rounds],
    )


SCHEMA = Schema(
    "last iterate",
    {"step": "step", "index": "index", "rounds": "count", "of": "formula"},
    _close,
    "by {step} the values {of} do not grow, so the last is at most their mean",
    "last_iterate",
)
