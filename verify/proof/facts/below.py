"""Smooth functions from below: they need not be convex, but curve down by no more than they may."""

from verify.proof.facts.rule import Claims, FactRule

__all__ = ["RULES"]


def _lower(f: str, L: str, at: str, to: str, share: str = "1/2") -> Claims:
    move = f"(({to}) - ({at}))"
    below = f"{f}({at}) + grad({f}, {at})*{move} - {share}*({L})*{move}**2"
    return [(f"{f}({to}) - ({below})", False)]


RULES = (
    FactRule(
        "smooth from below",
        {"f": "function", "L": "number", "at": "vector", "to": "vector"},
        _lower,
        lambda **about: _lower(**about, share="(-1/2)"),
        "{f} lies above its parabola of curvature -{L} at {at}, seen from {to}",
        "{L}-smooth {f}",
        "Nesterov, Lectures on Convex Optimization (2018), Lemma 1.2.3",
    ),
)
