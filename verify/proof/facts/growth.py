"""Growth from a minimiser: what strong convexity, or less, says of values and distances."""

from verify.proof.facts.rule import Claims, FactRule

__all__ = ["RULES"]


def _growth(f: str, mu: str, at: str, star: str, share: str = "1/2") -> Claims:
    return [(f"{f}({at}) - {f}({star}) - {share}*({mu})*(({at}) - ({star}))**2", False)]


RULES = (
    FactRule(
        "quadratic growth",
        {"f": "function", "mu": "number", "at": "vector", "star": "vector"},
        _growth,
        lambda **about: _growth(**about, share="1"),
        "{f} at {at} is above its value at the minimiser {star} by at least {mu}/2 of the squared "
        "distance",
        "{f} that grows from its minimiser {star} by {mu}/2 of the squared distance",
        "Nesterov (2018), Theorem 2.1.8",
    ),
)
