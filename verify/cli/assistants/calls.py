"""What travels between the server and a child: one call, and the refusal of one."""

from __future__ import annotations

from dataclasses import dataclass

from verify.cli.assistants.workspace import Workspace

__all__ = ["Call", "Refusal"]


@dataclass(frozen=True)
class Call:
    """One call of a tool.

    Parameters
    ----------
    tool : str
        One of those that ``work`` knows.
    text : str
        What was sent: a claim, a source, words, the name of a file.
    workspace : Workspace
    files : bool
        Whether files of statements may be run.
    seconds : float
        Of processor time.
    part : int
        Which part of a long answer, counted from 1.
    short : bool
        Whether the word alone is asked for, as a row of a table.
    """

    tool: str
    text: str
    workspace: Workspace
    files: bool
    seconds: float
    part: int = 1
    short: bool = False


@dataclass(frozen=True)
class Refusal:
    """What was sent cannot be taken: why, the place, and what to write."""

    reason: str
    marked: str = ""
