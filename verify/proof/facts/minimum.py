"""A smallest value: where it is taken the gradient vanishes, and no value is below it."""

from typing import Any

from verify.proof.facts.rule import Claims, FactRule, nothing
from verify.proof.term import shown_vector

__all__ = ["RULES"]


def _above(f: str, star: str, at: str) -> Claims:
    return [(f"{f}({at}) - {f}({star})", False)]


def _bound(f: str, low: str, at: str) -> Claims:
    return [(f"{f}({at}) - ({low})", False)]


def _stationary(reader: Any, f: str, star: str) -> None:
    """Read the gradient there as zero: of the mean where the function is one of each client."""
    if not all(v.shared for v in reader.vector(star)):
        raise ValueError(f"{star} is another point for each client")
    about = reader.functions[f]
    inner = about.get("mean of", f)
    key = f"grad({inner}, {shown_vector(reader.vector(star))})"
    reader.stationary.add(f"avg({key})" if reader.functions[inner].get("own") else key)


RULES = (
    FactRule(
        "minimiser",
        {"f": "function", "star": "vector", "at": "vector"},
        _above,
        lambda f, star, at: [(f"{f}({star}) - {f}({at})", False)],
        "{f} is nowhere below its value at {star}, as at {at}",
        "{f} with a minimiser {star}",
        "definition",
    ),
    FactRule(
        "bounded below",
        {"f": "function", "low": "number", "at": "vector"},
        _bound,
        lambda f, low, at: [(f"({low}) - {f}({at})", False)],
        "{f} is nowhere below {low}, as at {at}",
        "{f} at least {low} everywhere",
        "definition",
    ),
    FactRule(
        "stationary",
        {"f": "function", "star": "vector"},
        nothing,
        nothing,
        "the gradient of {f} vanishes at {star}",
        "{f} with gradient zero at {star}",
        "Fermat",
        declares=_stationary,
        twin_declares=lambda reader, f, star: _stationary(reader, f, f"2*({star})"),
    ),
)
