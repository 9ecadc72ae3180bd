"""Records without sides: what a paper defines, and what it claims but cannot be checked here."""

from __future__ import annotations

from verify.claim.statement import Source, Statement

__all__ = ["described", "open_claim"]


def described(paper: str, key: str, kind: str, where: str, latex: str, title: str) -> Statement:
    """A definition, an algorithm or data: listed, nothing to decide.

    Parameters
    ----------
    paper, key : str
        Key of the paper, and of the record within it.
    kind : str
        definition, algorithm, data, ...
    where : str
        Place in the paper.
    latex, title : str
    """
    return open_claim(paper, key, kind, where, latex, title, f"{kind}: nothing to decide")


def open_claim(
    paper: str, key: str, kind: str, where: str, latex: str, title: str, missing: str
) -> Statement:
    """A claim that cannot be checked, with what is missing; parameters as above."""
    return Statement(
        key=f"{paper}.{key}", source=Source(paper, where), latex=latex, title=title, kind=kind,
        missing=missing,
    )  # fmt: skip
