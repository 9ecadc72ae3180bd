"""The inner product of two vectors is at most the product of bounds on their lengths."""

from verify.proof.schemas.schema import Closed, Schema

__all__ = ["SCHEMA"]


def _close(one: str, other: str, size: str, its: str, first: str, second: str) -> Closed:
    return Closed(
        [(f"({size})*({its}) - ({one})*({other})", False)],
        needs=[(size, False), (its, False)],
        same=[(first, f"({size})**2 - ({one})**2"), (second, f"({its})**2 - ({other})**2")],
    )


SCHEMA = Schema(
    "Cauchy, Schwarz",
    {
        "one": "vector",
        "other": "vector",
        "size": "formula",
        "its": "formula",
        "first": "step",
        "second": "step",
    },
    _close,
    "{one} is no longer than {size} by {first}, and {other} than {its} by {second}",
    "product",
)
