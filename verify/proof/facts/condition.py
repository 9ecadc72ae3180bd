"""Conditions on numbers, and bounds on how far two vectors are apart."""

from verify.proof.facts.rule import Claims, FactRule

__all__ = ["RULES"]


def _apart(one: str, other: str, at_most: str, share: str = "1") -> Claims:
    return [(f"{share}*({at_most}) - (({one}) - ({other}))**2", False)]


def _longer(one: str, other: str, factor: str, share: str = "1") -> Claims:
    return [(f"{share}*({factor})*({other})**2 - ({one})**2", False)]


TWO = {"less": "number", "more": "number"}
RULES = (
    FactRule(
        "condition",
        TWO,
        lambda less, more: [(f"({more}) - ({less})", False)],
        lambda less, more: [(f"({less}) - ({more})", True)],
        "{less} is at most {more}",
        "{less} <= {more}",
        "hypothesis",
    ),
    FactRule(
        "strict condition",
        TWO,
        lambda less, more: [(f"({more}) - ({less})", True)],
        lambda less, more: [(f"({less}) - ({more})", False)],
        "{less} is below {more}",
        "{less} < {more}",
        "hypothesis",
    ),
    FactRule(
        "close",
        {"one": "vector", "other": "vector", "at_most": "number"},
        _apart,
        lambda one, other, at_most: [(_apart(one, other, at_most, share="1/2")[0][0], True)],
        "the mean square of {one} minus {other} is at most {at_most}",
        "|{one} - {other}|^2 at most {at_most}",
        "hypothesis",
    ),
    FactRule(
        "no longer",
        {"one": "vector", "other": "vector", "factor": "number"},
        _longer,
        lambda **about: _longer(**about, share="1/2"),
        "the mean square of {one} is at most {factor} times that of {other}",
        "|{one}|^2 at most {factor} times |{other}|^2",
        "hypothesis",
    ),
    FactRule(
        "square",
        {"of": "vector"},
        lambda of: [(f"({of})**2", False)],
        lambda of: [(f"-({of})**2", False)],
        "no square is negative, as that of {of}",
        "",
        "a square",
    ),
)
