"""Markov's inequality for a squared norm."""

from verify.proof.schemas.schema import Closed, Schema

__all__ = ["SCHEMA"]


def _close(of: str, level: str) -> Closed:
    chance = f"Chance({of}, {level})"
    return Closed([(f"({of})**2 - ({level})*{chance}", False)], needs=[(level, False)])


SCHEMA = Schema(
    "Markov",
    {"of": "vector", "level": "formula"},
    _close,
    "by Markov's inequality the chance that |{of}|^2 is at least {level} is at most its mean over "
    "{level}",
    "markov",
)
