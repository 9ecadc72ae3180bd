"""The exponential function, of which an outline has values as numbers."""

from verify.proof.facts.rule import Claims, FactRule

__all__ = ["RULES"]


def _tangent(value: str, of: str, share: str = "1") -> Claims:
    return [(f"({value}) - (1 - {share}*({of}))", False)]


RULES = (
    FactRule(
        "exponential",
        {"value": "number", "of": "number"},
        _tangent,
        lambda **about: _tangent(**about, share="1/2"),
        "{value} is exp(-{of}), so at least 1 - {of}",
        "",
        "the tangent of a convex function",
    ),
)
