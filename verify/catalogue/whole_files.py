"""Output files: written whole or not at all, and never in place of what is not theirs.

A symlink stays a symlink: the file that it leads to is replaced.  Devices, pipes and folders are
refused before any work is done, and so is the file that the command reads.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

from bounds.numbers.validate import InvalidInput, require

__all__ = ["require_ours", "require_writable", "resolved", "write_whole"]


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file so that a reader finds either the old or the new content, never a piece.

    Raises
    ------
    InvalidInput
        If it cannot be written; the sentence names the file, which is as it was.
    """
    goal = _goal("output", path)
    beside = goal.with_name(f".{goal.name}.{os.getpid()}.tmp")
    try:
        goal.parent.mkdir(parents=True, exist_ok=True)
        # half a surrogate pair is no UTF-8; its escape is what JSON writes for it
        raw = content.encode(errors="backslashreplace") if isinstance(content, str) else content
        with beside.open("wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())  # a full disk is told before the old file is gone
        if goal.exists():
            beside.chmod(goal.stat().st_mode & 0o777)
        os.replace(beside, goal)
    except OSError as error:
        raise InvalidInput(
            f"output must be writable, got {path} ({error.strerror}), which is as it was: "
            "make room, or name a file in a folder that you may write to."
        ) from error
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)


def require_writable(name: str, path: Path, inputs: Iterable[Path] = ()) -> None:
    """Raise before any work is done if a file could not be written.

    Parameters
    ----------
    name : str
        What the sentence calls it.
    path : Path
    inputs : iterable of Path
        Files that the command reads: none of them may be replaced.
    """
    remedy = "name a file in a folder that you may write to"
    goal = _goal(name, path)
    for read in inputs:
        same = goal == resolved(read) or (goal.exists() and read.exists() and goal.samefile(read))
        require(not same, name, "another file than the input", path, "choose another name")
    probe = goal.with_name(f".{goal.name}.{os.getpid()}.probe")
    try:
        goal.parent.mkdir(parents=True, exist_ok=True)
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise InvalidInput(
            f"{name} must be writable, got {path} ({error.strerror}): {remedy}."
        ) from error


def require_ours(path: Path, marks: Iterable[str], force: bool = False) -> None:
    """Raise before any work is done if a file is there that the command did not make.

    Parameters
    ----------
    path : Path
    marks : iterable of str
        What stands in every file that the command writes; all of it must stand in the old one.
    force : bool
        Whether the user has said that it may be replaced.
    """
    goal = _goal("output", path)
    if force or not goal.exists() or not goal.stat().st_size:
        return
    try:
        text = goal.read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = ""
    require(
        all(mark in text for mark in marks),
        "output",
        "a new file or one that this command wrote",
        f"{path}, which holds something else",
        "name another file, or pass --force to replace it",
    )


def _goal(name: str, path: Path) -> Path:
    """The regular file, there or not, that a path leads to."""
    remedy = "name a file in a folder that you may write to"
    goal = resolved(path)
    try:
        require(not goal.is_dir(), name, "a file", f"the folder {path}", remedy)
        regular = goal.is_file() or not goal.exists()
    except OSError as error:
        raise InvalidInput(
            f"{name} must be a usable name, got {path} ({error.strerror}): {remedy}."
        ) from error
    require(regular, name, "a regular file", f"{path}, which is a device or a pipe", remedy)
    return goal


def resolved(path: Path) -> Path:
    """Where a path leads; :class:`InvalidInput` for a name that no file can have."""
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError) as error:
        what = "a loop of symlinks" if isinstance(error, RuntimeError) else str(error)
        raise InvalidInput(
            f"file must have a usable name, got {path} ({what}): check it."
        ) from error
