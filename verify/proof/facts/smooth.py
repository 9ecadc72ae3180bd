"""Smooth functions: the upper parabola, Lipschitz gradients, and what a lower bound adds."""

from verify.proof.facts.rule import Claims, FactRule

__all__ = ["RULES"]


def _upper(f: str, L: str, at: str, to: str, share: str = "1/2") -> Claims:
    move = f"(({to}) - ({at}))"
    above = f"{f}({at}) + grad({f}, {at})*{move} + {share}*({L})*{move}**2"
    return [(f"{above} - {f}({to})", False)]


def _gradients(f: str, L: str, at: str, to: str, share: str = "1") -> Claims:
    turn = f"(grad({f}, {at}) - grad({f}, {to}))"
    return [(f"{share}*({L})**2*(({at}) - ({to}))**2 - {turn}**2", False)]


def _excess(f: str, L: str, at: str, low: str, share: str = "2") -> Claims:
    return [(f"{share}*({L})*({f}({at}) - ({low})) - grad({f}, {at})**2", False)]


TWO = {"f": "function", "L": "number", "at": "vector", "to": "vector"}
SCOPE = "{L}-smooth {f}"
RULES = (
    FactRule(
        "smooth",
        TWO,
        _upper,
        lambda **about: _upper(**about, share="1/4"),
        "{f} lies below its parabola of curvature {L} at {at}, seen from {to}",
        SCOPE,
        "Nesterov, Lectures on Convex Optimization (2018), Lemma 1.2.3",
    ),
    FactRule(
        "smooth gradients",
        TWO,
        _gradients,
        lambda **about: _gradients(**about, share="1/4"),
        "the gradient of {f} is {L}-Lipschitz between {at} and {to}",
        SCOPE,
        "Nesterov (2018), 1.2.2",
    ),
    FactRule(
        "smooth above its infimum",
        {"f": "function", "L": "number", "at": "vector", "low": "formula"},
        _excess,
        lambda **about: _excess(**about, share="1"),
        "the squared gradient of {f} at {at} is at most 2 {L} times its value above {low}",
        "{L}-smooth {f}, at least {low} everywhere",
        "Nesterov (2018), (1.2.13) for a step 1/L",
    ),
)
