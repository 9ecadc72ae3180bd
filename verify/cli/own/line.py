"""A claim in one line on the command line: it becomes a file of its own, like any other."""

from __future__ import annotations

import ast
import hashlib
import re
from itertools import count
from pathlib import Path

from bounds.numbers.validate import InvalidInput, require
from verify.line import module_text, one_line
from verify.line.papers.stubs import Stubs, stubs

__all__ = ["claim_file", "paper_file", "proved", "source_text"]

PATIENCE = 10.0
"""Seconds for the proof of a claim whose words leave open whether a letter is a whole number."""

_RELATION = re.compile(r"[<>=≤≥⩽⩾]|\\(?:le|ge)")


def claim_file(text: str) -> Path:
    """The file to check: the one that is named, or one written for a claim in one line.

    Parameters
    ----------
    text : str
        Name of a file, or a claim such as ``5*x*y <= (x+y)**2 for x, y >= 0``.

    Returns
    -------
    Path
        Of a claim: ``claim.py`` in the working directory, or ``claim_2.py``, ... where that file
        has been written or changed by hand.

    Raises
    ------
    InvalidInput
        Where the claim cannot be read, with the place and what to write instead.
    """
    if text.endswith(".py") or not _RELATION.search(text) or _is_there(text):
        return Path(text)
    made = module_text(text)
    names = (Path("claim.py" if k == 1 else f"claim_{k}.py") for k in count(1))
    path = next(path for path in names if not path.exists() or _is_ours(path))
    path.write_text(made, encoding="utf-8")
    return path


def source_text(source: Path) -> str:
    """The text of a LaTeX source.

    Raises
    ------
    InvalidInput
        If it is no file, or no text.
    """
    require(source.is_file(), "source", "an existing .tex file", source, "check its name")
    try:
        return source.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"source must be text in UTF-8, got {source} with {error.reason}: convert it."
        ) from error


def paper_file(source: Path) -> tuple[Path, Stubs]:
    """The file of a paper's records, written in the working directory, and its records.

    Parameters
    ----------
    source : Path
        A LaTeX source.

    Returns
    -------
    tuple
        ``paper.py`` of ``paper.tex``, or ``paper_2.py``, ... where that file has been changed by
        hand or is another's; and what stands in it.
    """
    name = re.sub(r"\W", "_", source.stem)
    name = name if name.isidentifier() else f"paper_{name}"
    made = stubs(source_text(source), name, source.name, proved)
    names = (Path(f"{name}{'' if k == 1 else f'_{k}'}.py") for k in count(1))
    path = next(path for path in names if not path.exists() or _is_unchanged(path))
    path.write_text(f"{made.text}{_seal(made.text)}", encoding="utf-8")
    return path, made


def proved(line: str) -> bool:
    """Whether a line has a proof that is found in a short time."""
    from verify.ladder import Proofs
    from verify.limits.clock import OutOfTime, at_most

    try:
        with at_most(PATIENCE):
            return bool(Proofs(one_line(line)).documents)
    except (InvalidInput, OutOfTime):
        return False


def _seal(text: str) -> str:
    """A last line by which a file is known that nobody has changed."""
    return f"\n# written by fedassay check, {hashlib.sha256(text.encode()).hexdigest()[:16]}\n"


def _is_unchanged(path: Path) -> bool:
    """Whether a file is as a paper's source once gave it."""
    try:
        text, mark, rest = path.read_text(encoding="utf-8").rpartition("\n# written by ")
    except (OSError, ValueError):
        return False
    return bool(mark) and _seal(text) == f"{mark}{rest}"


def _is_there(text: str) -> bool:
    """Whether a file has this name; a line may be longer than any name."""
    try:
        return Path(text).exists()
    except (OSError, ValueError):
        return False


def _is_ours(path: Path) -> bool:
    """Whether a file is what a line gave, unchanged: it can be made again from its first line."""
    try:
        written = path.read_text(encoding="utf-8")
        line = ast.get_docstring(ast.parse(written), clean=False)
        return line is not None and module_text(line) == written
    except (OSError, ValueError, SyntaxError, InvalidInput):
        return False
