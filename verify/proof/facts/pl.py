"""The Polyak-Lojasiewicz inequality: gradients grow with the loss above its infimum."""

from verify.proof.facts.rule import Claims, FactRule

__all__ = ["RULES"]


def _pl(f: str, mu: str, at: str, low: str, share: str = "2") -> Claims:
    return [(f"grad({f}, {at})**2 - {share}*({mu})*({f}({at}) - ({low}))", False)]


RULES = (
    FactRule(
        "PL",
        {"f": "function", "mu": "number", "at": "vector", "low": "formula"},
        _pl,
        lambda **about: _pl(**about, share="4"),
        "the squared gradient of {f} at {at} is at least 2 {mu} times its value above {low}",
        "{f} with the PL inequality for {mu} above {low}",
        "Polyak (1963)",
    ),
)
