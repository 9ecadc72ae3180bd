"""One claim, or a few, put to the test from Python."""

from __future__ import annotations

from collections.abc import Iterable
from typing import overload

from bounds.numbers.validate import require
from verify.catalogue.library import unknown
from verify.claim.statement import Statement
from verify.ladder.assay import PROFILES, Leaf, assay

__all__ = ["check"]


@overload
def check(claim: Statement, *, profile: str = ..., seed: int = ..., device: str = ...) -> Leaf: ...
@overload
def check(
    claim: Iterable[Statement], *, profile: str = ..., seed: int = ..., device: str = ...
) -> list[Leaf]: ...
def check(
    claim: Statement | Iterable[Statement],
    *,
    profile: str = "quick",
    seed: int = 0,
    device: str = "cpu",
) -> Leaf | list[Leaf]:
    """Put a claim through the ladder, in this process.

    Parameters
    ----------
    claim : Statement, or several of them
    profile : {"quick", "default", "thorough"}
        Budget.
    seed : int
        Seed of the run; the same seed gives the same verdict.
    device : str
        Device of simulated runs.

    Returns
    -------
    Leaf or list of Leaf
        Verdict with everything that it rests on; prints as one or two lines.

    Raises
    ------
    InvalidInput
        If the profile is unknown, or a side or hypothesis returns something unusable.

    Examples
    --------
    >>> from verify import Hypothesis, Real, check, numbers, statement
    >>> @statement(
    ...     "mine.mean", where="Lemma 1", latex=r"5xy \\le (x+y)^2",
    ...     family=numbers({"x": Real(0, 10), "y": Real(0, 10)}),
    ...     given=[Hypothesis("x is at least 1", r"x \\ge 1", lambda w: w.x - 1)],
    ... )
    ... def mean(w):
    ...     return {"product": 5 * w.x * w.y}, {"square": (w.x + w.y) ** 2}
    >>> print(check(mean).reason)
    an instance breaks the claim: left 5, right 4 in rational arithmetic
    """
    if profile not in PROFILES:
        raise unknown("profile", profile, PROFILES)
    if isinstance(claim, Statement):
        return assay(claim, profile=PROFILES[profile], seed=seed, device=device)
    claims = list(claim)
    for item in claims:
        require(
            isinstance(item, Statement), "claim", "a Statement, or several", item,
            "decorate the function of its sides with @statement(...)",
        )  # fmt: skip
    return [assay(item, profile=PROFILES[profile], seed=seed, device=device) for item in claims]
