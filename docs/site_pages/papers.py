"""One page per paper: its main results in a table, then every statement in mathematics.

The words are not written by hand: they are those of the ledger that the tests compare every run
with, or of the file that the environment variable ``FEDASSAY_EXPECTED`` names.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from site_pages.files import write_text
from site_pages.paper_summary import summary
from site_pages.roles import ROLES, WORDS, plain
from verify.catalogue.json_files import read_json
from verify.catalogue.library import Entry, library
from verify.catalogue.paper import paper_title
from verify.catalogue.worlds import WORLD
from verify.claim.statement import Statement
from verify.ledger.conclude import STANDS
from verify.ledger.expected import SCHEMA


def write(folder: Path, expected: Path) -> list[Path]:
    """Write the pages of all papers and their table of contents.

    Parameters
    ----------
    folder : Path
    expected : Path
        An expected ledger, as ``fedassay diff EXPECTED LEDGER --accept`` writes it.

    Returns
    -------
    list of Path
    """
    source = Path(os.environ.get("FEDASSAY_EXPECTED", expected))
    ledger = read_json(source, SCHEMA)
    keys = library().papers
    lines = [
        "Papers",
        "======",
        "",
        "Every assumption, lemma, theorem row, corollary and checkable proof step, with its word "
        f"at the profile ``{ledger['profile']}``. ``fedassay run`` computes them anew. Counted are "
        "the claims as printed, in the literal reading; then the repaired, refined and other "
        "forms beside them. What our own problems were asked about assumptions and data is no "
        "claim: its keys begin with ``world.``, and it stands in a column of its own.",
        "",
        ".. list-table::",
        "   :header-rows: 1",
        "",
        "   * - paper",
        "     - claims as printed",
        *(f"     - {word}" for word in WORDS),
        "     - other forms that stand",
        "     - our own problems meet",
    ]
    for key in keys:
        claims = [e for e in _entries(key) if e.kind != WORLD]
        printed = [_word(ledger, e) for e in claims if e.form == "printed"]
        others = [_word(ledger, e) for e in claims if e.form != "printed"]
        count = Counter(word for word in printed if word)
        standing = sum(word in STANDS for word in others)
        cells = [str(count.total()), *(str(count[word] or "") for word in WORDS)]
        cells.append(f"{standing} of {sum(map(bool, others))}")
        checks = [_word(ledger, e) for e in _entries(key) if e.kind == WORLD]
        met = sum(word in STANDS for word in checks)
        cells.append(f"{met} of {len(checks)}" if checks else "")
        name = plain(paper_title(key))
        lines += [f"   * - :doc:`{name} <{key}>`", *(f"     - {cell}" for cell in cells)]
    lines += ["", ".. toctree::", "   :hidden:", "", *(f"   {key}" for key in keys)]
    pages = [write_text(folder / f"{key}.rst", page(key, ledger)) for key in keys]
    return [write_text(folder / "index.rst", "\n".join(lines) + "\n"), *pages]


def page(key: str, ledger: Mapping[str, Any]) -> str:
    """RST of one paper's statements, in the order of the paper."""
    entries, heading = _entries(key), paper_title(key)
    lines = [heading, "=" * len(heading), ""]
    lines += summary(entries, ledger)
    lines += [
        "All statements",
        "--------------",
        "",
        f"In the order of the paper. Keys begin with ``{key}.``",
        "",
    ]
    for entry in entries:
        lines += _entry(entry, ledger)
    if len(library().axes[key]):
        lines += [
            "Open places",
            "-----------",
            "",
            "Where the words allow two meanings; the first is the literal one, which the words "
            "above are about.",
            "",
        ]
        for axis in library().axes[key]:
            lines.append(f"- **{plain(axis.about)}** (``{axis.name}``)")
            lines.append("")
            lines += [
                f"  - ``{option.name}``: {plain(option.says)}. {plain(option.words)}"
                for option in axis.options
            ]
            lines.append("")
    return "\n".join(lines) + "\n"


# -- private helpers ---------------------------------------------------------------------


def _entries(key: str) -> list[Entry]:
    return [entry for entry in library() if entry.paper == key]


def _word(ledger: Mapping[str, Any], entry: Entry) -> str:
    """Word of an entry; empty where there is nothing to decide."""
    return ledger["entries"].get(entry.key) or ""


def _entry(entry: Entry, ledger: Mapping[str, Any]) -> list[str]:
    word = _word(ledger, entry)
    first = entry.leaves[0]
    title = f"{first.source.where}: {entry.title}" if entry.title else first.source.where
    kind = f"{first.kind}, {first.form}" if first.form != "printed" else first.kind
    lines = [
        f".. _{entry.key}:",
        "",
        f".. rubric:: {plain(title)}",
        "",
        f"``{entry.key}`` ({kind})",
    ]
    if word:
        lines[-1] += f": :{ROLES[word]}:`{word}`"
        if entry.key in ledger["readings"]:
            lines[-1] += f" ({plain(str(ledger['readings'][entry.key]))})"
    lines.append("")
    if entry.key in ledger.get("fails", {}):
        falls = ledger["fails"][entry.key]
        lines += [f"Falls by {falls['kind']}: {plain(falls['words'])}.", ""]
    before = ""
    for leaf in entry.leaves:
        lines += _leaf(leaf, ledger["leaves"].get(leaf.key), len(entry.leaves) > 1, before)
        before = leaf.latex
    return lines


def _leaf(
    leaf: Statement, found: Mapping[str, Any] | None, several: bool, before: str
) -> list[str]:
    """Formula, hypotheses, evidence and commentary of one leaf."""
    lines = []
    if several:
        part = leaf.key.removeprefix(leaf.entry) or leaf.key
        word = f": {found['verdict']}" if found else ""
        lines += [f"``{part}``{word}", ""]
    if leaf.latex and leaf.latex != before:
        lines += [".. math::", "", *(f"   {line}" for line in leaf.latex.split("\n")), ""]
    if leaf.given:
        lines += ["Assumed:", ""]
        lines += [f"- {plain(h.name)}: :math:`{h.latex}`" for h in leaf.given if h.latex]
        lines.append("")
    if found and found.get("rung"):
        ratio = found.get("tightness")
        most = f"; largest left over right: {ratio:.4g}" if ratio else ""
        lines += [f"Decided by: {found['rung']}{most}.", ""]
    if leaf.missing and leaf.missing != f"{leaf.kind}: nothing to decide":
        lines += [f"Missing: {plain(leaf.missing)}", ""]
    for part in leaf.commentary.split("\n\n"):
        if part.strip():
            lines += [plain(" ".join(part.split())), ""]
    return lines
