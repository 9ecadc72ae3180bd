"""A contraction with a constant term, again and again."""

from verify.proof.schemas.schema import Closed, Schema, put

__all__ = ["SCHEMA"]


def _close(step: str, index: str, rounds: str, of: str, factor: str, rest: str) -> Closed:
    power = f"({factor})**({rounds})"
    right = f"{power}*({put(of, index, '0')}) + ({rest})*(1 - {power})/(1 - ({factor}))"
    after = put(of, index, f"{index} + 1")
    return Closed(
        [
            (f"{right} - ({put(of, index, rounds)})", False),
            (power, False),
            (f"1 - {power}", False),
        ],
        needs=[(f"{factor}", False), (f"1 - ({factor})", True)],
        same=[(step, f"({factor})*({of}) + ({rest}) - ({after})")],
        free=[factor, rest, rounds],
    )


SCHEMA = Schema(
    "geometric",
    {
        "step": "step",
        "index": "index",
        "rounds": "count",
        "of": "formula",
        "factor": "formula",
        "rest": "formula",
    },
    _close,
    "use {step} for {index} = 0, ..., {rounds} - 1: {of} shrinks by the factor {factor} up to "
    "{rest} each time, a geometric series",
    "geometric",
)
