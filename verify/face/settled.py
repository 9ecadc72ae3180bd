"""A check for a test suite: it must not fail by chance, however often it is run."""

from __future__ import annotations

from bounds.numbers.validate import require
from verify.claim.instance import Instance
from verify.claim.statement import Statement
from verify.face.check import check
from verify.face.result import Result
from verify.verdict.relation import ACCUSE
from verify.world import sampled
from verify.world.noise_plan import Samples

__all__ = ["ALPHA", "settled"]

ALPHA = 1e-9
"""Largest probability with which a true claim may be accused."""

DOUBTS = 3
"""Seeds that are tried where an accusation by samples did not come true."""
MORE = 8
"""Further samples of one accusation."""


def settled(
    statement: Statement, *, profile: str = "quick", seed: int = 0, alpha: float = ALPHA
) -> Result:
    """Check a claim; an accusation by samples must reach the level 1/alpha on fresh noise.

    Exact numbers and certificates decide as ever: they cannot flake. An accusation by samples comes
    with an e-value; e-values on independent noise multiply, and under a true claim their product
    exceeds 1/alpha with probability alpha at most, whenever one looks.

    Parameters
    ----------
    statement : Statement
    profile : {"quick", "default", "thorough"}
    seed : int
    alpha : float
        In (0, 1e-6].

    Returns
    -------
    Result
    """
    require(0 < alpha <= 1 / ACCUSE, "alpha", f"in (0, {1 / ACCUSE:g}]", alpha, "lower it")
    found = check(statement, profile=profile, seed=seed)
    for doubt in range(1, DOUBTS):
        if not _by_samples(found) or _certain(statement, found, alpha):
            break
        found = check(statement, profile=profile, seed=seed + doubt)
    return found


def _by_samples(found: Result) -> bool:
    return (
        found.verdict == "violated"
        and found.witness is not None
        and found.witness["number"] == "simulated"
    )


def _certain(statement: Statement, found: Result, alpha: float) -> bool:
    """Whether an accusation by samples holds at level alpha, with more noise if need be."""
    witness = found.witness
    assert witness is not None
    instance = Instance.from_json(witness["instance"])
    total, key = float(witness["e_value"]), int(witness["noise_key"])
    for k in range(1, MORE + 1):
        if total >= 1 / alpha or total < 1:
            break
        fresh = Samples((key + k) % 2**64, int(witness.get("replicates", 20_000)))
        again = sampled.evaluate(statement, instance, fresh)
        total *= again["e_value"] if again["assumed"] else 0.0
    return total >= 1 / alpha
