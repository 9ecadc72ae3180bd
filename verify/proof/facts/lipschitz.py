"""Lipschitz functions: bounded gradients."""

from verify.proof.facts.rule import Claims, FactRule

__all__ = ["RULES"]


def _bounded(f: str, G: str, at: str, share: str = "1") -> Claims:
    return [(f"{share}*({G})**2 - grad({f}, {at})**2", False)]


RULES = (
    FactRule(
        "Lipschitz",
        {"f": "function", "G": "number", "at": "vector"},
        _bounded,
        lambda **about: _bounded(**about, share="1/2"),
        "the gradient of {f} at {at} is no longer than {G}",
        "{G}-Lipschitz {f}",
        "Nesterov (2018), 3.2",
    ),
)
