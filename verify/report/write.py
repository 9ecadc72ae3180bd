"""From the files that a user names to the page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from verify.catalogue.json_files import foreign, read_json
from verify.catalogue.library import Library, library
from verify.catalogue.user_file import Origin, load_statements
from verify.catalogue.whole_files import require_writable, write_whole
from verify.ledger.audit import audit
from verify.ledger.ledger import SCHEMA
from verify.report.figures import find_figures
from verify.report.model import build
from verify.report.page import render


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
        Keys that neither the library nor the user's file holds; they have no mathematics.
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
    ledger: Path, output: Path, figures: Path | None = None, statements: Path | None = None
) -> WrittenReport:
    """Write the page of a ledger.

    Parameters
    ----------
    ledger : Path
        File that ``fedassay run`` or ``check`` wrote; its witnesses are looked up beside it.
    output : Path
    figures : Path, optional
        Folder with SVG or PNG files.
    statements : Path, optional
        User's file of the statements in the ledger; it is run.

    Returns
    -------
    Written

    Raises
    ------
    InvalidInput
        If a file or folder is not what it must be.
    """
    content = read_json(ledger, SCHEMA)
    pictures = find_figures(figures) if figures is not None else ()
    inputs = [ledger] if statements is None else [ledger, statements]
    require_writable("output", output, inputs)
    known: list[Library] = [library()]
    if statements is not None:
        known.insert(0, load_statements(Origin.of(statements)))
    with foreign("ledger", ledger):
        model = build(content, known, statements is not None)
        contradictions = tuple(map(str, audit(ledger, proofs=False).flaws))
        page = render(model, ledger.parent, pictures, contradictions)
    write_whole(output, page)
    unknown = tuple(item.key for item in model.items if item.entry is None)
    return WrittenReport(
        output,
        len(page.encode("utf-8")),
        len(model.items),
        len(pictures),
        unknown,
        contradictions,
    )
