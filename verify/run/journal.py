"""What a run under way has found, one line each, so that a killed run goes on where it was.

The journal lies beside the ledger under its name and ``.part``.  Its first line says how the run is
made; every further line is one finished leaf with its witness.  A line is written at once, and half
a line at the end (a kill in the middle of a write) is dropped.  The open file is locked, so that
two runs cannot write one ledger; the lock goes with the process, however that ends.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from bounds.numbers.validate import InvalidInput, require
from verify.catalogue.json_files import foreign
from verify.ledger.ledger import Finding
from verify.limits.files import whole_bytes

SCHEMA = "fedassay-part/1"

__all__ = ["Journal", "part_path", "unfinished_keys"]


class Journal:
    """Findings of a run, kept as they come.

    Parameters
    ----------
    path : Path
        File of the journal, see :func:`part_path`.
    head : mapping
        What findings must have in common to stand in one ledger, and ``keys``: the entries that
        were asked for.
    resume : bool
        Go on with an unfinished run.
    fresh : bool
        Give an unfinished run up.

    Attributes
    ----------
    findings : dict
        By leaf; at first those of the unfinished run.

    Raises
    ------
    InvalidInput
        If another run holds the journal, an unfinished run would be lost, or there is none to go
        on with.
    """

    def __init__(
        self, path: Path, head: Mapping[str, Any], *, resume: bool = False, fresh: bool = False
    ) -> None:
        self.path = path
        self.findings: dict[str, Finding] = {}
        there = path.exists()
        if resume:
            _require_there(path)
        self._file = _locked(path)
        try:
            stored, found, whole = _read(path)
            if resume:
                _require_same(stored, head)
                self.findings = found
            elif found and not fresh:
                _require_outdated(path, stored, head, len(found))
            self._file.truncate(whole if resume else 0)
            self._file.seek(0, os.SEEK_END)
            self._write(head)
        except BaseException:
            self._close(lost=not there)
            raise

    def add(self, finding: Finding) -> None:
        """Keep one more finding."""
        self.findings[finding.key] = finding
        kept = {} if finding.kept is None else {"kept": finding.kept}
        record = {"leaf": finding.leaf, "witness": finding.witness, "seconds": finding.seconds}
        self._write({**record, **kept})

    def done(self) -> None:
        """Remove the journal: the ledger holds all of it."""
        self.findings = {}

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._close(lost=not self.findings)

    def _close(self, lost: bool) -> None:
        """Let go of the file, which is removed first where it holds nothing."""
        if lost:
            self.path.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            self._file.close()

    def _write(self, record: Mapping[str, Any]) -> None:
        try:
            line = json.dumps(record, allow_nan=False) + "\n"
            self._file.write(line.encode())
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise InvalidInput(
                f"unfinished run must be writable, got {self.path} ({error.strerror}): make room, "
                "then --resume goes on."
            ) from error


def part_path(ledger: Path) -> Path:
    """File of the journal of a ledger."""
    return ledger.with_name(f"{ledger.name}.part")


def unfinished_keys(path: Path) -> tuple[str, ...]:
    """Entries that the unfinished run in a journal was asked for."""
    _require_there(path)
    return tuple(str(key) for key in _read(path)[0].get("keys", ()))


def _require_there(path: Path) -> None:
    require(
        path.is_file(),
        "--resume",
        "about an unfinished run",
        f"no {path.name} beside the ledger",
        "leave --resume out to start one",
    )


def _read(path: Path) -> tuple[dict[str, Any], dict[str, Finding], int]:
    """Head, findings, and the length in bytes of the lines that are whole."""
    head: dict[str, Any] = {}
    found: dict[str, Finding] = {}
    whole = 0
    raw_lines = whole_bytes(path, "unfinished run", "remove it").splitlines(keepends=True)
    for line in raw_lines:
        try:
            raw = json.loads(line)
        except (ValueError, RecursionError):
            break
        if not line.endswith(b"\n"):
            break
        with foreign("unfinished run", path):
            if not whole or "schema" in raw:
                head = _head(raw, path)
            else:
                seconds, kept = float(raw["seconds"]), raw.get("kept")
                one = Finding(dict(raw["leaf"]), raw["witness"], seconds, kept)
                found[str(one.leaf["id"])] = one
        whole += len(line)
    require(
        whole > 0 or not path.stat().st_size,
        "unfinished run",
        f"a {SCHEMA} file",
        path,
        "move that file away",
    )
    with foreign("unfinished run", path):
        finished = {key: one for key, one in found.items() if not _stopped(one)}
    return head, finished, whole


def _head(raw: Any, path: Path) -> dict[str, Any]:
    good = isinstance(raw, dict) and raw.get("schema") == SCHEMA
    good = good and isinstance(raw.get("keys"), list)
    require(good, "unfinished run", f"a {SCHEMA} file", path, "move that file away")
    return dict(raw)


def _stopped(finding: Finding) -> bool:
    """Whether a time limit, a kill or an error ended the work: it is then tried again."""
    return any(item["status"] == "stopped" for item in finding.leaf["evidence"])


def _require_same(stored: Mapping[str, Any], head: Mapping[str, Any]) -> None:
    """Refuse to mix findings of two settings or two states of the code."""
    for name, value in head.items():
        if name == "keys":
            continue
        was, remedy = stored.get(name), f"run with the same {name}, or pass --fresh to start anew"
        if name in ("code", "file"):
            require(
                was == value,
                name,
                "as it was when the run began",
                "other content",
                "restore it, or pass --fresh to start anew",
            )
        require(was == value, name, f"that of the unfinished run, {was}", value, remedy)


def _require_outdated(
    path: Path, stored: Mapping[str, Any], head: Mapping[str, Any], count: int
) -> None:
    """Refuse to give up an unfinished run that could go on."""
    current = all(stored.get(name) == head.get(name) for name in ("code", "file"))
    require(
        not current,
        "ledger",
        "free of an unfinished run",
        f"{path} with {count} finished leaves (profile {stored.get('profile')}, seed "
        f"{stored.get('seed')})",
        "pass --resume to go on with it, --fresh to give it up, or name another file with -o",
    )


def _locked(path: Path) -> IO[bytes]:
    """The journal, open and ours alone; where the system has no such locks, open only."""
    try:
        import fcntl
    except ImportError:
        return path.open("ab+")
    while True:
        file = path.open("ab+")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            file.close()
            raise InvalidInput(
                f"ledger must be free, got {path}, which another run is writing: wait until it "
                "has ended, or name another file with -o."
            ) from error
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(file.fileno()), path.stat()):
                return file
        file.close()  # it was removed while we waited for it: it is nobody's any more
