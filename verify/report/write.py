"""From the files that a user names to the page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from verify.catalogue.json_files import foreign, read_json
from verify.catalogue.library import library
from verify.catalogue.whole_files import require_ours, require_writable, write_whole
from verify.ledger.audit import audit
from verify.ledger.ledger import SCHEMA
from verify.report.entries import decides
from verify.report.figures import find_figures
from verify.report.model import build
from verify.report.page import render
from verify.report.witness import Witnesses

Observe = Callable[[int, int, str], None]
"""Told how many steps are done, of how many, and what the last one was about."""


@dataclass(frozen=True)
class WrittenReport:
    """What was written.

    Parameters
    ----------
    path : Path
    size : int
        Bytes.
    entries, figures : int
        How many are in the page.
    unknown : tuple of str
        Keys that neither the library nor the ledger describes; they have no mathematics.
    contradictions : tuple of str
        Where the ledger says something else than its own evidence; the page says so at its top.
    """

    path: Path
    size: int
    entries: int
    figures: int
    unknown: tuple[str, ...]
    contradictions: tuple[str, ...] = ()


def report(
    ledger: Path,
    output: Path,
    figures: Path | None = None,
    observe: Observe | None = None,
    *,
    force: bool = False,
) -> WrittenReport:
    """Write the page of a ledger.

    Parameters
    ----------
    ledger : Path
        File that ``fedassay run`` or ``check`` wrote; its witnesses are looked up beside it.
    output : Path
    figures : Path, optional
        Folder with SVG or PNG files.
    observe : callable, optional
        Told how many steps are done, of how many, and what the last one was about.
    force : bool
        Whether a file that is no such page may be replaced.

    Returns
    -------
    WrittenReport

    Raises
    ------
    InvalidInput
        If a file or folder is not what it must be.
    """
    pictures = find_figures(figures) if figures is not None else ()
    require_writable("output", output, [ledger])
    require_ours(output, ['content="fedassay '], force)
    content = read_json(ledger, SCHEMA)
    total, names = 2 * len(content["entries"]), count(1)  # each entry is audited, then written

    def step(key: str) -> None:
        if observe is not None:
            observe(next(names), total, key)

    with foreign("ledger", ledger):
        known = library()
        model = build(content, known)
        witnesses = Witnesses(ledger.parent, known)
        deciding = [x for item in model.items for x in item.leaves if decides(item, x)]
        with witnesses.ahead(deciding):
            found = audit(ledger, proofs=False, observe=step, content=content)
            contradictions = tuple(map(str, found.flaws))
            page = render(model, witnesses, pictures, contradictions, step)
    write_whole(output, page)
    unknown = tuple(item.key for item in model.items if not item.told)
    return WrittenReport(
        output,
        len(page.encode("utf-8")),
        len(model.items),
        len(pictures),
        unknown,
        contradictions,
    )
