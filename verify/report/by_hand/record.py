"""The record of a hand computation, from which terminal, notebook, page and LaTeX are made."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Page", "Part", "Row"]


@dataclass(frozen=True)
class Row:
    """One line: mathematics in TeX, then words; either may be empty."""

    tex: str
    words: str = ""


@dataclass(frozen=True)
class Part:
    """Lines under a heading."""

    heading: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Page:
    """A witness by hand.

    Parameters
    ----------
    title, place, claim : str
        What is claimed and where; the claim in TeX.
    compared : str
        What is compared of both sides, in words.
    readings : tuple of str
        What the words of open places are taken to mean.
    parts : tuple of Part
        Federation, method, numbers, rounds, hypotheses, both sides.
    conclusion : Row
        Both sides with the sign between them, and what follows.
    mechanism : str
        What makes the sides part on this instance, computed from it.
    remark : str
        What the statement says for every instance, its reading and its setting.
    """

    title: str
    place: str
    claim: str
    compared: str
    readings: tuple[str, ...]
    parts: tuple[Part, ...]
    conclusion: Row
    mechanism: str
    remark: str = ""
