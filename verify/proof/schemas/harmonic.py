"""Decreasing steps: contraction p/(t + shift) and rest q/(t + shift)^2 give v/(t + shift)."""

from verify.proof.schemas.schema import Closed, Schema, put

__all__ = ["SCHEMA"]


def _close(
    step: str, index: str, rounds: str, of: str, p: str, q: str, shift: str, v: str
) -> Closed:
    when = f"({index} + ({shift}))"
    after = put(of, index, f"{index} + 1")
    return Closed(
        [(f"({v})/({rounds} + ({shift})) - ({put(of, index, rounds)})", False)],
        needs=[
            (f"({shift})", True),
            (f"({shift}) - ({p})", False),
            (f"({v})", False),
            (f"({v})*(({p}) - 1) - ({q})", False),
            (f"({v}) - ({shift})*({put(of, index, '0')})", False),
        ],
        same=[(step, f"(1 - ({p})/{when})*({of}) + ({q})/{when}**2 - ({after})")],
        free=[p, q, shift, v, rounds],
    )


SCHEMA = Schema(
    "1/(t + shift)",
    {
        "step": "step",
        "index": "index",
        "rounds": "count",
        "of": "formula",
        "p": "formula",
        "q": "formula",
        "shift": "formula",
        "v": "formula",
    },
    _close,
    "by induction on {index}, with {step}: {of} is at most {v} over {index} + {shift}",
    "harmonic",
)
