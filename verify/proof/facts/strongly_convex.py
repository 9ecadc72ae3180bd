"""Strongly convex functions: the lower parabola."""

from verify.proof.facts.rule import Claims, FactRule

__all__ = ["RULES"]


def _lower(f: str, mu: str, at: str, to: str, share: str = "1/2") -> Claims:
    move = f"(({to}) - ({at}))"
    below = f"{f}({at}) + grad({f}, {at})*{move} + {share}*({mu})*{move}**2"
    return [(f"{f}({to}) - ({below})", False)]


RULES = (
    FactRule(
        "strongly convex",
        {"f": "function", "mu": "number", "at": "vector", "to": "vector"},
        _lower,
        lambda **about: _lower(**about, share="1"),
        "{f} lies above its parabola of curvature {mu} at {at}, seen from {to}",
        "{mu}-strongly convex {f}",
        "Nesterov (2018), Definition 2.1.3",
    ),
)
