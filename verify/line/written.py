"""A line as a statement, and as the file that one would have written for it by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache

from bounds.numbers.validate import InvalidInput
from verify.claim.statement import Statement
from verify.line.grammar.refused import NotRead
from verify.line.made import Made
from verify.line.placed import Placed
from verify.line.record import file_text, record

__all__ = ["file_text", "module_text", "one_line", "record_text"]


@lru_cache(maxsize=64)
def one_line(line: str, key: str = "line.claim") -> Statement:
    """Statement of a claim in one line.

    Parameters
    ----------
    line : str
        ``CLAIM [for RANGES] [given HYPOTHESES]``: two sides with ``<=``, ``>=`` or ``==`` between
        them; ``x, y >= 0``, ``x in (0, 1]``, ``integer n in [1, 64]``, ``vectors u, v``; hypotheses
        with commas between them. Symbols without a range are real numbers, where there is no
        ``for``; else each symbol must stand there.
    key : str
        Key of the statement.

    Returns
    -------
    Statement

    Raises
    ------
    InvalidInput
        Where the line cannot be read, with the place and what to write instead.

    Examples
    --------
    >>> one_line("4*x*y <= (x+y)**2").family.about
    'real x, y'
    """
    with _refusing(line):
        return Made(line, key).statement()


def module_text(line: str, key: str = "line.claim") -> str:
    """The file that one would have written for a line by hand; parameters as :func:`one_line`."""
    with _refusing(line):
        return file_text(" ".join(line.split()), [record(Made(line, key))])


@contextmanager
def _refusing(line: str) -> Iterator[None]:
    """Inside the block a refusal proposes lines that are read, and a line may be too deep."""
    try:
        yield
    except NotRead as error:
        error.propose([one for said in error.proposals for one in _readable(said)])
        raise
    except (RecursionError, MemoryError) as error:  # of Python's own reader too
        raise InvalidInput(
            f"claim must be of fewer brackets within brackets, got {len(line)} characters: write "
            "it as a file, fedassay new NAME."
        ) from error


def _readable(line: str, deep: int = 3) -> list[str]:
    """A proposal that is read; in place of one that is not, what its own refusal proposes."""
    try:
        Made(line, "line.claim")
    except NotRead as error:
        return [] if deep == 0 else [one for x in error.proposals for one in _readable(x, deep - 1)]
    except (InvalidInput, RecursionError, MemoryError):
        return []
    return [line]


def record_text(
    line: str,
    key: str,
    name: str,
    *,
    where: str,
    latex: str,
    more: Mapping[str, str],
    placed: Placed | None = None,
) -> str:
    """The record of a line that stands in a paper.

    Parameters
    ----------
    line, key : str
        As for :func:`one_line`.
    name : str
        Of the function.
    where, latex : str
        Place, and the claim as it is printed there.
    more : mapping of str to str
        Further fields: kind, title, note.
    placed : Placed, optional
        Of a claim on all functions of a class: which symbols are what they say at its points.
    """
    return record(Made(line, key, name, where, latex, more, placed))
