"""Mixing with neighbours: differences between clients shrink."""

from verify.proof.facts.rule import Claims, FactRule

__all__ = ["RULES"]


def _shrinks(mixing: str, rho: str, of: str, share: str = "1") -> Claims:
    after, before = f"(mix({mixing}, {of}) - avg({of}))", f"(({of}) - avg({of}))"
    return [(f"{share}*({rho})**2*{before}**2 - {after}**2", False)]


RULES = (
    FactRule(
        "mixing",
        {"mixing": "mixing", "rho": "number", "of": "vector"},
        _shrinks,
        lambda **about: _shrinks(**about, share="1/2"),
        "mixing by {mixing} keeps means and shrinks differences between clients by {rho}, as "
        "of {of}",
        "a doubly stochastic mixing {mixing} that shrinks differences by {rho}",
        "Nedic, Olshevsky, Shi (2017)",
    ),
)
