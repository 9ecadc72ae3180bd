"""What each verdict means to somebody who reads nothing else, and what it does not establish."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["MEANINGS", "SAMPLED", "Meaning"]


@dataclass(frozen=True)
class Meaning:
    """A verdict in a sentence.

    Parameters
    ----------
    conclusive : bool
        Whether it settles the claim as it was read.
    means : str
    leaves_open : str
        What nobody may read into it.
    """

    conclusive: bool
    means: str
    leaves_open: str


MEANINGS = {
    "proved": Meaning(
        True,
        "true for everything in its scope: a stand-alone checker accepted a certificate",
        "nothing outside the scope and the hypotheses; no best constant unless one is given here",
    ),
    "holds": Meaning(
        False,
        "no counterexample in what was searched, and false variants of the claim were caught",
        "NOT a proof: it may be false at an instance that was not tried or outside the scope",
    ),
    "violated": Meaning(
        True,
        "false as it was read: the instance below meets every hypothesis and breaks it",
        "that every version is false: a weaker claim or a further hypothesis may stand",
    ),
    "vacuous": Meaning(
        True,
        "says nothing: its hypotheses contradict each other, or the bound is a trivial one",
        "that the claim is wrong; with other hypotheses it may say something",
    ),
    "not-checkable": Meaning(
        False,
        "it names something that is not given; the reason says what",
        "neither that it is true nor that it is false",
    ),
    "inconclusive": Meaning(
        False,
        "neither proved nor broken; the reason says what would decide",
        "neither that it is true nor that it is false",
    ),
}

SAMPLED = (
    "false by samples: the instance meets every hypothesis, and fresh draws break the claim with "
    "an e-value of a million or more; its sides are estimates"
)
"""What ``violated`` means where no side has an exact value."""
