"""Rules of a method and definitions: one entry in terms of others."""

from typing import Any

from verify.proof.entries import defined
from verify.proof.facts.rule import Claims, FactRule, both, nothing
from verify.proof.term import names_in

__all__ = ["RULES"]

RULES = tuple(
    FactRule(
        name,
        {"entry": "entry", "is_": "formula or vector"},
        nothing,
        nothing,
        words,
        scope,
        "definition",
        declares=lambda reader, entry, is_: defined(reader, entry, is_),
        twin_declares=lambda reader, entry, is_: defined(reader, entry, f"2*({is_})"),
    )
    for name, words, scope in (
        ("method", "{entry} = {is_}, by the method's rule", "{entry} = {is_}"),
        ("definition", "{entry} stands for {is_}", ""),
    )
)


def _average(reader: Any, called: str, of: str, weight: str, index: str, rounds: str) -> None:
    """Nothing changes in how formulas are read: the schema of averages looks for this fact."""
    name = called.partition("[")[0]
    about = reader.vectors[name][1]
    if not about["shared"] or about["known"] is not None or index in names_in(called):
        raise ValueError(f"{called} must be shared, and known at no moment")
    if not all(v.shared for v in reader.vector(of)):
        raise ValueError(f"{called} averages what clients do not share")
    if reader.sign(reader.scalar(f"Sum({weight}, ({index}, 0, {rounds} - 1))")) < 2:
        raise ValueError(f"the weights {weight} may have the sum zero")
    defined(reader, called, None)


def _spread(called: str, of: str, weight: str, index: str, rounds: str, share: str = "1") -> Claims:
    """What the mean square distance from an average is short of the mean square."""
    edge = f"({index}, 0, {rounds} - 1)"
    apart = f"Sum(({weight})*(({of}) - {called})**2, {edge})"
    whole = f"Sum(({weight})*({of})**2, {edge}) - {share}*Sum({weight}, {edge})*{called}**2"
    return both(f"{apart} - ({whole})")


RULES += (
    FactRule(
        "average",
        {
            "called": "vector",
            "of": "vector",
            "weight": "number",
            "index": "index",
            "rounds": "number",
        },
        _spread,
        lambda **about: _spread(**about, share="2"),
        "{called} is the average of {of} with weights {weight} over {index} < {rounds}",
        "",
        "definition",
        declares=_average,
        twin_declares=_average,
    ),
)
