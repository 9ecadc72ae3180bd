"""A run of a part goes into the ledger that is there: no line is lost in silence.

Lines that the run does not make anew stay, where they were made the same way: by the same version,
libraries, profile and seed.  Where they were not, the run is refused before it starts.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bounds.numbers.validate import InvalidInput, require
from verify.catalogue.json_files import read_json
from verify.catalogue.library import Library
from verify.ledger.ledger import SCHEMA

__all__ = ["MADE", "Earlier", "earlier"]

MADE = ("version", "environment", "seed", "profile")
"""Fields of a ledger that are one for all of its lines."""


@dataclass(frozen=True)
class Earlier:
    """The ledger that a run takes the place of.

    Parameters
    ----------
    lines : mapping
        Entries that the library still has, by key.
    gone : tuple of str
        Keys that it has no longer.
    alike : bool
        Whether its lines may stand beside new ones.
    complete : bool
        Whether it was made by runs that came to their end.
    """

    lines: Mapping[str, Mapping[str, Any]]
    gone: tuple[str, ...] = ()
    alike: bool = True
    complete: bool = True

    def kept(self, done: Collection[str]) -> dict[str, Mapping[str, Any]]:
        """Lines that stay beside these new ones."""
        return {key: line for key, line in self.lines.items() if key not in done}


NOTHING = Earlier({})


def earlier(path: Path, source: Library, made: Mapping[str, Any]) -> Earlier:
    """The ledger at a path, as far as it is about the same statements.

    Parameters
    ----------
    path : Path
    source : Library
    made : mapping
        The fields :data:`MADE` of the ledger to come.

    Raises
    ------
    InvalidInput
        If the file is no ledger, or one about other statements.
    """
    if not path.is_file() or not path.stat().st_size:
        return NOTHING
    try:
        stored = read_json(path, SCHEMA)
    except InvalidInput as error:
        raise InvalidInput(
            f"ledger must be a new file or an older ledger, got {path}, which holds something "
            f"else ({error}): name another file, or pass --fresh to replace it."
        ) from error
    known = {entry.key for entry in source}
    lines = {str(line["key"]): line for line in stored["entries"]}
    papers = {line["paper"] for line in lines.values()}
    require(
        not papers or not papers.isdisjoint(source.papers),
        "ledger",
        f"a new file or one about {', '.join(source.papers)}",
        f"{path} about {', '.join(sorted(papers))}",
        "name another file, or pass --fresh to replace it",
    )
    return Earlier(
        {key: line for key, line in lines.items() if key in known},
        tuple(key for key in lines if key not in known),
        all(stored[name] == made[name] for name in MADE),
        stored["complete"],
    )


def require_room(path: Path, found: Earlier, asked: Collection[str]) -> None:
    """Refuse a run of a part whose lines may not stand beside those that are there."""
    kept = found.kept(asked)
    require(
        found.alike or not kept,
        "ledger",
        "made with the same profile, seed, version and libraries to take a part of the entries",
        f"{path} with {len(kept)} other entries made otherwise",
        "name another file with -o, or pass --fresh to replace it",
    )
