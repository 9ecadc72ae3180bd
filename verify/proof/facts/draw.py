"""A draw of clients: the mean of those that are drawn is unbiased, with a known covariance."""

from functools import partial
from typing import Any

from verify.proof.entries import declared
from verify.proof.facts.rule import Claims, FactRule, both, nothing

__all__ = ["RULES"]


def _without(reader: Any, draw: str, size: str, clients: str, share: str = "1") -> None:
    _spread(reader, draw, f"{share}*(({clients}) - ({size}))/(({size})*(({clients}) - 1))")


def _with(reader: Any, draw: str, size: str, share: str = "1") -> None:
    _spread(reader, draw, f"{share}/({size})")


def _spread(reader: Any, draw: str, share: str) -> None:
    """Covariance of two drawn means as a share of that over all clients."""
    name, _ = declared(draw)
    if name in reader.spread:
        raise ValueError(f"{draw} is drawn already")
    reader.spread[name] = share


def _taking_part(reader: Any, draw: str, **about: str) -> None:
    """Refuse where what clients have then may depend on who takes part."""
    name, _ = declared(draw)
    given = reader.scalar(reader.draws[name][1]["given"])
    for text in (about["then"], about["else_"], about["to"]):
        if not reader.before(reader.known(reader.vector(text)), given):
            raise ValueError(f"{text} may depend on the draw {draw}")


def _replaced(
    share: str, after: str, then: str, else_: str, to: str, part: str = "1", **_: str
) -> Claims:
    drawn = f"{part}*({share})*(({then}) - ({to}))**2"
    others = f"(1 - ({share}))*(({else_}) - ({to}))**2"
    return both(f"{drawn} + {others} - (({after}) - ({to}))**2")


RULES = (
    FactRule(
        "taking part",
        {
            "draw": "draw",
            "share": "number",
            "after": "vector",
            "then": "vector",
            "else_": "vector",
            "to": "vector",
        },
        _replaced,
        lambda **about: _replaced(**about, part="1/2"),
        "{after} is {then} for the share {share} of clients in {draw}, and {else_} for the others",
        "each client drawn with the same chance {share}",
        "law of total expectation",
        declares=_taking_part,
        twin_declares=_taking_part,
    ),
    FactRule(
        "drawn without replacement",
        {"draw": "draw", "size": "number", "clients": "clients"},
        nothing,
        nothing,
        "{draw} is a set of {size} of the {clients} clients, drawn evenly and independently of all "
        "that is known then",
        "{size} of {clients} clients drawn without replacement",
        "Cochran, Sampling Techniques (1977), Theorem 2.2",
        declares=_without,
        twin_declares=partial(_without, share="1/2"),
    ),
    FactRule(
        "drawn with replacement",
        {"draw": "draw", "size": "number"},
        nothing,
        nothing,
        "{draw} is a list of {size} clients, each drawn by the weights, independently of each "
        "other and of all that is known then",
        "{size} clients drawn with replacement, by their weights",
        "variance of a mean of independent terms",
        declares=_with,
        twin_declares=partial(_with, share="1/2"),
    ),
)
