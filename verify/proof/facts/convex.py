"""Convex functions: the tangent, and with smoothness what gradients add to it."""

from verify.proof.facts.rule import Claims, FactRule

__all__ = ["RULES"]


def _tangent(f: str, at: str, to: str) -> Claims:
    return [(f"{f}({to}) - {f}({at}) - grad({f}, {at})*(({to}) - ({at}))", False)]


def _concave(f: str, at: str, to: str) -> Claims:
    return [(f"-({_tangent(f, at, to)[0][0]})", False)]


def _cocoercive(f: str, L: str, at: str, to: str, share: str = "1/2") -> Claims:
    turn = f"(grad({f}, {at}) - grad({f}, {to}))"
    return [(f"{_tangent(f, at, to)[0][0]} - {share}*{turn}**2/({L})", False)]


RULES = (
    FactRule(
        "convex",
        {"f": "function", "at": "vector", "to": "vector"},
        _tangent,
        _concave,
        "{f} lies above its tangent at {at}, seen from {to}",
        "convex {f}",
        "Nesterov (2018), Definition 2.1.2",
    ),
    FactRule(
        "convex and smooth",
        {"f": "function", "L": "number", "at": "vector", "to": "vector"},
        _cocoercive,
        lambda **about: _cocoercive(**about, share="1"),
        "{f} lies above its tangent at {at}, seen from {to}, by what gradients differ over 2 {L}",
        "convex and {L}-smooth {f}",
        "Nesterov (2018), Theorem 2.1.5",
    ),
)
