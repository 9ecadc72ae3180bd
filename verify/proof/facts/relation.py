"""Conditions that hold in the mean, or are about sums: what `condition` may not speak of."""

from verify.proof.facts.rule import FactRule

__all__ = ["RULES"]

RULES = (
    FactRule(
        "relation",
        {"less": "formula", "more": "formula"},
        lambda less, more: [(f"({more}) - ({less})", False)],
        lambda less, more: [(f"({less}) - ({more})", True)],
        "{less} is at most {more}",
        "{less} <= {more}",
        "hypothesis",
    ),
)
