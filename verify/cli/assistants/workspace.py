"""The folder of a server: what it writes there is named by its digest, and only that is read again.

A client may name files.  A LaTeX source, or a file of statements where these are allowed, must lie
inside the workspace; a link that leads out of it is refused.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bounds.numbers.validate import InvalidInput, require
from verify.catalogue.whole_files import write_whole

__all__ = ["FOLDER", "KINDS", "Workspace"]

FOLDER = "fedassay-answers"
"""Folder in the workspace into which all files go."""

KINDS = ("proof", "record", "table", "paper")
"""Proofs for the checker, the record of a check, words of several claims, results of a paper."""

_NAME = re.compile(rf"[0-9a-f]{{16}}\.({'|'.join(KINDS)})\.json")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")

LONGEST_NAME = 200
"""Characters of the name of a file."""


@dataclass(frozen=True)
class Workspace:
    """Where a server may read and write.

    Parameters
    ----------
    root : str
        The folder, resolved.
    """

    root: str

    @classmethod
    def of(cls, root: Path) -> Workspace:
        """A folder that is there and can be written to."""
        require(root.is_dir(), "workspace", "an existing folder", root, "make it first")
        made = cls(str(root.resolve()))
        made.home.mkdir(exist_ok=True)
        home = made.home.resolve()
        require(
            home == made.home and os.access(home, os.W_OK),
            "workspace",
            f"a folder in which {FOLDER} can be written",
            root,
            "name another",
        )
        return made

    @property
    def home(self) -> Path:
        """Where its files are."""
        return Path(self.root) / FOLDER

    def write(self, kind: str, content: Any) -> dict[str, str]:
        """Write plain data; the same data give the same name.

        Returns
        -------
        dict
            ``path`` relative to the workspace, and ``sha256`` of the file.
        """
        text = json.dumps(content, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
        digest = hashlib.sha256(text.encode("utf-8")).hexdigest()
        path = self.home / f"{digest[:16]}.{kind}.json"
        if not path.exists():
            write_whole(path, text)
        return {"path": f"{FOLDER}/{path.name}", "sha256": digest}

    def read(self, name: str) -> tuple[str, Any]:
        """Kind and content of a file that :meth:`write` made and nobody has changed since."""
        remedy = "pass the path of a proof or a record as an answer gave it"
        plain = name[len(FOLDER) + 1 :] if name.startswith(f"{FOLDER}/") else name
        found = _NAME.fullmatch(plain)
        if found is None:
            raise InvalidInput(
                f"file must be one that an answer named, got {name!r:.80}: {remedy}."
            )
        path = self.home / plain
        try:
            data = path.read_bytes()
        except OSError as error:
            raise InvalidInput(f"file must be there, got none called {plain}: {remedy}.") from error
        if hashlib.sha256(data).hexdigest()[:16] != plain[:16]:
            raise InvalidInput(
                f"file must be as it was written, got {plain} with other content: check the claim "
                "again, which writes it anew."
            )
        return found[1], json.loads(data)

    def inside(self, name: str, ending: str) -> Path:
        """A file of the user's own in the workspace, by a name that a client sent."""
        remedy = f"name a file NAME{ending} inside the workspace"
        shown = repr(name) if len(name) <= 80 else f"{name[:80]!r}..."
        sound = len(name) <= LONGEST_NAME and not _CONTROL.search(name) and name.endswith(ending)
        root = Path(self.root)
        path = (root / name).resolve() if sound else root
        if not sound or not path.is_relative_to(root) or not path.is_file():
            raise InvalidInput(f"file must lie in the workspace, got {shown}: {remedy}.")
        return path
