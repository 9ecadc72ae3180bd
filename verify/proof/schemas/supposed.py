"""Claims that were proved under a supposition: by induction, and in two cases."""

from verify.proof.schemas.schema import Closed, Schema, put

__all__ = ["CASES", "INDUCTION"]


INDUCTION = Schema(
    "induction",
    {"claim": "formula", "index": "index", "next": "supposed"},
    lambda claim, index, next: Closed(
        [(claim, False)],
        needs=[(put(claim, index, "0"), False)],
        same=[(next[0], put(claim, index, f"{index} + 1")), (next[1], claim)],
    ),
    "by induction on {index}, with {next}",
    "induction",
)
CASES = Schema(
    "cases",
    {"claim": "formula", "on": "formula", "then": "supposed", "else": "supposed"},
    lambda claim, on, then, else_: Closed(
        [(claim, False)],
        same=[(then[0], claim), (else_[0], claim), (then[1], on), (else_[1], f"-({on})")],
    ),
    "by {then} where {on} >= 0, and by {else} where it is at most 0",
    "cases",
)
