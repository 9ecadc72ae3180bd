"""Noise: mean zero given the past, variance absolute and relative, independent clients."""

from typing import Any

from verify.proof.entries import declared
from verify.proof.facts.rule import Claims, FactRule, both, nothing
from verify.proof.term import parsed

__all__ = ["RULES"]


def _unbiased(reader: Any, noise: str, given: str) -> None:
    """Let its products with what was known at that moment vanish."""
    name, letters = declared(noise)
    if name not in reader.vectors or name in reader.definitions or name in reader.unbiased:
        raise ValueError(f"{noise} is defined or unbiased already")
    reader.unbiased[name] = (letters, parsed(given))


def _variance(noise: str, sigma2: str, share: str = "1") -> Claims:
    return [(f"{share}*({sigma2}) - ({noise})**2", False)]


def _relative(noise: str, sigma2: str, factor: str, slope: str, share: str = "1") -> Claims:
    return [(f"{share}*(({sigma2}) + ({factor})*({slope})**2) - ({noise})**2", False)]


def _independent(noise: str, clients: str, power: str = "1") -> Claims:
    return both(f"avg({noise})**2 - ({noise})**2/({clients})**{power}")


def _weighted(noise: str, largest: str, share: str = "1") -> Claims:
    return [(f"{share}*({largest})*({noise})**2 - avg({noise})**2", False)]


RULES = (
    FactRule(
        "unbiased",
        {"noise": "pattern", "given": "moment"},
        nothing,
        nothing,
        "{noise} has mean zero given all that is known at {given}",
        "unbiased noise",
        "definition",
        declares=_unbiased,
        twin_declares=lambda reader, noise, given: _unbiased(reader, noise, f"{given} + 1"),
    ),
    FactRule(
        "variance",
        {"noise": "vector", "sigma2": "number"},
        _variance,
        lambda **about: _variance(**about, share="1/2"),
        "the mean square of {noise} is at most {sigma2}",
        "noise of variance at most {sigma2}",
        "definition",
    ),
    FactRule(
        "relative variance",
        {"noise": "vector", "sigma2": "number", "factor": "number", "slope": "vector"},
        _relative,
        lambda **about: _relative(**about, share="1/2"),
        "the mean square of {noise} is at most {sigma2} plus {factor} times that of {slope}",
        "noise of variance at most {sigma2} plus {factor} times the squared gradient",
        "Bottou, Curtis, Nocedal (2018), Assumption 4.3",
    ),
    FactRule(
        "independent clients",
        {"noise": "noise", "clients": "clients"},
        _independent,
        lambda **about: _independent(**about, power="2"),
        "the noises {noise} of the {clients} clients, of equal weight, are uncorrelated",
        "noises independent across clients",
        "variance of a sum of uncorrelated terms",
    ),
    FactRule(
        "independent clients of unequal weight",
        {"noise": "noise", "largest": "number"},
        _weighted,
        lambda **about: _weighted(**about, share="1/2"),
        "the noises {noise} of clients are uncorrelated, and no weight exceeds {largest}",
        "noises independent across clients, no weight above {largest}",
        "variance of a sum of uncorrelated terms",
    ),
)
