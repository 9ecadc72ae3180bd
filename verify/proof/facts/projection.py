"""Projections onto a convex set."""

from verify.proof.facts.rule import Claims, FactRule

__all__ = ["RULES"]


def _closer(at: str, of: str, inside: str, share: str = "1") -> Claims:
    before, after = f"(({of}) - ({inside}))**2", f"(({at}) - ({inside}))**2"
    return [(f"{before} - {after} - {share}*(({at}) - ({of}))**2", False)]


RULES = (
    FactRule(
        "projection",
        {"at": "vector", "of": "vector", "inside": "vector"},
        _closer,
        lambda **about: _closer(**about, share="2"),
        "{at} is the projection of {of} onto a convex set that holds {inside}",
        "projections onto a convex set",
        "Bauschke, Combettes (2017), Theorem 3.16",
    ),
)
